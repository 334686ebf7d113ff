"""Errors: one base class, a text that contains the code, and all of it kept between processes."""

import asyncio
import pickle
import re
from dataclasses import MISSING, fields
from typing import Any

import pytest

import netsdk
from netsdk import NetsdkError
from netsdk.agent.errors import AgentError, code_of
from netsdk.agent.hired import _disputed, _unpaid
from netsdk.agent.parts import Parts
from netsdk.errors import (
    AmountError,
    KeyFileError,
    KeyMaterialError,
    LostAnswerError,
    NetError,
    StaleStateError,
    VerificationError,
)
from netsdk.flow import LateError
from netsdk.formats import FormatError
from netsdk.testing.lab_process import NetworkStartError
from netsdk.testing.model import ModelQuestionError

REFUSED = NetError(400, {"code": "INSUFFICIENT_BALANCE", "title": "No", "detail": "Pay.", "errors": [{"path": "/a"}]})
ERRORS: list[NetsdkError] = [
    AgentError("ORDER_UNPAID", "o", {"orderId": "o"}),
    AmountError("/amount", "1,5"),
    FormatError("DOCUMENT_INVALID", "/a", "b"),
    KeyFileError("it is damaged"),
    KeyMaterialError("/secret"),
    LateError(0, None, detail="late"),
    LostAnswerError("/v1/intents", {"actorId": "ada"}, REFUSED),
    ModelQuestionError("other"),
    NetError(502, None),
    NetworkStartError("no"),
    REFUSED,
    StaleStateError("old", 7),
    VerificationError("forged"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_the_text_contains_the_code_and_pickling_keeps_all(error: NetsdkError) -> None:
    assert re.fullmatch(r"[A-Z][A-Z0-9_]+", error.code)
    assert f"[{error.code}]" in str(error)
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back), back.code, back.data) == (type(error), str(error), error.code, error.data)
    assert vars(back) == vars(error)


def test_bases_of_before_stay() -> None:
    assert all(issubclass(kind, ValueError) for kind in (AmountError, FormatError, KeyMaterialError))
    assert issubclass(netsdk.NetError, netsdk.NetsdkError)


def test_codes_of_other_libraries_are_not_ours() -> None:
    other: Any = OSError("x")
    other.code = "ENOENT"
    assert code_of(other) == "UNEXPECTED"


ORDER = {"orderId": "o", "funding": 5, "verificationFee": 1, "phase": "ENDED", "reason": "DELIVERY_TIMEOUT"}


@pytest.mark.parametrize(("reason", "refund"), [("DELIVERY_TIMEOUT", 6), ("VERIFICATION_REJECTED", 5)])
def test_an_unpaid_order_says_why_and_what_came_back(reason: str, refund: int) -> None:
    error = _unpaid(ORDER | {"reason": reason})
    assert error.data == {"orderId": "o", "reason": reason, "refund": refund}


def test_a_disputed_order_says_until_when() -> None:
    deadline = {"time": "2026-01-01T00:00:00.000Z", "height": None}
    error = _disputed(ORDER | {"dispute": {"openedBy": "ada"}, "deadline": deadline})
    assert error.code == "ORDER_DISPUTED"
    assert error.data["deadline"] == deadline["time"]
    assert "2026-01-01" in str(error)


@pytest.mark.anyio
async def test_calls_during_and_after_stop_end_with_agent_stopped() -> None:
    names = [each.name for each in fields(Parts) if each.default is MISSING and each.default_factory is MISSING]
    nothing: Any = dict.fromkeys(names)
    parts = Parts(**nothing)
    during = asyncio.ensure_future(parts.live(asyncio.Event().wait()))
    await asyncio.sleep(0)
    parts.end = AgentError("AGENT_STOPPED", "ada")
    for call in parts.calls:
        call.cancel()
    for stopped in (during, parts.live(asyncio.sleep(0))):
        with pytest.raises(AgentError) as caught:
            await stopped
        assert caught.value.code == "AGENT_STOPPED"
