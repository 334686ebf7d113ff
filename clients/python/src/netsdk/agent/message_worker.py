"""Messages from others, each opened, answered and acknowledged once."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Any

from ..protocol.canonical_json import JsonObject
from ..protocol.hashes import sha256
from ..tables import MACHINES
from .advance import Facts, advance, emit_from
from .errors import AgentError
from .handler_call import call, cancel
from .home import Records, short_hash
from .messages import Message, acknowledge, content_bytes, message_payload, next_sequence, open_message, seal_message
from .own_ids import answer_id_of
from .parts import Parts
from .poll_loop import keep_polling
from .poller import pause_after

#: Conversations handled in parallel. Messages of one conversation are handled in order.
MAX_AT_ONCE = 8
ENDED_KEPT = 1_000


class MessageWorker:
    """Handles messages from others.

    :param asked: ids of pending questions, whose answers go to the callers of ``ask``
    :param only: the only kind to handle; None for all
    """

    def __init__(
        self, parts: Parts, handler: Callable[[Message], Any], asked: set[str], only: str | None = None
    ) -> None:
        self._parts = parts
        self._handler = handler
        self._asked = asked
        self._only = only
        self._records = Records(parts.state, "message")
        self._active: dict[str, asyncio.Task[None]] = {}
        self._missing: dict[str, tuple[float, int]] = {}
        #: Recently ended messages, latest last. A list that was read earlier may still show them as pending.
        self._ended: dict[str, None] = {}

    async def run(self) -> None:
        """Works until canceled."""
        try:
            for record in self._records.all():
                if self._only in (None, record["facts"]["kind"]):
                    self._start(record["facts"], record)
            put_off = lambda: [until for until, _ in self._missing.values()]  # noqa: E731
            await keep_polling(self._parts, self._look, put_off, self._active.values)
        finally:
            await cancel(list(self._active.values()))

    async def _look(self) -> None:
        waiting: list[JsonObject] = []
        query = {"agentId": self._parts.agent_id, "status": "PENDING", "expired": "false"}
        async for page in self._parts.client.pages("/v1/agent-messages", limit=100, **query):
            waiting += [facts for facts in page["messages"] if facts["toAgentId"] == self._parts.agent_id]
        for facts in reversed(waiting):
            if len(self._active) >= MAX_AT_ONCE:
                return
            if facts.get("replyTo") in self._asked or facts["conversationId"] in self._active:
                continue
            if facts["messageId"] in self._ended or self._only not in (None, facts["kind"]):
                continue
            if self._parts.time.elapsed() >= self._missing.get(facts["messageId"], (-math.inf, 0))[0]:
                self._start(facts, None)

    def _start(self, facts: JsonObject, record: JsonObject | None) -> None:
        conversation_id, message_id = facts["conversationId"], facts["messageId"]
        is_new = record is None or record["step"] == "new"
        if is_new and not self._parts.poller.take():
            return
        before = self._active.get(conversation_id)

        async def run() -> None:
            try:
                if before is not None:
                    await asyncio.wait([before])
                known = record or self._records.get(message_id) or _new_record(facts)
                await self._take(facts, known)
            except Exception as error:
                self._parts.events.warn(error, message_id)
                self._later(message_id)
            finally:
                if self._active.get(conversation_id) is task:
                    del self._active[conversation_id]
                self._parts.poller.wake()

        task = asyncio.get_running_loop().create_task(run())
        self._active[conversation_id] = task

    async def _take(self, message: JsonObject, record: JsonObject) -> None:
        tries = self._missing.get(message["messageId"], (0.0, 0))[1]
        facts: Facts = {**record, "record": record, "received": message, "tries": tries, "seals": 0}
        facts["fromAgentId"] = message["fromAgentId"]
        if await advance(MACHINES["message"], facts, self, emit=self._emit, note=self._note) is None:
            self._end(record)

    def _emit(self, event: str, facts: Facts) -> None:
        emit_from(self._parts.events, "agent", event, facts | {"message": f"{facts['messageId']}: {facts['reason']}"})

    def _note(self, record: JsonObject, **change: Any) -> None:
        record.update(change)
        self._records.put(record["messageId"], record)

    async def _do_open(self, facts: Facts) -> Facts | None:
        if await self._parts.client.prove_message(facts["received"]) != "PENDING":
            return None
        return {"opened": await open_message(self._parts, facts["received"])}

    def _do_later(self, facts: Facts) -> None:
        self._later(facts["messageId"])

    async def _do_handle(self, facts: Facts) -> Facts:
        if facts["attempts"] > 0:
            await asyncio.sleep(pause_after(facts["attempts"]))
        facts["attempt"] = min(facts["attempts"] + 1, 3)
        said = await call(self._handler, facts["opened"])
        self._parts.reach("message.answered", None)
        data = content_bytes(said) if facts["received"]["kind"] == "REQUEST" and said is not None else b""
        if data:
            self._parts.state.put(_file_of("answer", facts["messageId"]), data)
        return {"answered": bool(data)}

    async def _do_seal(self, facts: Facts) -> Facts:
        parts, reply_to, conversation_id = self._parts, facts["messageId"], facts["received"]["conversationId"]
        facts["seals"] += 1
        content = parts.state.get(_file_of("answer", reply_to))
        ids = {
            # Each question has one fixed answer id, so that the answer is never sent twice.
            "messageId": answer_id_of(parts.id_secret, reply_to),
            "conversationId": conversation_id,
            "fromAgentId": parts.agent_id,
            "toAgentId": facts["fromAgentId"],
            "sequence": await next_sequence(parts, conversation_id, parts.agent_id),
        }
        sealed = await seal_message(parts, ids, content) if content else None
        if sealed is None:
            raise AgentError("RECIPIENT_HAS_NO_KEY", facts["fromAgentId"])
        origin, content_hash = parts.origins.first().origin, sha256(sealed).hex()
        parts.state.put(_file_of("sealed", reply_to), sealed)
        answer = message_payload(ids, "RESPONSE", content_hash, origin=origin, height=await parts.client.height())
        return {"answer": answer | {"replyTo": reply_to}}

    async def _do_send(self, facts: Facts) -> Facts:
        parts, message_id, answer = self._parts, facts["messageId"], facts["answer"]
        sealed = parts.state.get(_file_of("sealed", message_id))
        if sealed is None or answer is None:
            return {"lost": True}
        parts.reach("message.sealed", None)
        await parts.origins.put(sealed)
        await parts.outbox.act(f"answer/{message_id}", "sendAgentMessage", answer)
        return {"lost": False}

    async def _do_acknowledge(self, facts: Facts) -> None:
        self._parts.reach("message.sent", None)
        await acknowledge(self._parts, facts["received"], facts["record"]["code"])

    def _later(self, message_id: str) -> None:
        tries = self._missing.get(message_id, (0.0, 0))[1] + 1
        self._missing[message_id] = (self._parts.time.elapsed() + pause_after(tries), tries)

    def _end(self, record: JsonObject) -> None:
        message_id = record["messageId"]
        self._ended[message_id] = None
        if len(self._ended) > ENDED_KEPT:
            del self._ended[next(iter(self._ended))]
        for kind in ("answer", "ack"):
            self._parts.outbox.forget(f"{kind}/{message_id}")
        self._records.delete(message_id)
        for kind in ("answer", "sealed"):
            self._parts.state.delete(_file_of(kind, message_id))
        self._missing.pop(message_id, None)


def _new_record(facts: JsonObject) -> JsonObject:
    steps = {"step": "new", "attempts": 0, "code": None, "answer": None}
    return {"messageId": facts["messageId"], "facts": facts, **steps}


def _file_of(kind: str, message_id: str) -> str:
    return f"{kind}-{short_hash(message_id)}.bin"
