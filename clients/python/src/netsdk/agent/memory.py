"""An agent's memory: a map of JSON values.

Every change is written to disk. Encrypted checkpoints are stored by at least two providers and committed to the chain,
so that another machine with the same key can restore them.
"""

from __future__ import annotations

import asyncio
import copy
import json
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ..arguments import checked, require_seconds
from ..exact_value import exact_value
from ..formats import Blob, MemoryFacts, public_encryption_key, seal_memory
from ..protocol.canonical_json import JsonObject, canonical_bytes
from .errors import AgentError, code_of
from .handover import TIMEOUT, HandedOver, Handover, MovingMemory
from .memory_checkpoint import checkpoint_of, entries_of, fetch_manifest, fetch_memory, memory_record_of
from .origins import Place, blob_uri
from .parts import Parts, ends_with_agent
from .table import table_of

FILE = "memory.json"
#: Seconds without a change before a checkpoint, and the longest delay of a checkpoint.
QUIET = 5.0
LONGEST_WAIT = 60.0
LEAST_REPLICAS = 2
#: Failures that are retried, because stores may return or become less busy.
RETRIED = frozenset(["BLOB_NOT_STORED", "BLOB_ORIGIN_UNKNOWN", "MEMORY_NEEDS_REPLICAS"])


@checked
class Memory:
    """A thread-safe map of JSON values by string keys."""

    def __init__(self, parts: Parts, working_copy: JsonObject) -> None:
        self._parts = parts
        self._copy = working_copy
        self._mutex = threading.RLock()
        self._committing = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        #: Monotonic time of the first change since the checkpoint, or None.
        self._dirty_since: float | None = None
        self._failures = 0
        self._not_before = 0.0
        if self._copy["version"] != self._copy["committed"]:
            self._dirty_since = time.monotonic()
            self._schedule(QUIET)
        self._handover = Handover(parts)
        self._handing = asyncio.Lock()
        self._moving: asyncio.Task[HandedOver] | None = None
        #: The error code for changes, MEMORY_MOVING or MEMORY_ELSEWHERE; None if changes are allowed.
        self._closed: str | None = None

    @classmethod
    async def load(cls, parts: Parts) -> Memory:
        """Loads the local copy if it continues the checkpoint on the chain, else that checkpoint.

        :raises AgentError: MEMORY_FORKED, MEMORY_UNKNOWN_GENERATION, MEMORY_REPLICA_LOST, MEMORY_ELSEWHERE,
            STATE_INVALID
        :raises FormatError: if a replica is not the committed one; nothing is overwritten
        """
        memory = await cls._take_up(parts)
        if await memory._handover.is_open():
            memory._closed = "MEMORY_MOVING"
        return memory

    @classmethod
    async def _take_up(cls, parts: Parts) -> Memory:
        working_copy = _read_copy(parts)
        pending = working_copy["pending"] if working_copy else None
        if pending:
            await parts.outbox.settle(f"memory/{pending['generation']}")
        latest = await memory_record_of(parts.client, parts.agent_id)
        _require_here(parts, latest)
        head = {
            "generation": latest["generation"] if latest else 0,
            "checkpointHash": latest["checkpointHash"] if latest else None,
        }
        if working_copy is not None:
            if pending and _is_same(pending, head):
                working_copy.update(base=head, committed=pending["version"])
            if _is_same(working_copy["base"], head):
                working_copy["pending"] = None
                return cls(parts, working_copy)
            here = working_copy["base"]["generation"]
            if here >= head["generation"]:
                what = f"here {here}, on the chain {head['generation']}"
                raise AgentError("MEMORY_UNKNOWN_GENERATION", what)
            if working_copy["version"] > working_copy["committed"]:
                what = f"changes since generation {here} here, the chain has {head['generation']}"
                raise AgentError("MEMORY_FORKED", what)
        version = working_copy["version"] if working_copy else 0
        memory = cls(
            parts,
            {
                "schema": "NET-AGENT-MEMORY-COPY/1",
                "entries": await _restore(parts, latest) if latest else {},
                "version": version,
                "committed": version,
                "base": head,
                "pending": None,
            },
        )
        if latest:
            memory._save()
        return memory

    def get(self, key: str, default: Any = None) -> Any:
        """Returns a copy of the value of a key, or ``default``."""
        with self._mutex:
            return copy.deepcopy(self._copy["entries"].get(key, default))

    def set(self, key: str, value: Any) -> None:
        """Sets a JSON value. It is on disk when this returns, and in a checkpoint within a minute.

        :raises AgentError: MEMORY_VALUE_INVALID, MEMORY_MOVING, MEMORY_ELSEWHERE, AGENT_STOPPED
        """
        entry = exact_value({key: value}, "MEMORY_VALUE_INVALID")
        with self._mutex:
            self._require_open()
            self._copy["entries"].update(entry)
            self._changed()

    def delete(self, key: str) -> None:
        """Deletes a key, if present.

        :raises AgentError: MEMORY_MOVING, MEMORY_ELSEWHERE, AGENT_STOPPED
        """
        with self._mutex:
            self._require_open()
            if key in self._copy["entries"]:
                del self._copy["entries"][key]
                self._changed()

    def items(self) -> list[tuple[str, Any]]:
        """Returns copies of all keys and values."""
        with self._mutex:
            return list(copy.deepcopy(self._copy["entries"]).items())

    def __repr__(self) -> str:
        return f"<Memory of {self._parts.agent_id}: {len(self.items())} entries, generation {self.generation}>"

    def _repr_html_(self) -> str:
        return table_of(f"Memory of {self._parts.agent_id}, generation {self.generation}", dict(self.items()))

    @property
    def generation(self) -> int:
        """Number of the latest checkpoint; 0 before the first."""
        return int(self._copy["base"]["generation"])

    @ends_with_agent
    async def commit(self, *, timeout: float | None = None) -> None:
        """Commits a checkpoint now if there are changes.

        :param timeout: seconds for the whole call; default none
        :raises AgentError: MEMORY_NEEDS_REPLICAS, BLOB_NOT_STORED, MEMORY_ELSEWHERE
        :raises NetError: MEMORY_GENERATION_MISMATCH if another machine was faster
        """
        await self._commit()

    async def _commit(self) -> None:
        async with self._committing:
            if self._copy["version"] != self._copy["committed"]:
                await self._commit_now([])

    async def hand_over(self, *, provider_id: str, runtime_id: str, timeout: float = TIMEOUT) -> HandedOver:
        """Moves the memory to a runtime that another agent offers, after which this agent cannot write it.

        The memory is sealed to the provider and restored there before the switch. If the agent stops, the call raises
        AGENT_STOPPED; repeat it after the next start to resume.

        :param provider_id: agent that offers the runtime
        :param runtime_id: its standing offer
        :param timeout: seconds for the restore; then the handover is aborted, and the memory stays here
        :raises AgentError: HANDOVER_OPEN, HANDOVER_ABORTED, HANDOVER_TIMEOUT, RECIPIENT_HAS_NO_KEY, MEMORY_ELSEWHERE,
            and the codes of ``commit``
        :raises NetError: RUNTIME_OFFER_UNAVAILABLE and other refusals; the memory stays here
        """
        require_seconds("timeout", timeout)
        return await self._parts.live(lambda: self._hand_over(provider_id, runtime_id, timeout))

    async def _hand_over(self, provider_id: str, runtime_id: str, timeout: float) -> HandedOver:
        async with self._handing:
            with self._mutex:
                if self._closed == "MEMORY_ELSEWHERE":
                    raise AgentError(self._closed)
                self._closed = "MEMORY_MOVING"
            memory = MovingMemory(lambda: self.generation, self._checkpoint_for)
            # A separate task, so that close() can cancel it.
            self._moving = asyncio.ensure_future(self._handover.run(memory, provider_id, runtime_id, timeout))
            try:
                moved = await self._moving
            except Exception:
                if not await self._handover.is_open():
                    self._closed = None
                raise
            self._closed = "MEMORY_ELSEWHERE"
            return moved

    @ends_with_agent
    async def keep(self, *, timeout: float | None = None) -> None:
        """Cancels an open handover, so that the memory stays here.

        :param timeout: seconds for the whole call; default none
        :raises NetError: with the code of a refusal
        """
        await self._handover.cancel()
        if self._closed == "MEMORY_MOVING":
            self._closed = None

    async def close(self) -> None:
        """Cancels pending checkpoints and handovers. Their state is on disk."""
        if self._timer is not None:
            self._timer.cancel()
        under_way = [task for task in (self._task, self._moving) if task is not None and not task.done()]
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)

    async def _checkpoint_for(self, key: Mapping[str, Any]) -> str:
        parts = self._parts
        async with self._committing:
            latest = await memory_record_of(parts.client, parts.agent_id)
            is_saved = self._copy["version"] == self._copy["committed"]
            if latest and is_saved and latest["checkpointHash"] == self._copy["base"]["checkpointHash"]:
                checkpoint = await checkpoint_of(parts.client, latest["checkpointId"])
                sealed = (await fetch_manifest(parts.origins, checkpoint))["key"]
                if any(each["header"]["kid"] == key["kid"] for each in sealed["recipients"]):
                    return str(latest["checkpointHash"])
            return await self._commit_now([key])

    def _require_open(self) -> None:
        self._parts.require_live()
        if self._closed is not None:
            raise AgentError(self._closed)

    def _changed(self) -> None:
        now = time.monotonic()
        if self._dirty_since is None:
            self._dirty_since = now
        self._copy["version"] += 1
        self._save()
        wait = min(QUIET, max(0.0, self._dirty_since + LONGEST_WAIT - now))
        try:
            self._loop.call_soon_threadsafe(self._schedule, wait)
        except RuntimeError:
            pass  # The loop has ended, so the next start makes the checkpoint.

    def _schedule(self, wait: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        later = max(wait, self._not_before - time.monotonic())
        self._timer = self._loop.call_later(later, self._begin)

    def _begin(self) -> None:
        self._task = self._loop.create_task(self._commit_quietly())

    async def _commit_quietly(self) -> None:
        try:
            await self._commit()
            self._failures = 0
        except Exception as error:
            self._parts.events.warn(error, "the memory")
            if code_of(error) in RETRIED:
                pause = QUIET * 2 ** min(self._failures, 4)
                self._failures += 1
                self._not_before = time.monotonic() + pause
                self._schedule(pause)

    async def _commit_now(self, others: Sequence[Mapping[str, Any]]) -> str:
        """Commits a checkpoint, and returns its hash.

        :param others: keys of further readers: the target of a handover
        """
        parts = self._parts
        # Another machine with the same keys may have handed the memory over.
        _require_here(parts, await memory_record_of(parts.client, parts.agent_id))
        with self._mutex:
            version, base = self._copy["version"], self._copy["base"]
            # The hash of the plaintext is public. Without a salt, a small memory could be guessed from it.
            salt = secrets.token_hex(16)
            told = {"schema": "NET-AGENT-MEMORY/1", "entries": self._copy["entries"], "salt": salt}
            plaintext = canonical_bytes(told)
        await parts.origins.known(LEAST_REPLICAS)
        # Replicas need distinct providers.
        places = list({place.provider_id: place for place in parts.origins.places()}.values())
        if len(places) < LEAST_REPLICAS:
            raise AgentError("MEMORY_NEEDS_REPLICAS", f"{len(places)} known")
        generation, parent = base["generation"] + 1, base["checkpointHash"]
        facts = MemoryFacts(parts.agent_id, generation, parent)
        recipients = [public_encryption_key(parts.require_secret()), *others]
        blob: Blob | None = None
        for blob in seal_memory(plaintext, facts, recipients):
            _, stored = await parts.origins.put(blob.data, LEAST_REPLICAS)
            kept = {place.origin for place in stored}
            places = [place for place in places if place.origin in kept]
        if len(places) < LEAST_REPLICAS or blob is None:
            raise AgentError("MEMORY_NEEDS_REPLICAS", "no two stores took all of it")
        with self._mutex:
            head = {"generation": generation, "checkpointHash": blob.hash}
            self._copy["pending"] = head | {"version": version}
            self._save()
        parts.reach("memory.sealed", None)
        act_id = f"memory/{generation}"
        await parts.outbox.act(act_id, "commitMemoryCheckpoint", self._payload(blob, facts, version, places))
        parts.reach("memory.committed", None)
        with self._mutex:
            self._copy.update(base=head, committed=version, pending=None)
            # The delay of changes since the snapshot begins now.
            self._dirty_since = None if self._copy["version"] == version else time.monotonic()
            self._save()
        parts.outbox.forget(act_id)
        parts.events.emit("checkpoint", generation=generation, checkpoint_hash=blob.hash)
        return blob.hash

    def _payload(self, blob: Blob, facts: MemoryFacts, version: int, places: list[Place]) -> JsonObject:
        manifest = json.loads(blob.data)
        agent_id, generation = facts.agent_id, facts.generation
        return {
            "agentId": agent_id,
            "generation": generation,
            "parentCheckpointHash": facts.parent_checkpoint_hash,
            "checkpointId": f"memory-{agent_id[:64]}-{generation}-{blob.hash[:16]}",
            "checkpointHash": blob.hash,
            "stateRoot": manifest["stateRoot"],
            "chunksRoot": manifest["chunksRoot"],
            "serializer": "NET-PORTABLE-MEMORY/1",
            "encryption": manifest["encryption"],
            "byteLength": manifest["byteLength"],
            "chunkCount": len(manifest["chunks"]),
            "barrier": {"lastInputSequence": version, "lastOutputSequence": generation},
            "storageReplicas": [
                {"providerId": place.provider_id, "uri": blob_uri(place.origin, blob.hash), "bundleHash": blob.hash}
                for place in places
            ],
        }

    def _save(self) -> None:
        with self._mutex:
            self._parts.state.put(FILE, canonical_bytes(self._copy))


def _is_same(one: JsonObject, other: JsonObject) -> bool:
    return all(one[name] == other[name] for name in ("generation", "checkpointHash"))


def _read_copy(parts: Parts) -> JsonObject | None:
    data = parts.state.get(FILE)
    if data is None:
        return None
    try:
        found = json.loads(data)
        if found["schema"] == "NET-AGENT-MEMORY-COPY/1":
            working_copy: JsonObject = found
            return working_copy
    except (ValueError, TypeError, KeyError):
        pass
    raise AgentError("STATE_INVALID", FILE)


def _require_here(parts: Parts, record: JsonObject | None) -> None:
    """Raises MEMORY_ELSEWHERE if the memory was handed over to another runtime."""
    active = (record or {}).get("activeRuntime")
    if active and active["runtimeId"] != parts.runtime:
        raise AgentError("MEMORY_ELSEWHERE", f"{active['runtimeId']} of {active['providerId']}")


async def _restore(parts: Parts, record: JsonObject) -> JsonObject:
    checkpoint = await checkpoint_of(parts.client, record["checkpointId"])
    try:
        return entries_of(await fetch_memory(parts.origins, checkpoint, parts.require_keyring()))
    except Exception as error:
        if code_of(error) != "SEALED_NOT_FOR_KEY":
            raise
        file = f"{parts.agent_id}.encryption.json"
        raise AgentError("ENCRYPTION_KEY_MISSING", f"{file}: the memory is sealed to another key") from error
