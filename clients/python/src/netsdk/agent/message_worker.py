"""Finds, opens, answers and acknowledges messages from others, each once."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Any

from ..errors import NetError
from ..formats import FormatError
from ..protocol.canonical_json import JsonObject
from ..protocol.hashes import sha256
from .errors import AgentError
from .handler_call import call
from .home import Records, short_hash
from .messages import Message, acknowledge, content_bytes, message_payload, next_sequence, open_message, seal_message
from .parts import Parts
from .poll_loop import keep_polling
from .poller import pause_after

MAX_ATTEMPTS = 3
#: Attempts to fetch missing content.
CONTENT_TRIES = 6
#: Attempts to fetch the sender's key from an unavailable store: some minutes.
KEY_TRIES = 12
#: Parallel conversations; messages of one are handled in order.
MAX_AT_ONCE = 8
#: Attempts to seal an answer again after another message took its sequence.
SEAL_TRIES = 5
#: Ended messages to remember; more than a poll can return.
ENDED_KEPT = 1_000


class MessageWorker:
    """Handles messages from others.

    :param asked: ids of pending questions; their answers go to the callers of ``ask``
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
        #: Recently ended messages, latest last: a list read earlier may still show them as pending.
        self._ended: dict[str, None] = {}

    async def run(self) -> None:
        """Works until cancelled."""
        try:
            for record in self._records.all():
                if self._only in (None, record["facts"]["kind"]):
                    self._start(record["facts"], record)
            await keep_polling(self._parts, self._look, lambda: [until for until, _ in self._missing.values()])
        finally:
            tasks = list(self._active.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _look(self) -> None:
        """Starts pending messages, oldest first."""
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

    async def _take(self, facts: JsonObject, record: JsonObject) -> None:
        if record["step"] == "new" and record["code"] is None and not await self._answer(facts, record):
            return
        tries = 0
        while record["step"] in ("answered", "sealed"):
            if record["step"] == "answered":
                await self._seal(facts, record)
            if record["step"] == "sealed":
                await self._send(record, tries < SEAL_TRIES)
            tries += 1
        self._parts.reach("message.sent", None)
        await acknowledge(self._parts, facts, record["code"])
        self._end(record)

    async def _answer(self, facts: JsonObject, record: JsonObject) -> bool:
        """Opens the message and calls the handler. Returns False if it must wait or was handled before."""
        parts, message_id, sender = self._parts, facts["messageId"], facts["fromAgentId"]
        try:
            if await parts.client.prove_message(facts) != "PENDING":
                # Already acknowledged and handled; the list is outdated.
                self._end(record)
                return False
            message = await open_message(parts, facts)
        except (AgentError, FormatError) as error:
            if error.code == "ANSWER_NOT_PROVEN":
                raise
            if error.code in ("ENCRYPTION_KEY_OUTDATED", "BLOB_UNAVAILABLE"):
                # Don't reject it: the agent may read it later or on another machine.
                if self._later(message_id) == 1:
                    parts.events.warn(error, message_id)
                return False
            if error.code == "BLOB_NOT_FOUND" and self._later(message_id) < CONTENT_TRIES:
                return False
            self._note(record, code=error.code)
            parts.events.emit(
                "refused", message_id=message_id, from_agent_id=sender, code=error.code, reason=str(error)
            )
            return True
        while record["attempts"] < MAX_ATTEMPTS:
            attempt = record["attempts"] + 1
            try:
                said = await call(self._handler, message)
                parts.reach("message.answered", None)
                wanted = facts["kind"] == "REQUEST" and said is not None
                data = content_bytes(said) if wanted else b""
                if data:
                    parts.state.put(_file_of("answer", message_id), data)
                self._note(record, step="answered" if data else "sent")
                return True
            except Exception as error:
                self._note(record, attempts=attempt)
                if attempt == MAX_ATTEMPTS:
                    code = "HANDLER_FAILED"
                    self._note(record, code=code)
                    parts.events.emit(
                        "refused", message_id=message_id, from_agent_id=sender, code=code, reason=str(error)
                    )
                else:
                    parts.events.emit("warning", code="HANDLER_FAILED", message=f"{message_id}: {error}")
                    await asyncio.sleep(pause_after(attempt))
        return True

    async def _seal(self, facts: JsonObject, record: JsonObject) -> None:
        """Seals the answer to the sender's current key."""
        parts, reply_to = self._parts, facts["messageId"]
        content = parts.state.get(_file_of("answer", reply_to))
        ids = {
            # A fixed id per question, so that the answer is never sent twice.
            "messageId": f"re-{short_hash(f'{parts.agent_id} {reply_to}')}",
            "conversationId": facts["conversationId"],
            "fromAgentId": parts.agent_id,
            "toAgentId": facts["fromAgentId"],
            "sequence": await next_sequence(parts, facts["conversationId"], parts.agent_id),
        }
        refusal = AgentError("RECIPIENT_HAS_NO_KEY", facts["fromAgentId"])
        sealed = None
        try:
            sealed = await seal_message(parts, ids, content) if content else None
        except AgentError as error:
            # A busy store may have the key: the answer stays on disk for a retry.
            if self._missing.get(reply_to, (0.0, 0))[1] < KEY_TRIES:
                raise
            refusal = error
        if sealed is None:
            parts.events.warn(refusal)
            self._note(record, step="sent")
            return
        origin, content_hash = parts.origins.first().origin, sha256(sealed).hex()
        parts.state.put(_file_of("sealed", reply_to), sealed)
        answer = message_payload(ids, "RESPONSE", content_hash, origin=origin, height=await parts.client.height())
        self._note(record, step="sealed", answer=answer | {"replyTo": reply_to})
        parts.reach("message.sealed", None)

    async def _send(self, record: JsonObject, may_retry: bool) -> None:
        parts, message_id, answer = self._parts, record["messageId"], record["answer"]
        sealed = parts.state.get(_file_of("sealed", message_id))
        if sealed is None or answer is None:
            self._note(record, step="answered")
            return
        await parts.origins.put(sealed)
        try:
            await parts.outbox.act(f"answer/{message_id}", "sendAgentMessage", answer)
        except NetError as error:
            # Another message took the sequence, or this one expired.
            if error.code in ("MESSAGE_SEQUENCE_GAP", "MESSAGE_EXPIRED") and may_retry:
                self._note(record, step="answered")
                return
            # An earlier process sent it; its records are lost.
            if error.code != "MESSAGE_ID_USED":
                parts.events.warn(error, message_id)
        self._note(record, step="sent")

    def _later(self, message_id: str) -> int:
        """Postpones a message. Returns its number of delays."""
        tries = self._missing.get(message_id, (0.0, 0))[1] + 1
        self._missing[message_id] = (self._parts.time.elapsed() + pause_after(tries), tries)
        return tries

    def _note(self, record: JsonObject, **change: Any) -> None:
        record.update(change)
        self._records.put(record["messageId"], record)

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
