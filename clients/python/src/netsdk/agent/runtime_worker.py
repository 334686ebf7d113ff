"""Handovers to a runtime of this agent: memories restored, verified and attested."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from ..formats import FormatError
from ..protocol.canonical_json import JsonObject
from ..protocol.hashes import sha256
from .errors import AgentError, code_of
from .handler_call import call
from .memory_checkpoint import checkpoint_of, entries_of, fetch_memory
from .parts import Parts
from .poll_loop import keep_polling
from .poller import pause_after

MAX_ATTEMPTS = 6


class RestoredMemory(NamedTuple):
    """A restored memory of another agent, with verified hashes. Its content is untrusted."""

    handover_id: str
    agent_id: str
    runtime_id: str
    generation: int
    checkpoint_hash: str
    #: The values of the agent's ``agent.memory``; None if another program wrote it in another format.
    entries: JsonObject | None
    data: bytes


#: A function that handles a memory. If it does not raise, the SDK attests the memory. It may run again after a crash.
RuntimeHandler = Callable[[RestoredMemory], Any]


class RuntimeWorker:
    """Accepts handovers to a runtime of this agent."""

    def __init__(self, parts: Parts, handler: RuntimeHandler) -> None:
        self._parts = parts
        self._handler = handler
        self._put: dict[str, tuple[float, int]] = {}

    async def run(self) -> None:
        """Works until canceled."""
        await keep_polling(self._parts, self._look, lambda: [until for until, _ in self._put.values()])

    async def _look(self) -> None:
        async for page in self._parts.client.pages("/v1/memory/handovers", limit=100):
            for handover in page["handovers"]:
                is_ours = handover["targetProviderId"] == self._parts.agent_id
                until, _tries = self._put.get(handover["handoverId"], (-math.inf, 0))
                if handover["status"] == "PREPARED" and is_ours and self._parts.time.elapsed() >= until:
                    await self._take(handover)

    async def _take(self, handover: JsonObject) -> None:
        parts, handover_id = self._parts, handover["handoverId"]
        if not parts.poller.take():
            return
        try:
            memory = await self._restore(handover)
            await call(self._handler, memory)
            parts.reach("handover.restored", None)
            act_id = f"restore/{handover_id}"
            root = sha256(memory.data).hex()
            payload = {"providerId": parts.agent_id, "handoverId": handover_id, "restoredStateRoot": root}
            await parts.outbox.act(act_id, "attestMemoryRestore", payload)
            parts.outbox.forget(act_id)
        except Exception as error:
            tries = self._put.get(handover_id, (0.0, 0))[1] + 1
            # Content with a wrong key or hash stays wrong.
            is_final = isinstance(error, FormatError) or tries >= MAX_ATTEMPTS
            self._put[handover_id] = (math.inf if is_final else self._parts.time.elapsed() + pause_after(tries), tries)
            code = code_of(error)
            code = "HANDLER_FAILED" if code == "UNEXPECTED" else code
            parts.events.emit("warning", code=code, message=f"{handover_id}: {error}")
            return
        self._put.pop(handover_id, None)
        parts.events.emit("restored", handover_id=handover_id, agent_id=memory.agent_id, runtime_id=memory.runtime_id)

    async def _restore(self, handover: JsonObject) -> RestoredMemory:
        parts = self._parts
        checkpoint = await checkpoint_of(parts.client, handover["checkpointId"])
        data = await fetch_memory(parts.origins, checkpoint, parts.require_keyring())
        try:
            entries = entries_of(data)
        except AgentError:
            entries = None
        return RestoredMemory(
            handover["handoverId"],
            handover["agentId"],
            handover["targetRuntimeId"],
            handover["generation"],
            handover["checkpointHash"],
            entries,
            data,
        )
