"""The reference that the documentation is made of, against what Python itself sees."""

from __future__ import annotations

import inspect
import json
import re
from importlib import import_module
from typing import Any

import pytest

from tests.node import run_script

REFERENCE: dict[str, list[dict[str, Any]]] = run_script("reference.mjs", None)


def test_every_public_name_is_in_it() -> None:
    listed = {name for entries in REFERENCE.values() for name in [each["name"] for each in entries]}
    for module in ("netsdk", "netsdk.agent", "netsdk.testing"):
        assert set(import_module(module).__all__) - {"__version__"} <= listed, module
    assert {"AgentTools", "open_tools"} <= {each["name"] for each in REFERENCE["netsdk.tools"]}


@pytest.mark.parametrize("module", REFERENCE)
def test_its_docstrings_and_members_are_those_of_python(module: str) -> None:
    for entry in REFERENCE[module]:
        found = getattr(import_module(module), entry["name"])
        members = {each["name"]: each for each in entry["members"]}
        if entry["kind"] == "class":
            of_class = {name for name, _ in inspect.getmembers(found) if re.match(r"[a-z]", name)}
            inherited = {name for kind in (OSError, tuple, dict) for name in dir(kind)}
            assert of_class - inherited <= set(members), entry["name"]
            for name in of_class & set(members):
                check(getattr(found, name), members[name])
        elif entry["kind"] == "function":
            check(found, entry)


def check(found: Any, entry: dict[str, Any]) -> None:
    if entry["kind"] != "function":
        return
    assert inspect.cleandoc(entry["description"]) == inspect.getdoc(found), entry["name"]
    if callable(found):
        names = [name for name in inspect.signature(found).parameters if name not in ("self", "cls")]
        assert all(re.search(rf"\b{name}\b", entry["signature"]) for name in names), entry


@pytest.mark.parametrize("module", REFERENCE)
def test_every_public_name_has_a_sentence(module: str) -> None:
    bare = [
        f"{entry['name']}.{each['name']}" if each is not entry else entry["name"]
        for entry in REFERENCE[module]
        for each in [entry, *entry["members"]]
        if " " not in each["description"] and (each is entry or each["kind"] == "function")
    ]
    assert bare == []
    assert json.dumps(REFERENCE).count("As :meth:") == 0


def test_the_page_of_a_blocking_method_has_no_word_of_asyncio() -> None:
    hired = next(each for each in REFERENCE["netsdk"] if each["name"] == "Hired")
    result = next(each for each in hired["members"] if each["name"] == "result")
    assert result["signature"] == "def result(*, timeout: float | None = None) -> HireResult[Out]"
