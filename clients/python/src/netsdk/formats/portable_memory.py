"""NET-PORTABLE-MEMORY/1: the encrypted memory of an agent, as blobs.

A manifest names the chunks, which are encrypted under a new key in each generation. The hash of the manifest is the
``bundleHash`` of the checkpoint. The next generation names the ``checkpointHash`` as its parent.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ..protocol.canonical_json import JsonObject, canonical_bytes
from ..protocol.hashes import sha256
from ..protocol.merkle import merkle_root
from .document import MAX_SMALL_DOCUMENT_BYTES, Blob, Format, blob_of
from .encryption_key import Keyring
from .errors import FormatError
from .sealed_content import open_sealed, seal_to_recipients

#: Plaintext bytes of every chunk but the last.
CHUNK_BYTES = 1024 * 1024
MAX_CHUNKS = 1_024

_IV_BYTES = 12
_OVERHEAD = _IV_BYTES + 16
_KEY_BYTES = 32
_BOUND = ("agentId", "generation", "parentCheckpointHash", "chunksRoot", "stateRoot")


class MemoryFacts(NamedTuple):
    """The agent, the generation (from 1), and the checkpointHash of the parent; None for the first."""

    agent_id: str
    generation: int
    parent_checkpoint_hash: str | None


def _check(manifest: JsonObject) -> None:
    chunks = manifest["chunks"]
    rest = manifest["byteLength"] - (len(chunks) - 1) * CHUNK_BYTES
    for index, chunk in enumerate(chunks):
        if chunk["byteLength"] != (rest if index == len(chunks) - 1 else CHUNK_BYTES) + _OVERHEAD:
            raise FormatError("MEMORY_MANIFEST_INCONSISTENT", f"/chunks/{index}/byteLength")
    if merkle_root([chunk["hash"] for chunk in chunks]) != manifest["chunksRoot"]:
        raise FormatError("MEMORY_MANIFEST_INCONSISTENT", "/chunksRoot")


portable_memory = Format("PortableMemory", max_bytes=MAX_SMALL_DOCUMENT_BYTES, check=_check)


def _chunk_data(agent_id: str, generation: int, index: int) -> bytes:
    return canonical_bytes({"agentId": agent_id, "generation": generation, "index": index})


def seal_memory(plaintext: bytes, facts: MemoryFacts, recipients: Sequence[Mapping[str, Any]]) -> Iterator[Blob]:
    """Encrypts a memory into blobs. The last blob is the manifest.

    :param plaintext: 1 byte to 1 GiB; add randomness to a small one, because its hash is public
    :param recipients: the agent's own public key; in a handover, also the target runtime's
    :raises FormatError: CONTENT_EMPTY, MEMORY_TOO_LARGE, or if a key is unusable
    """
    if not plaintext:
        raise FormatError("CONTENT_EMPTY")
    parts = [plaintext[at : at + CHUNK_BYTES] for at in range(0, len(plaintext), CHUNK_BYTES)]
    if len(parts) > MAX_CHUNKS:
        raise FormatError("MEMORY_TOO_LARGE", "", f"{len(parts)} chunks")
    content_key = os.urandom(_KEY_BYTES)
    chunks: list[JsonObject] = []
    for index, part in enumerate(parts):
        iv = os.urandom(_IV_BYTES)
        data = _chunk_data(facts.agent_id, facts.generation, index)
        blob = blob_of(iv + AESGCM(content_key).encrypt(iv, part, data))
        yield blob
        chunks.append({"hash": blob.hash, "byteLength": len(blob.data)})
    bound = {
        "agentId": facts.agent_id,
        "generation": facts.generation,
        "parentCheckpointHash": facts.parent_checkpoint_hash,
        "chunksRoot": merkle_root([chunk["hash"] for chunk in chunks]),
        "stateRoot": sha256(plaintext).hex(),
    }
    yield portable_memory.make(
        {
            "schema": "NET-PORTABLE-MEMORY/1",
            **bound,
            "encryption": "AES-256-GCM",
            "byteLength": len(plaintext),
            "chunks": chunks,
            "key": seal_to_recipients(content_key, recipients, bound),
        }
    )


def read_manifest(data: bytes, facts: MemoryFacts, bundle_hash: str) -> JsonObject:
    """Decodes the manifest that a checkpoint names.

    :raises FormatError: if it is invalid, or belongs to another agent or generation
    """
    manifest = portable_memory.read(data, bundle_hash)
    if manifest["agentId"] != facts.agent_id:
        raise FormatError("MEMORY_WRONG_AGENT", "/agentId")
    if manifest["generation"] != facts.generation:
        raise FormatError("MEMORY_WRONG_GENERATION", "/generation")
    if manifest["parentCheckpointHash"] != facts.parent_checkpoint_hash:
        raise FormatError("MEMORY_WRONG_GENERATION", "/parentCheckpointHash")
    return manifest


class MemoryReader:
    """Decrypts a memory from its chunks, in order."""

    def __init__(self, manifest: JsonObject, secret: Mapping[str, Any] | Keyring) -> None:
        _check(manifest)
        bound = {name: manifest[name] for name in _BOUND}
        key = open_sealed(manifest["key"], secret, bound)
        if len(key) != _KEY_BYTES:
            raise FormatError("SEALED_UNREADABLE", "/key")
        self._cipher = AESGCM(key)
        self._manifest = manifest
        self._parts: list[bytes] = []

    def take(self, data: bytes | None) -> None:
        """Decrypts the next chunk, whose bytes may be wrong.

        :param data: None if the chunk is unavailable
        :raises FormatError: MEMORY_CHUNK_MISSING, MEMORY_CHUNK_MISMATCH, MEMORY_CHUNK_UNREADABLE
        """
        index = len(self._parts)
        chunk, path = self._manifest["chunks"][index], f"/chunks/{index}"
        if data is None:
            raise FormatError("MEMORY_CHUNK_MISSING", path)
        if len(data) != chunk["byteLength"] or sha256(data).hex() != chunk["hash"]:
            raise FormatError("MEMORY_CHUNK_MISMATCH", path)
        place = _chunk_data(self._manifest["agentId"], self._manifest["generation"], index)
        try:
            self._parts.append(self._cipher.decrypt(data[:_IV_BYTES], data[_IV_BYTES:], place))
        except InvalidTag as error:
            raise FormatError("MEMORY_CHUNK_UNREADABLE", path) from error

    def plaintext(self) -> bytes:
        """Returns the memory, after the last chunk.

        :raises FormatError: MEMORY_STATE_MISMATCH
        """
        whole = b"".join(self._parts)
        if sha256(whole).hex() != self._manifest["stateRoot"]:
            raise FormatError("MEMORY_STATE_MISMATCH", "/stateRoot")
        return whole


def open_memory(
    manifest: JsonObject, secret: Mapping[str, Any] | Keyring, fetch_chunk: Callable[[str], bytes | None]
) -> bytes:
    """Fetches, checks and decrypts a memory.

    :param fetch_chunk: returns the untrusted blob of a hash, None if unavailable; its exceptions propagate
    :raises FormatError: if the memory is incomplete or invalid
    """
    reader = MemoryReader(manifest, secret)
    for chunk in manifest["chunks"]:
        reader.take(fetch_chunk(chunk["hash"]))
    return reader.plaintext()
