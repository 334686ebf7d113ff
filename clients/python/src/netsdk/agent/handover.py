"""Handover of a memory to another runtime, on the agent's side.

The agent also seals the memory to the target, which restores it. The target becomes the writer once the agent
finalizes the handover.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from ..errors import NetError
from ..protocol.canonical_json import JsonObject, canonical_bytes
from .errors import AgentError, code_of
from .parts import Parts

FILE = "handover.json"
#: Seconds.
TIMEOUT = 600.0
#: Heights.
LIFETIME = 2_000
#: Seconds between polls if no event comes.
LOOK = 5.0


class HandedOver(NamedTuple):
    """A finished handover: target and generation."""

    handover_id: str
    provider_id: str
    runtime_id: str
    generation: int


class MovingMemory(NamedTuple):
    """The functions of a memory that its handover needs."""

    generation: Callable[[], int]
    #: Returns the hash of a current checkpoint that is also sealed to this key.
    checkpoint_for: Callable[[Mapping[str, Any]], Awaitable[str]]


class Handover:
    """The handover of one agent. Only its signed payload is on disk; its status is on the chain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def is_open(self) -> bool:
        """Returns True if this agent has an open handover. Forgets a handover that has ended."""
        move = self._read()
        if move is None:
            return False
        handover_id = move["handoverId"]
        await self._parts.outbox.settle(_id_of("prepare", handover_id))
        registered = await self._find(handover_id)
        # A handover that was not prepared moved nothing, so it can start again.
        is_open = registered is not None and registered["status"] in ("PREPARED", "TARGET_RESTORED")
        if not is_open:
            self._forget(handover_id)
        return is_open

    async def run(self, memory: MovingMemory, provider_id: str, runtime_id: str, timeout: float) -> HandedOver:
        """Hands the memory over, or resumes a started handover; see :meth:`Memory.hand_over`."""
        parts = self._parts
        until = time.monotonic() + timeout
        parts.watch()
        move = self._read() or await self._begin(memory, provider_id, runtime_id)
        handover_id, target = move["handoverId"], (move["targetProviderId"], move["targetRuntimeId"])
        if target != (provider_id, runtime_id):
            raise AgentError("HANDOVER_OPEN", f"to {target[1]} of {target[0]}")
        try:
            await parts.outbox.act(_id_of("prepare", handover_id), "prepareMemoryHandover", move)
        except Exception:
            # A refused handover has not begun. A canceled call may have succeeded, so its handover is kept.
            self._forget(handover_id)
            raise
        parts.reach("handover.prepared", None)
        await self._until_restored(handover_id, until, timeout)
        await self._finalize(handover_id)
        parts.reach("handover.finalized", None)
        self._forget(handover_id)
        moved = HandedOver(handover_id, provider_id, runtime_id, memory.generation())
        parts.events.emit("moved", **moved._asdict())
        return moved

    async def cancel(self) -> None:
        """Aborts an open handover; see :meth:`Memory.keep`."""
        move = self._read()
        if move is not None and await self.is_open():
            await self._abort(move["handoverId"])

    async def _begin(self, memory: MovingMemory, provider_id: str, runtime_id: str) -> JsonObject:
        parts = self._parts
        metadata = await parts.peers.metadata_of(provider_id)
        if metadata is None:
            raise AgentError("RECIPIENT_HAS_NO_KEY", provider_id)
        checkpoint_hash = await memory.checkpoint_for(metadata["encryptionKey"])
        move: JsonObject = {
            "agentId": parts.agent_id,
            "handoverId": f"move-{secrets.token_hex(12)}",
            "checkpointHash": checkpoint_hash,
            "targetProviderId": provider_id,
            "targetRuntimeId": runtime_id,
            "expiresAtHeight": await parts.client.height() + LIFETIME,
        }
        parts.state.put(FILE, canonical_bytes({"schema": "NET-AGENT-HANDOVER/1", "payload": move}))
        parts.reach("handover.noted", None)
        return move

    async def _until_restored(self, handover_id: str, until: float, timeout: float) -> None:
        while True:
            wakes = self._parts.poller.wakes
            registered = await self._find(handover_id)
            status = registered["status"] if registered else None
            if status in ("TARGET_RESTORED", "FINALIZED"):
                return
            if registered is not None and status == "ABORTED":
                self._forget(handover_id)
                raise AgentError("HANDOVER_ABORTED", f"{handover_id}, {registered.get('abortCause')}")
            left = until - time.monotonic()
            if left <= 0:
                await self._abort(handover_id)
                raise AgentError("HANDOVER_TIMEOUT", f"{timeout} s")
            await self._parts.poller.wait(min(left, LOOK), wakes)

    async def _finalize(self, handover_id: str) -> None:
        payload = {"agentId": self._parts.agent_id, "handoverId": handover_id}
        try:
            await self._parts.outbox.act(_id_of("finalize", handover_id), "finalizeMemoryHandover", payload)
        except NetError as error:
            # A process that was killed may have finalized it.
            registered = await self._find(handover_id)
            if registered is not None and registered["status"] == "FINALIZED":
                return
            # Another machine committed a newer memory, so the target's is outdated.
            if code_of(error) == "MEMORY_HANDOVER_STALE":
                await self._abort(handover_id)
            raise

    async def _abort(self, handover_id: str) -> None:
        payload = {"agentId": self._parts.agent_id, "handoverId": handover_id}
        await self._parts.outbox.act(_id_of("abort", handover_id), "abortMemoryHandover", payload)
        self._forget(handover_id)

    async def _find(self, handover_id: str) -> JsonObject | None:
        async for page in self._parts.client.pages("/v1/memory/handovers", agentId=self._parts.agent_id, limit=20):
            for each in page["handovers"]:
                if each["handoverId"] == handover_id:
                    found: JsonObject = each
                    return found
        return None

    def _read(self) -> JsonObject | None:
        data = self._parts.state.get(FILE)
        if data is None:
            return None
        try:
            found = json.loads(data)
            if found["schema"] == "NET-AGENT-HANDOVER/1":
                move: JsonObject = found["payload"]
                return move
        except (ValueError, TypeError, KeyError):
            pass
        raise AgentError("STATE_INVALID", FILE)

    def _forget(self, handover_id: str) -> None:
        self._parts.state.delete(FILE)
        for step in ("prepare", "finalize", "abort"):
            self._parts.outbox.forget(_id_of(step, handover_id))


def _id_of(step: str, handover_id: str) -> str:
    return f"handover/{step}/{handover_id}"
