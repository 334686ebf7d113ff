"""Signed envelopes: the bytes to sign, and the hash that names an envelope on the chain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .canonical_json import canonical_bytes
from .ed25519 import canonical_base64, raw_key, verify
from .hashes import hash_value


def bytes_to_sign(envelope: Mapping[str, Any]) -> bytes:
    """Returns the canonical JSON of the envelope without its signature."""
    return canonical_bytes({name: value for name, value in envelope.items() if name != "signature"})


def transition_hash(envelope: Mapping[str, Any]) -> str:
    """Returns the hash of the whole envelope, signature included."""
    return hash_value(dict(envelope))


def public_key_hash(pem: str) -> str:
    """Returns the hash of the PEM string, exactly as it is sent."""
    return hash_value(pem)


def signature_holds(envelope: Mapping[str, Any], pem: str) -> bool:
    """Returns True if the envelope is signed with this key."""
    raw, signature = raw_key(pem), canonical_base64(str(envelope.get("signature")), 64)
    return raw is not None and signature is not None and verify(raw, bytes_to_sign(envelope), signature)
