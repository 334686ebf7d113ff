"""What can go wrong, in one family: branch on ``code``, show the message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .contracts import contract
from .protocol.amount import amount_hint
from .protocol.hashes import hash_value


class NetsdkError(Exception):
    """The base of every error of this package: branch on ``code``, show the message, which contains the code.

    Pickles with all of its members, as between processes.

    :ivar code: stable; ``/docs/errors/CODE`` of a node says what it means and what to do
    :ivar data: what belongs to the code
    """

    code: str = "UNEXPECTED"

    @property
    def data(self) -> dict[str, Any]:
        """What belongs to the code; its members are those of the error where it has none of its own."""
        return {name: value for name, value in vars(self).items() if name != "code" and not name.startswith("_")}

    def __str__(self) -> str:
        """The message with its code, at the end of the first line: what follows there are the parts at fault."""
        first, *others = super().__str__().split("\n")
        return "\n".join([f"{first} [{self.code}]", *others])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles with all of its members, whatever its class is made of."""
        return _unpickled, (type(self), self.args, vars(self))


def _unpickled(kind: type[NetsdkError], args: tuple[Any, ...], members: Mapping[str, Any]) -> NetsdkError:
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(members)
    return error


class NetError(NetsdkError):
    """A refusal by the node, or no answer at all.

    :ivar status: the HTTP status; 0 where no answer came
    :ivar code: stable; of ``contract/errors.json`` for a refusal, ``HTTP_<status>`` where something between us and the
        node answered in its own words, ``UNREACHABLE`` where no answer came, ``NOT_A_NODE`` where something else than a
        node answers
    :ivar path: JSON Pointer of the first member at fault, ``""`` where the refusal names none
    :ivar hint: what the caller can do now, ``""`` where the code is not known here
    :ivar problem: the whole problem document (RFC 9457), None where there is none
    :ivar request_id: what the log of the node calls the request, None where nothing says
    :ivar retry_after: seconds to wait before the same bytes are sent again, None where the node says nothing of it
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
        """The receipt of this very envelope, where the chain holds it already."""
        receipt = (self.problem or {}).get("receipt")
        return receipt if isinstance(receipt, dict) else None

    @property
    def is_refusal(self) -> bool:
        """Whether the node itself has refused: anything else says nothing of what it has done."""
        return self.problem is not None and self.status < 500

    @property
    def is_busy(self) -> bool:
        """Whether the node asks for the same bytes again later: nothing was done."""
        return self.problem is not None and self.status in (429, 503)


class LostAnswerError(NetError):
    """No answer came, however often the envelope was sent: what it asks may have happened, or may still.

    ``GET /v1/transitions/{transitionHash}`` tells, and ``client.send(path, envelope)`` asks again, safely.

    :ivar envelope: as it was signed
    :ivar transition_hash: its name on the chain
    """

    def __init__(self, path: str, envelope: Mapping[str, Any], last: NetError) -> None:
        super().__init__(0, None, detail=f"no answer came, so it may have happened or not: {last}")
        self.code = "ANSWER_LOST"
        self.path = path
        self.envelope = dict(envelope)
        self.transition_hash = hash_value(self.envelope)


class EnvironmentVariableError(NetError):
    """A variable of the environment that a connection needs cannot be used; nothing was sent.

    :ivar code: ENVIRONMENT_INVALID
    :ivar variable: its name
    """

    def __init__(self, variable: str, reason: str) -> None:
        super().__init__(0, None, detail=f"{variable} cannot be used: {reason}. Correct it, or unset it")
        self.code = "ENVIRONMENT_INVALID"
        self.variable = variable


class VerificationError(NetsdkError):
    """What the node answered does not follow from what was certified. Do not use any of it."""

    code = "VERIFICATION_FAILED"


class StaleStateError(VerificationError):
    """What was proven is true, and older than it may be: of a follower that is behind, or that hides what came after.

    :ivar height: that was proven
    """

    code = "STATE_STALE"

    def __init__(self, message: str, height: int) -> None:
        super().__init__(message)
        self.height = height


class KeyFileError(NetsdkError):
    """A key file that cannot be used, said in a sentence for its owner; never holds a part of the file."""

    code = "KEY_FILE_INVALID"


class HomeError(NetsdkError, OSError):
    """The directory of the keys, or of the agent's state, cannot be used: the text names it and the reason."""

    code = "HOME_UNUSABLE"


class AmountError(NetsdkError, ValueError):
    """A word in the place of an amount that is none; nothing was signed.

    :ivar code: AMOUNT_INVALID
    :ivar path: JSON Pointer of the member, from the payload down
    :ivar given: what stands there
    """

    code = "AMOUNT_INVALID"

    def __init__(self, path: str, given: str) -> None:
        super().__init__(f"{path} is not an amount: {given!r}. {amount_hint(None)}")
        self.path = path
        self.given = given


class KeyMaterialError(NetsdkError, ValueError):
    """An envelope would have published a secret; it was not sent.

    :ivar path: JSON Pointer of the member
    """

    code = "KEY_MATERIAL_REFUSED"

    def __init__(self, path: str) -> None:
        super().__init__(f"{path or 'the envelope'} is a private key or is named like a secret; nothing was sent")
        self.path = path
