"""Errors: one base class, a text that contains the code, and all of it kept between processes."""

import asyncio
import importlib
import inspect
import json
import pickle
import pkgutil
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import MISSING, fields
from multiprocessing import get_context
from typing import Any

import pytest

import netsdk
from netsdk import AsyncAgent, NetsdkError
from netsdk.agent.emitter import Emitter
from netsdk.agent.errors import AgentError, code_of, described
from netsdk.agent.hired import AsyncHired, _disputed, _unpaid
from netsdk.agent.lifecycle import Lifecycle
from netsdk.agent.memory import Memory
from netsdk.agent.parts import Parts
from netsdk.agent.telemetry import Instruments
from netsdk.agent.work_offer import WorkOffer
from netsdk.errors import (
    AmountError,
    EnvironmentVariableError,
    HomeError,
    KeyFileError,
    KeyMaterialError,
    LostAnswerError,
    NetError,
    StaleStateError,
    VerificationError,
)
from netsdk.events import Cursor
from netsdk.flow import LateError
from netsdk.formats import FormatError
from netsdk.tables import AGENT_ERRORS
from netsdk.testing.lab_process import NetworkStartError
from netsdk.testing.model import ModelQuestionError
from netsdk.tools import AgentToolsError
from tests.node import ROOT

REFUSED = NetError(400, {"code": "INSUFFICIENT_BALANCE", "title": "No", "detail": "Pay.", "errors": [{"path": "/a"}]})
ERRORS: list[NetsdkError] = [
    AgentError("ORDER_UNPAID", "o", {"orderId": "o"}),
    AgentToolsError("there is no such tool", ["agent_pay"], "TOOL_UNKNOWN"),
    AmountError("/amount", "1,5"),
    EnvironmentVariableError("ALL_PROXY", "it is none"),
    FormatError("DOCUMENT_INVALID", "/a", "b"),
    HomeError("it is a file"),
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


def _classes(base: type[NetsdkError]) -> Iterator[type[NetsdkError]]:
    for each in base.__subclasses__():
        yield each
        yield from _classes(each)


def test_every_class_of_the_package_is_tried_here_and_its_code_has_a_page() -> None:
    for module in pkgutil.walk_packages(netsdk.__path__, "netsdk."):
        importlib.import_module(module.name)
    found = {each for each in _classes(NetsdkError) if each.__module__.startswith("netsdk.")}
    assert found == {type(error) for error in ERRORS}
    tables = [json.loads((ROOT / f"contract/{name}.json").read_text()) for name in ("errors", "formats", "sdk-errors")]
    pages = {code for table in tables for code in table["errors"]}
    assert {error.code for error in ERRORS if not error.code.startswith("HTTP_")} | AGENT_ERRORS.keys() <= pages


def _fail_with(index: int) -> None:
    raise ERRORS[index]


def test_an_error_of_a_worker_process_arrives_whole() -> None:
    index = next(i for i, error in enumerate(ERRORS) if isinstance(error, LostAnswerError))
    # Spawned, not forked: other tests have threads.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool, pytest.raises(LostAnswerError) as caught:
        pool.submit(_fail_with, index).result()
    assert vars(caught.value) == vars(ERRORS[index])


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


def _parts() -> Parts:
    names = [each.name for each in fields(Parts) if each.default is MISSING and each.default_factory is MISSING]
    nothing: Any = dict.fromkeys(names)
    return Parts(**nothing | {"telemetry": Instruments(None)})


async def _for_ever() -> None:
    await asyncio.Event().wait()


def test_a_log_names_the_class_and_the_line_of_a_foreign_error(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    emitter = Emitter(lines.append)
    missing: dict[str, int] = {}
    monkeypatch.delenv("NET_DEBUG", raising=False)
    try:
        json.loads(str(missing["rain"]))
    except KeyError as caught:
        error = caught
    emitter.emit("failed", error=error)
    emitter.warn(error, "a-1")
    place = f"KeyError: 'rain' ({__file__}:{error.__traceback__.tb_lineno})" if error.__traceback__ else ""
    assert lines == [f"failed  error: {place}", f"warning  code: UNEXPECTED, message: a-1: {place}"]
    assert described(REFUSED) == str(REFUSED)
    monkeypatch.setenv("NET_DEBUG", "1")
    assert described(error).startswith("Traceback")


@pytest.mark.anyio
async def test_calls_during_stop_end_with_agent_stopped_and_cancelled_ones_with_their_cancellation() -> None:
    parts = _parts()
    during, handler = (asyncio.ensure_future(parts.live(_for_ever)) for _ in range(2))
    await asyncio.sleep(0)
    parts.end = AgentError("AGENT_STOPPED", "ada")
    # A handler that waits for a call is cancelled with its worker. This must not count as a failure of the handler.
    handler.cancel()
    await asyncio.wait([handler])
    assert handler.cancelled()
    for call in parts.calls:
        call.cancel()
    with pytest.raises(AgentError) as caught:
        await during
    assert caught.value.code == "AGENT_STOPPED"


#: Arguments that are no text, by name.
SOUND: dict[str, Any] = {
    "acceptance": [],
    "actions": [],
    "facts": {},
    "offer": WorkOffer._make([None] * len(WorkOffer._fields)),
    "payload": {},
}


def _calls_of(kind: type[Any]) -> list[str]:
    # `health` answers after `stop`: that the agent has stopped.
    own = {"open", "open_session", "stop", "health", "resume_work", "load", "close"}
    return [
        name for name, _ in inspect.getmembers(kind, inspect.iscoroutinefunction) if name[0] != "_" and name not in own
    ]


CALLS = [(kind, name) for kind in (AsyncAgent, AsyncHired, Memory) for name in _calls_of(kind)]


@pytest.mark.anyio
@pytest.mark.parametrize(("kind", "name"), CALLS, ids=lambda each: getattr(each, "__name__", each))
async def test_calls_after_stop_end_with_agent_stopped(kind: type[Any], name: str) -> None:
    stopped: Any = object.__new__(kind)
    stopped._parts = _parts()
    stopped._parts.end = AgentError("AGENT_STOPPED", "ada")
    stopped.order_id = "o-1"
    stopped._lifecycle = Lifecycle(stopped._parts, None, None, Cursor(None))
    method = getattr(stopped, name)
    needed = [each for each in inspect.signature(method).parameters.values() if each.default is each.empty]
    given = [(each, SOUND.get(each.name, "x")) for each in needed]
    named = {each.name: value for each, value in given if each.kind is each.KEYWORD_ONLY}
    with pytest.raises(AgentError) as caught:
        await method(*[value for each, value in given if each.name not in named], **named)
    assert caught.value.code == "AGENT_STOPPED"
