"""Values of programs: JSON carries them exactly, or they are refused with their path."""

import asyncio
from datetime import datetime, timezone
from typing import Any

import pytest

from netsdk.agent.deliverable import bytes_of
from netsdk.agent.errors import AgentError
from netsdk.agent.messages import content_bytes
from netsdk.completion import complete
from netsdk.exact_value import exact_value
from netsdk.formats import FormatError, work_scope
from netsdk.protocol.exact_json import NotJsonError, exact_json


class Point:
    """A class of a program."""


def test_plain_values_stay_as_they_are() -> None:
    value = {"a": [None, True, 0.5, "é", {"b": 2**53}], "c": 6.022e23, "~/": -1.0}
    assert exact_json(value) == value


@pytest.mark.parametrize(
    ("value", "path", "detail"),
    [
        ({"id": 2**60}, "/id", "write it as a string"),
        ({"id": 2.0**60}, "/id", "write it as a string"),
        ({"id": 10**400}, "/id", "write it as a string"),
        ([float("nan")], "/0", "no JSON number"),
        ({"at": [datetime(2026, 1, 1, tzinfo=timezone.utc)]}, "/at/0", "write its isoformat()"),
        ({"a/b": {"~": {1, 2}}}, "/a~1b/~0", "write a sorted list"),
        (Point(), "", "Point: write a dict"),
        ({"e": ValueError("x")}, "/e", "write str(error)"),
        ({"b": b"x"}, "/b", "base64"),
        ({"m": {1: 2}}, "/m", "write keys as strings"),
        ({"\ud83d": 1}, "", "surrogate"),
    ],
)
def test_a_value_that_json_would_change_is_refused_with_its_path(value: Any, path: str, detail: str) -> None:
    with pytest.raises(NotJsonError, match="is") as caught:
        exact_json(value)
    assert caught.value.path == path
    assert detail in caught.value.detail


def test_a_list_that_contains_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(NotJsonError, match="contains itself"):
        exact_json(loop)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (content_bytes, "VALUE_NOT_JSON"),
        (bytes_of, "RESULT_INVALID"),
        (lambda value: exact_value(value, "MEMORY_VALUE_INVALID"), "MEMORY_VALUE_INVALID"),
        (
            lambda value: next(complete(lambda *_: iter(()), "ada", "transfer", value, height=1)),  # type: ignore[arg-type]
            "VALUE_NOT_JSON",
        ),
    ],
)
def test_messages_results_memory_and_payloads_refuse_it(call: Any, code: str) -> None:
    with pytest.raises(AgentError) as caught:
        call({"id": 2**60})
    assert (caught.value.code, caught.value.data) == (code, {"path": "/id"})


@pytest.mark.anyio
async def test_a_forgotten_await_is_named() -> None:
    answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    with pytest.raises(AgentError, match="Future: await it"):
        content_bytes({"answer": answer})
    with pytest.raises(AgentError, match="Future: await it"):
        bytes_of(answer)


def test_a_model_class_as_acceptance_is_refused_with_its_path() -> None:
    scope = {"schema": "NET-WORK-SCOPE/1", "acceptance": [{"kind": "json-schema", "schema": Point}]}
    with pytest.raises(FormatError, match="type: write a dict") as caught:
        work_scope.make(scope)
    assert caught.value.path == "/acceptance/0/schema"
