"""SHA-256 hashes of the protocol."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from .canonical_json import canonical_bytes

_HASH = re.compile(r"[a-f0-9]{64}")


def sha256(data: bytes) -> bytes:
    """Returns the SHA-256, 32 bytes."""
    return hashlib.sha256(data).digest()


def hash_value(value: object) -> str:
    """Returns the lowercase hex SHA-256 of canonical JSON: ``hash(value)`` of the protocol.

    :raises CanonicalJsonError: if the value has no canonical form
    """
    return sha256(canonical_bytes(value)).hex()


def hash_without(document: Mapping[str, Any], member: str) -> str:
    """Returns the hash of a document without the member that contains its hash."""
    return hash_value({name: value for name, value in document.items() if name != member})


def is_hash(text: object) -> bool:
    """Returns True for 64 lowercase hex digits."""
    return isinstance(text, str) and _HASH.fullmatch(text) is not None


def genesis_hash(genesis: Mapping[str, Any]) -> str:
    """Returns the genesis hash, which identifies a chain."""
    return hash_value(dict(genesis))


def block_hash(header: Mapping[str, Any]) -> str:
    """Returns the hash of a NET-BLOCK/1 header."""
    return hash_value(dict(header))


def event_hash(event: Mapping[str, Any]) -> str:
    """Returns the leaf of an event in eventsRoot, from its type, transitionIndex and data."""
    return hash_value({name: event[name] for name in ("type", "transitionIndex", "data")})
