"""Content sealed to recipients: JWE in General JSON serialization (RFC 7516, RFC 8037), as canonical JSON.

Its context is the additional data, so a ciphertext cannot be reused elsewhere. The encryption does not prove the
sender; the intent that commits the hash does.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from joserfc import jwe

from ..protocol.canonical_json import JsonObject, canonical_bytes
from .document import MAX_BLOB_BYTES, MAX_FACTS_BYTES, Blob, Format, require_size
from .encryption_key import Keyring, base64url, import_encryption_key
from .errors import FormatError

#: Limit in bytes of the plaintext, so that the sealed form fits into a blob.
MAX_SEALED_BYTES = 4 * 1024 * 1024

_KEY_MANAGEMENT = "ECDH-ES+A256KW"
_CIPHER = "A256GCM"
_REGISTRY = jwe.JWERegistry(algorithms=[_KEY_MANAGEMENT, _CIPHER])
# The library's default limit is smaller than a blob.
_REGISTRY.max_ciphertext_length = MAX_BLOB_BYTES

_context = Format("MessageContext", "WorkContext", "MemoryKeyContext", max_bytes=MAX_FACTS_BYTES)
_sealed = Format("SealedContent", max_bytes=MAX_BLOB_BYTES)


def seal_content(plaintext: bytes, recipients: Sequence[Mapping[str, Any]], facts: JsonObject) -> Blob:
    """Seals bytes to public keys.

    :param plaintext: 1 byte to 4 MiB
    :param recipients: 1 to 16 public keys
    :param facts: context of the message, order or memory; opening needs the same
    :raises FormatError: if a key is unusable, the content is too large, or the context is incomplete
    """
    return _sealed.make(seal_to_recipients(plaintext, recipients, facts))


def seal_to_recipients(plaintext: bytes, recipients: Sequence[Mapping[str, Any]], facts: JsonObject) -> JsonObject:
    """Seals bytes like :func:`seal_content`, and returns the object to embed in another document."""
    require_size(plaintext, MAX_SEALED_BYTES)
    if not plaintext:
        raise FormatError("CONTENT_EMPTY")
    sealing = jwe.GeneralJSONEncryption({"enc": _CIPHER}, plaintext, aad=_context.make(facts).data)
    for key in recipients:
        sealing.add_recipient({"alg": _KEY_MANAGEMENT, "kid": key["kid"]}, import_encryption_key(key))
    try:
        return cast(JsonObject, dict(jwe.encrypt_json(sealing, None, registry=_REGISTRY)))
    except Exception as error:
        # There are no recipients, or a key is a point of small order, which has no shared secret.
        raise FormatError("ENCRYPTION_KEY_INVALID", "", "nothing can be sealed to these keys") from error


def open_content(
    data: bytes, key: Mapping[str, Any] | Keyring, facts: Mapping[str, Any], expected_hash: str | None = None
) -> bytes:
    """Opens sealed bytes.

    :param key: the recipient's key pair; or a keyring, whose first pair among the recipients is used
    :param facts: context of the message or order, from the chain, never from the content itself
    :param expected_hash: hash from the chain
    :raises FormatError: if the content cannot be opened
    """
    return open_sealed(_sealed.read(data, expected_hash), key, facts)


def recipients_of(data: bytes) -> list[str]:
    """Returns the kids of the recipients. Raises FormatError if the bytes are not sealed content."""
    return [str(each["header"]["kid"]) for each in _sealed.read(data)["recipients"]]


def open_sealed(content: Mapping[str, Any], key: Mapping[str, Any] | Keyring, facts: Mapping[str, Any]) -> bytes:
    """Opens an object of :func:`seal_to_recipients` that was checked against its schema."""
    if content["aad"] != base64url(canonical_bytes(dict(facts))):
        raise FormatError("SEALED_CONTEXT_MISMATCH", "/aad")
    imported = [(each["kid"], import_encryption_key(each)) for each in (key if isinstance(key, list) else [key])]
    entries = {each["header"]["kid"]: each for each in reversed(content["recipients"])}
    found = next(((entries[kid], secret) for kid, secret in imported if kid in entries), None)
    if found is None:
        raise FormatError("SEALED_NOT_FOR_KEY", "/recipients")
    entry, secret = found
    try:
        _require_plain_header(content["protected"], entry["header"])
        # joserfc tries a key on every entry, so pass only the matching one.
        alone: Any = {**content, "recipients": [entry]}
        plaintext = jwe.decrypt_json(alone, secret, registry=_REGISTRY).plaintext
    except Exception as error:  # any library error on untrusted input
        raise FormatError("SEALED_UNREADABLE") from error
    if not plaintext:
        raise FormatError("SEALED_UNREADABLE")
    return plaintext


def _require_plain_header(protected: str, header: Mapping[str, Any]) -> None:
    """Requires the one cipher, no compression, no extension and no duplicate parameter."""
    members = json.loads(base64.urlsafe_b64decode(protected + "=" * (-len(protected) % 4)))
    if members.get("enc") != _CIPHER or {"zip", "crit"} & members.keys() or members.keys() & header.keys():
        raise ValueError("the protected header asks for something else")
