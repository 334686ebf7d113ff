"""NET-ACCEPTANCE/1: the conditions of a scope alone, so that proving a verdict reveals no instructions or inputs."""

from __future__ import annotations

import base64

from ..protocol.canonical_json import JsonObject
from ..protocol.hashes import sha256
from .document import Blob, Format
from .work_scope import work_scope

_format = Format("ProvableAcceptance")

#: Limit in bytes of the acceptance and the result together.
MAX_PROOF_BYTES = 40 * 1024
#: Characters of the longest string in a payload.
_PIECE = 2_048


def provable_acceptance(scope: JsonObject) -> Blob:
    """Returns the only NET-ACCEPTANCE/1 of a scope.

    A worker refuses an order with another ``acceptanceHash``, because its requester could prove other conditions
    unmet.

    :raises FormatError: if the scope breaks a rule
    """
    salt = sha256(b"NET-ACCEPTANCE/1\n" + work_scope.make(scope).data).hex()
    return _format.make({"schema": "NET-ACCEPTANCE/1", "salt": salt, "acceptance": scope["acceptance"]})


def proof_of(scope: JsonObject, result: bytes) -> JsonObject | None:
    """Returns the members of a ``proveVerdict`` without the ``orderId``.

    Without the result, a proof can only show that another sha256 was asked for.

    :returns: None if the acceptance is too long for any proof
    """
    acceptance = provable_acceptance(scope).data
    if len(acceptance) > MAX_PROOF_BYTES:
        return None
    fits = len(acceptance) + len(result) <= MAX_PROOF_BYTES
    return {"acceptance": _pieces(acceptance)} | ({"result": _pieces(result)} if fits else {})


def _pieces(data: bytes) -> list[str]:
    text = base64.b64encode(data).decode()
    return [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
