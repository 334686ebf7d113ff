"""X25519 keys for sealing, as JSON Web Keys (RFC 7517, RFC 8037)."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from joserfc.jwk import OKPKey

from ..protocol.canonical_json import JsonObject, canonical_bytes
from ..protocol.hashes import sha256
from .errors import FormatError

#: A public key: ``{kty, crv, x, kid}``.
EncryptionKey = JsonObject
#: A key pair: the public key with its secret ``d``.
EncryptionSecret = JsonObject
#: All key pairs, newest first. New content is sealed to the first; the others open older content.
Keyring = list[EncryptionSecret]


def base64url(data: bytes) -> str:
    """Encodes as base64url, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def encryption_key_of(x: str) -> EncryptionKey:
    """Returns the key of 32 bytes in base64url, with its thumbprint as kid (RFC 7638)."""
    key = {"kty": "OKP", "crv": "X25519", "x": x}
    return key | {"kid": base64url(sha256(canonical_bytes(key)))}


def generate_encryption_key() -> EncryptionSecret:
    """Generates a key pair. Publish only its :func:`public_encryption_key`."""
    private = X25519PrivateKey.generate()
    key = encryption_key_of(base64url(private.public_key().public_bytes_raw()))
    return key | {"d": base64url(private.private_bytes_raw())}


def public_encryption_key(secret: Mapping[str, Any]) -> EncryptionKey:
    """Returns the public key of a pair."""
    return {name: secret[name] for name in ("kty", "crv", "x", "kid")}


def require_own_kid(key: Mapping[str, Any], path: str = "") -> None:
    """Checks that the kid is the thumbprint.

    :raises FormatError: ENCRYPTION_KEY_INVALID if it is not
    """
    expected = encryption_key_of(key["x"])["kid"]
    if key["kid"] != expected:
        raise FormatError("ENCRYPTION_KEY_INVALID", path, f"its thumbprint is {expected}")


def import_encryption_key(key: Mapping[str, Any]) -> OKPKey:
    """Imports the key into joserfc.

    :raises FormatError: ENCRYPTION_KEY_INVALID if it is no X25519 key, or its kid is not its thumbprint
    """
    if key.get("kty") != "OKP" or key.get("crv") != "X25519":
        raise FormatError("ENCRYPTION_KEY_INVALID", "", "kty OKP and crv X25519 are needed")
    try:
        require_own_kid(key)
        members = {name: key[name] for name in ("kty", "crv", "x", "kid", "d") if name in key}
        imported: OKPKey = OKPKey.import_key(members)
        # joserfc imports lazily, so check the length here, not while sealing.
        _ = imported.private_key if "d" in members else imported.public_key
    except FormatError:
        raise
    except Exception as error:  # any library error on untrusted input
        raise FormatError("ENCRYPTION_KEY_INVALID", "", "it cannot be imported") from error
    return imported
