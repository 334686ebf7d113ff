"""Checkpoints of the whole state (``net-kv-v1``) and their chunks."""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from .canonical_json import JsonObject
from .hashes import hash_value, hash_without, sha256
from .merkle import list_root, merkle_root

#: Bytes of every chunk but the last.
CHUNK_SIZE = 262_144


class CheckpointError(ValueError):
    """A checkpoint or chunk is invalid."""


def encode_pairs(pairs: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Encodes pairs in the order of their keys: u32be length and key, u32be length and value."""

    def field(data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + data

    return b"".join(field(key) + field(value) for key, value in sorted(pairs))


def decode_pairs(data: bytes) -> list[tuple[bytes, bytes]]:
    """Decodes the pairs of a checkpoint. Raises CheckpointError if the data is truncated or out of order."""
    at, pairs = 0, []

    def field() -> bytes:
        nonlocal at
        if at + 4 > len(data):
            raise CheckpointError("cut short")
        (length,) = struct.unpack_from(">I", data, at)
        start, at = at + 4, at + 4 + length
        if at > len(data):
            raise CheckpointError("cut short")
        return data[start:at]

    while at < len(data):
        key = field()
        pairs.append((key, field()))
    if any(one[0] >= other[0] for one, other in pairwise(pairs)):
        raise CheckpointError("the keys are not in order")
    return pairs


def make_checkpoint(source: Mapping[str, Any], data: bytes) -> JsonObject:
    """Returns the NET-STATE-CHECKPOINT/1 of encoded pairs.

    :param source: chainId, height, stateRoot, blockHash and certificateHash of the state
    """
    chunks = [sha256(data[at : at + CHUNK_SIZE]) for at in range(0, len(data), CHUNK_SIZE)]
    body = dict(source) | {
        "schema": "NET-STATE-CHECKPOINT/1",
        "encoding": "net-kv-v1",
        "byteLength": len(data),
        "chunkSize": CHUNK_SIZE,
        "chunkCount": len(chunks),
        "chunkHashes": [chunk.hex() for chunk in chunks],
        "chunksRoot": list_root(chunks).hex(),
    }
    return body | {"checkpointHash": hash_value(body)}


def require_checkpoint(checkpoint: Mapping[str, Any]) -> None:
    """Checks that a checkpoint is consistent. Its certificate needs a separate check.

    :raises CheckpointError: if it is not
    """
    hashes = checkpoint["chunkHashes"]
    whole = (checkpoint["byteLength"] + CHUNK_SIZE - 1) // CHUNK_SIZE
    if checkpoint["schema"] != "NET-STATE-CHECKPOINT/1" or checkpoint["encoding"] != "net-kv-v1":
        raise CheckpointError("it is no checkpoint of a known encoding")
    if checkpoint["chunkSize"] != CHUNK_SIZE or not checkpoint["chunkCount"] == len(hashes) == whole:
        raise CheckpointError("its chunks do not fill its length")
    if merkle_root(hashes) != checkpoint["chunksRoot"]:
        raise CheckpointError("chunksRoot is not the root of its chunks")
    if hash_without(checkpoint, "checkpointHash") != checkpoint["checkpointHash"]:
        raise CheckpointError("checkpointHash is wrong")


def chunk_bytes(chunk: Mapping[str, Any], checkpoint: Mapping[str, Any], index: int) -> bytes:
    """Returns the bytes of a NET-STATE-CHUNK/1, checked against the checkpoint.

    :raises CheckpointError: if it is not the chunk at this index
    """
    hashes: Sequence[str] = checkpoint["chunkHashes"]
    if not 0 <= index < len(hashes):
        raise CheckpointError("the checkpoint has no such chunk")
    try:
        data = base64.b64decode(chunk["data"], validate=True)
    except ValueError as error:
        raise CheckpointError("the chunk is not base64") from error
    if sha256(data).hex() != hashes[index]:
        raise CheckpointError("the chunk is not the one that the checkpoint names")
    return data
