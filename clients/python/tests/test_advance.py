"""The published cases of an agent's machines; the JavaScript SDK runs the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from netsdk import NetError
from netsdk.agent.advance import advance
from netsdk.agent.errors import AgentError, code_of
from netsdk.formats import FormatError
from netsdk.tables import EVENT_MEMBERS, MACHINES

VECTORS = json.loads((Path(__file__).parents[3] / "vectors/agent-machines.json").read_text("utf-8"))


def _error(code: str, kind: str) -> Exception:
    if kind == "refused":
        return NetError(409, {"code": code, "title": code, "detail": code})
    if kind == "unreadable":
        return FormatError(code)
    return ValueError(code) if code == "UNEXPECTED" else AgentError(code)


def test_the_tables_are_the_published_ones() -> None:
    assert VECTORS["machines"] == MACHINES
    assert VECTORS["events"] == EVENT_MEMBERS


@pytest.mark.anyio
@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: f"{case['machine']}: {case['name']}")
async def test_advance_follows_the_rules(case: dict[str, Any]) -> None:
    left: list[dict[str, Any]] = list(case["steps"])
    facts: dict[str, Any] = {"record": {}}

    class Effects:
        def __getattr__(self, name: str) -> Any:
            def effect(_: object) -> None:
                step = left.pop(0)
                assert name == f"_do_{step.get('do')}"
                facts.update(step["facts"])
                if "throws" in step:
                    raise _error(step["throws"], step["kind"])

            return effect

    def note(record: object, **change: Any) -> None:
        assert {"set": change} == left.pop(0)

    def emit(event: str, told: dict[str, Any]) -> None:
        step = left.pop(0)
        assert event == step.get("emit")
        assert {name: told.get(name) for name in step["facts"]} == step["facts"]

    while left:
        facts |= left.pop(0)["sees"]
        end: dict[str, Any]
        try:
            wait = await advance(MACHINES[case["machine"]], facts, Effects(), emit=emit, note=note)
            end = {"wait": None if wait is None else wait * 1000}
        except AssertionError:
            raise
        except Exception as error:
            end = {"throws": code_of(error)}
        assert end == left.pop(0)
