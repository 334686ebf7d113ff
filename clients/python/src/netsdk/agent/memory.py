"""What an agent remembers: a map of JSON values.

The working copy is on disk with every change; checkpoints are encrypted, kept by at least two places, and committed to
the chain, so that another machine with the same key takes it up.
"""

from __future__ import annotations

import asyncio
import copy
import json
import secrets
import threading
import time
from typing import Any

from ..formats import Blob, MemoryFacts, public_encryption_key, read_manifest, seal_memory
from ..formats.portable_memory import MemoryReader
from ..protocol.canonical_json import CanonicalJsonError, JsonObject, canonical_bytes, canonicalize
from ..protocol.hashes import sha256
from .errors import AgentError
from .parts import Parts
from .places import Place, blob_uri, origin_of_uri

FILE = "memory.json"
#: Seconds of quiet before changes are checkpointed, and the longest that they wait.
QUIET = 5.0
LONGEST_WAIT = 60.0
LEAST_REPLICAS = 2


class Memory:
    """A map of JSON values by string keys; may be used from any thread."""

    def __init__(self, parts: Parts, working_copy: JsonObject) -> None:
        self._parts = parts
        self._copy = working_copy
        self._mutex = threading.RLock()
        self._committing = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._dirty_since = 0.0

    @classmethod
    async def load(cls, parts: Parts) -> Memory:
        """The working copy of this machine where it goes on from the checkpoint of the chain, else that checkpoint.

        :raises AgentError: MEMORY_FORKED, MEMORY_UNKNOWN_GENERATION, MEMORY_REPLICA_LOST, STATE_INVALID
        :raises FormatError: where a replica is not what was committed; nothing is written over then
        """
        working_copy = _read_copy(parts)
        pending = working_copy["pending"] if working_copy else None
        if pending:
            await parts.outbox.settle(f"memory/{pending['generation']}")
        latest = await _latest(parts)
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
        """A copy of the value of a key, ``default`` where there is none."""
        with self._mutex:
            return copy.deepcopy(self._copy["entries"].get(key, default))

    def set(self, key: str, value: Any) -> None:
        """Keeps a JSON value: on disk when this returns, checkpointed soon.

        :raises AgentError: MEMORY_VALUE_INVALID
        """
        try:
            entry = json.loads(canonicalize({key: value}))
        except CanonicalJsonError as error:
            raise AgentError("MEMORY_VALUE_INVALID", str(error)) from error
        with self._mutex:
            self._copy["entries"].update(entry)
            self._changed()

    def delete(self, key: str) -> None:
        """Forgets a key, if it is there."""
        with self._mutex:
            if key in self._copy["entries"]:
                del self._copy["entries"][key]
                self._changed()

    def items(self) -> list[tuple[str, Any]]:
        """Copies of everything."""
        with self._mutex:
            return list(copy.deepcopy(self._copy["entries"]).items())

    @property
    def generation(self) -> int:
        """The checkpoint that the memory goes on from; 0 before the first."""
        return int(self._copy["base"]["generation"])

    async def commit(self) -> None:
        """Checkpoints what has changed, now.

        :raises AgentError: MEMORY_NEEDS_REPLICAS, BLOB_NOT_STORED
        :raises NetError: MEMORY_GENERATION_MISMATCH where another machine was faster
        """
        async with self._committing:
            await self._commit_now()

    def close(self) -> None:
        """No further checkpoint is made; what is changed is on disk."""
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            self._task.cancel()

    def _changed(self) -> None:
        if self._copy["version"] == self._copy["committed"]:
            self._dirty_since = time.monotonic()
        self._copy["version"] += 1
        self._save()
        wait = min(QUIET, max(0.0, self._dirty_since + LONGEST_WAIT - time.monotonic()))
        try:
            self._loop.call_soon_threadsafe(self._schedule, wait)
        except RuntimeError:
            pass  # The loop has ended: the next start makes the checkpoint.

    def _schedule(self, wait: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(wait, self._begin)

    def _begin(self) -> None:
        self._task = self._loop.create_task(self._commit_quietly())

    async def _commit_quietly(self) -> None:
        try:
            await self.commit()
        except Exception as error:
            self._parts.events.warn(error, "the memory")

    async def _commit_now(self) -> None:
        parts = self._parts
        with self._mutex:
            version, base = self._copy["version"], self._copy["base"]
            if version == self._copy["committed"]:
                return
            # The hash of the plaintext is public, and a small memory could be guessed.
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
        blob: Blob | None = None
        for blob in seal_memory(plaintext, facts, [public_encryption_key(parts.require_secret())]):
            _, stored = await parts.origins.put(blob.data, LEAST_REPLICAS)
            kept = {place.origin for place in stored}
            places = [place for place in places if place.origin in kept]
        if len(places) < LEAST_REPLICAS or blob is None:
            raise AgentError("MEMORY_NEEDS_REPLICAS", "no two places took all of it")
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
            self._save()
        parts.outbox.forget(act_id)
        parts.events.emit("checkpoint", generation=generation, checkpoint_hash=blob.hash)

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


async def _latest(parts: Parts) -> JsonObject | None:
    """The last checkpoint that the chain has of this agent."""
    memory = await parts.line.state(f"memory/{parts.agent_id}")
    if memory is None:
        return None
    record = await parts.line.state(f"memory-checkpoint/{memory['checkpointId']}")
    if record is None:
        raise AgentError("MEMORY_REPLICA_LOST", f"the node has no {memory['checkpointId']}")
    found: JsonObject = record["checkpoint"]
    return found


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


async def _restore(parts: Parts, checkpoint: JsonObject) -> JsonObject:
    """Fetches and checks the memory that a checkpoint names."""
    checkpoint_hash, generation = checkpoint["checkpointHash"], checkpoint["generation"]
    hints = [origin_of_uri(replica["uri"], replica["bundleHash"]) for replica in checkpoint["storageReplicas"]]
    data = await parts.origins.fetch(checkpoint_hash, hints)
    if data is None:
        raise AgentError("MEMORY_REPLICA_LOST", checkpoint_hash)
    facts = MemoryFacts(parts.agent_id, generation, checkpoint["parentCheckpointHash"])
    manifest = read_manifest(data, facts, checkpoint_hash)
    reader = MemoryReader(manifest, parts.require_keyring())
    for chunk in manifest["chunks"]:
        reader.take(await parts.origins.fetch(chunk["hash"], hints))
    plaintext = reader.plaintext()
    if sha256(plaintext).hex() != checkpoint["stateRoot"]:
        raise AgentError("MEMORY_REPLICA_LOST", "the checkpoint names another state")
    told = json.loads(plaintext)
    if told["schema"] != "NET-AGENT-MEMORY/1":
        raise AgentError("MEMORY_REPLICA_LOST", f"it is a {told['schema']}, not a map of this API")
    entries: JsonObject = told["entries"]
    return entries
