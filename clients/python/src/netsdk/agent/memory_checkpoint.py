"""Checkpoints that the chain names: fetched, verified and decrypted."""

from __future__ import annotations

import json

from ..formats import MemoryFacts, read_manifest
from ..formats.encryption_key import Keyring
from ..formats.portable_memory import MemoryReader
from ..protocol.canonical_json import JsonObject
from ..protocol.hashes import sha256
from .errors import AgentError
from .origins import Origins, origin_of_uri
from .retrying_client import RetryingClient


async def memory_record_of(client: RetryingClient, agent_id: str) -> JsonObject | None:
    """Returns the chain's record of a memory; None if no checkpoint was committed."""
    record: JsonObject | None = await client.state(f"memory/{agent_id}")
    return record


async def checkpoint_of(client: RetryingClient, checkpoint_id: str) -> JsonObject:
    """Returns a checkpoint by its id. Raises MEMORY_REPLICA_LOST if the node does not have it."""
    found = await client.state(f"memory-checkpoint/{checkpoint_id}")
    if found is None:
        raise AgentError("MEMORY_REPLICA_LOST", f"the node has no {checkpoint_id}")
    checkpoint: JsonObject = found["checkpoint"]
    return checkpoint


async def fetch_manifest(origins: Origins, checkpoint: JsonObject) -> JsonObject:
    """Returns the manifest of a checkpoint.

    :raises FormatError: if it is not the committed one
    """
    checkpoint_hash = checkpoint["checkpointHash"]
    data = await origins.read(checkpoint_hash, _hints(checkpoint))
    if data is None:
        raise AgentError("MEMORY_REPLICA_LOST", checkpoint_hash)
    facts = MemoryFacts(checkpoint["agentId"], checkpoint["generation"], checkpoint["parentCheckpointHash"])
    return read_manifest(data, facts, checkpoint_hash)


async def fetch_memory(origins: Origins, checkpoint: JsonObject, keys: Keyring) -> bytes:
    """Returns the plaintext of a checkpoint's memory.

    :raises FormatError: if a replica is not the committed one, or not for these keys
    """
    hints = _hints(checkpoint)
    manifest = await fetch_manifest(origins, checkpoint)
    reader = MemoryReader(manifest, keys)
    for chunk in manifest["chunks"]:
        reader.take(await origins.read(chunk["hash"], hints))
    plaintext = reader.plaintext()
    if sha256(plaintext).hex() != checkpoint["stateRoot"]:
        raise AgentError("MEMORY_REPLICA_LOST", "the checkpoint names another state")
    return plaintext


def entries_of(plaintext: bytes) -> JsonObject:
    """Returns the entries of a memory. Raises MEMORY_REPLICA_LOST if another program wrote it in another format."""
    try:
        told = json.loads(plaintext)
        schema, entries = told["schema"], told["entries"]
    except (ValueError, TypeError, KeyError, RecursionError):
        schema, entries = "document of another form", None
    if schema != "NET-AGENT-MEMORY/1" or not isinstance(entries, dict):
        raise AgentError("MEMORY_REPLICA_LOST", f"it is a {schema}, not a map of this API")
    return entries


def _hints(checkpoint: JsonObject) -> list[str | None]:
    replicas = checkpoint["storageReplicas"]
    return [origin_of_uri(replica["uri"], replica["bundleHash"]) for replica in replicas]
