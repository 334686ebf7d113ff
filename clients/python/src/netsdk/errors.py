"""Error classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .contracts import contract
from .protocol.amount import amount_hint
from .protocol.hashes import hash_value


class NetsdkError(Exception):
    """The base class of this package's errors. Branch on ``code``, and show the message, which contains the code.

    :ivar code: stable; a node explains it at ``/docs/errors/CODE``
    :ivar data: details of the code
    """

    code: str = "UNEXPECTED"

    @property
    def data(self) -> dict[str, Any]:
        """Details of the code. By default, they are the public members of the error."""
        return {name: value for name, value in vars(self).items() if name != "code" and not name.startswith("_")}

    def __str__(self) -> str:
        """Returns the message, with the code at the end of its first line."""
        first, *others = super().__str__().split("\n")
        return "\n".join([f"{first} [{self.code}]", *others])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles all members, without calling the constructor."""
        return _unpickled, (type(self), self.args, vars(self))


def _unpickled(kind: type[NetsdkError], args: tuple[Any, ...], members: Mapping[str, Any]) -> NetsdkError:
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(members)
    return error


class NetError(NetsdkError):
    """A refusal by the node, or no answer at all.

    :ivar status: the HTTP status; 0 if no answer came
    :ivar code: stable; from ``contract/errors.json`` for a refusal, ``HTTP_<status>`` if the answer has no problem
        document, ``UNREACHABLE`` if no answer came, ``NOT_A_NODE`` if the answer is not from a node
    :ivar path: JSON Pointer of the first invalid member, ``""`` if none
    :ivar hint: advice to the caller, ``""`` for unknown codes
    :ivar problem: the problem document (RFC 9457), or None
    :ivar request_id: the request id in the node's log, or None
    :ivar retry_after: seconds to wait before a retry, at most a day, or None
    """

    def __init__(
        self,
        status: int,
        problem: Mapping[str, Any] | None,
        *,
        retry_after: float | None = None,
        request_id: str | None = None,
        detail: str | None = None,
        code: str | None = None,
    ) -> None:
        self.status = status
        self.problem = dict(problem) if problem is not None else None
        self.retry_after = retry_after
        self.request_id = str((problem or {}).get("requestId") or "") or request_id
        self.code = code or str((problem or {}).get("code") or ("UNREACHABLE" if status == 0 else f"HTTP_{status}"))
        places: list[Any] = (problem or {}).get("errors") or []
        self.path = str(places[0].get("path", "")) if places else ""
        entry = contract("errors")["errors"].get(self.code)
        self.hint = str(entry["advice"]) if entry else ""
        if problem is None:
            message = detail or f"the node answered with status {status}"
        else:
            message = f"{problem.get('title')}. {problem.get('detail')}"
            for place in places:
                said = str(place.get("message"))
                if said != problem.get("title") and not str(problem.get("detail")).startswith(said):
                    message += f"\n  {place.get('path')} {said}"
        super().__init__(message)

    @property
    def receipt(self) -> dict[str, Any] | None:
        """The receipt in the problem document, or None."""
        receipt = (self.problem or {}).get("receipt")
        return receipt if isinstance(receipt, dict) else None

    @property
    def is_refusal(self) -> bool:
        """True if the node itself refused. After any other error, the action may still happen."""
        return self.problem is not None and self.status < 500

    @property
    def is_busy(self) -> bool:
        """True if the node is busy. Nothing was done; retry later."""
        return self.problem is not None and self.status in (429, 503)


class LostAnswerError(NetError):
    """No attempt was answered, so the action is not confirmed yet. It may still happen.

    Check ``GET /v1/transitions/{transitionHash}``, or retry safely with ``client.send(path, envelope)``.

    :ivar envelope: the signed envelope
    :ivar transition_hash: its hash
    """

    def __init__(self, path: str, envelope: Mapping[str, Any], last: Exception) -> None:
        retrying = "Retrying is safe: it can only happen once"
        super().__init__(0, None, detail=f"not confirmed yet, because no answer came: {last}. {retrying}")
        self.code = "ANSWER_LOST"
        self.path = path
        self.envelope = dict(envelope)
        self.transition_hash = hash_value(self.envelope)


class EnvironmentVariableError(NetError):
    """An environment variable for connections is invalid. Nothing was sent.

    :ivar code: ENVIRONMENT_INVALID
    :ivar variable: its name
    """

    def __init__(self, variable: str, reason: str) -> None:
        super().__init__(0, None, detail=f"{variable} cannot be used: {reason}. Correct it, or unset it")
        self.code = "ENVIRONMENT_INVALID"
        self.variable = variable


class VerificationError(NetsdkError):
    """A proof in the answer fails. Do not use any part of the answer."""

    code = "VERIFICATION_FAILED"


class StaleStateError(VerificationError):
    """The proven state is older than allowed. The node lags, or hides newer blocks.

    :ivar height: the proven height
    """

    code = "STATE_STALE"

    def __init__(self, message: str, height: int) -> None:
        super().__init__(message)
        self.height = height


class KeyFileError(NetsdkError):
    """A key file cannot be used. The message never contains a part of the file."""

    code = "KEY_FILE_INVALID"


class HomeError(NetsdkError, OSError):
    """The directory of the keys, or of the agent's state, cannot be used. The message names it and the reason."""

    code = "HOME_UNUSABLE"


class AmountError(NetsdkError, ValueError):
    """A value is not an amount. Nothing was signed.

    :ivar code: AMOUNT_INVALID
    :ivar path: JSON Pointer within the payload
    :ivar given: the invalid value
    """

    code = "AMOUNT_INVALID"

    def __init__(self, path: str, given: str) -> None:
        super().__init__(f"{path} is not an amount: {given!r}. {amount_hint(None)}")
        self.path = path
        self.given = given


class KeyMaterialError(NetsdkError, ValueError):
    """An envelope contains a secret, and was not sent.

    :ivar path: JSON Pointer of the member
    """

    code = "KEY_MATERIAL_REFUSED"

    def __init__(self, path: str) -> None:
        super().__init__(f"{path or 'the envelope'} is a private key or is named like a secret; nothing was sent")
        self.path = path
