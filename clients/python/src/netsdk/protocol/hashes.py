"""SHA-256 in the forms the protocol uses."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from .canonical_json import canonical_bytes

_HASH = re.compile(r"[a-f0-9]{64}")


def sha256(data: bytes) -> bytes:
    """32 bytes."""
    return hashlib.sha256(data).digest()


def hash_value(value: object) -> str:
    """``hash(value)`` of the protocol: lowercase hex SHA-256 of the value's canonical JSON bytes.

    :raises CanonicalJsonError: where the value has no canonical form
    """
    return sha256(canonical_bytes(value)).hex()


def hash_without(document: Mapping[str, Any], member: str) -> str:
    """The fingerprint of a document: its hash without the one member that holds it."""
    return hash_value({name: value for name, value in document.items() if name != member})


def is_hash(text: object) -> bool:
    """Whether it is 64 lowercase hex digits."""
    return isinstance(text, str) and _HASH.fullmatch(text) is not None


def genesis_hash(genesis: Mapping[str, Any]) -> str:
    """The hash that names a chain beyond doubt."""
    return hash_value(dict(genesis))


def block_hash(header: Mapping[str, Any]) -> str:
    """The hash of a NET-BLOCK/1 header."""
    return hash_value(dict(header))


def event_hash(event: Mapping[str, Any]) -> str:
    """The leaf of an event in the eventsRoot of its block: of type, transitionIndex and data."""
    return hash_value({name: event[name] for name in ("type", "transitionIndex", "data")})
