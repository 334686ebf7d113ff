"""Every public name of the JavaScript SDK has its own here, or a reason why it has none; and both clients and both
agents offer the same.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import Any

import pytest

import netsdk
from netsdk.agent import Agent, AsyncAgent, AsyncHired, Hired, Memory
from netsdk.agent.blocking import BlockingMemory
from tests.node import run_script
from tests.surface import SURFACE

HALVES = [
    ("NetClient", "AsyncNetClient"),
    ("BlobClient", "AsyncBlobClient"),
    ("VerifiedReader", "AsyncVerifiedReader"),
    ("VerifiedOrigins", "AsyncVerifiedOrigins"),
    ("Agent", "AsyncAgent"),
    ("Hired", "AsyncHired"),
    ("Job", "AsyncJob"),
]


def snake(name: str) -> str:
    """The last part of a name as Python writes it; those of types stay."""
    *owner, last = name.split(".")
    is_type = last[0].isupper()
    return ".".join([*owner, last if is_type else re.sub(r"([A-Z])", lambda letter: f"_{letter[0].lower()}", last)])


def find(path: str) -> Any:
    """Returns the module, the module's member, or the class member at a path below ``netsdk``."""
    found: Any = netsdk
    for step, part in enumerate(path.split(".")):
        if inspect.ismodule(found):
            try:
                found = getattr(found, part)
            except AttributeError:
                found = import_module(".".join(["netsdk", *path.split(".")[: step + 1]]))
        elif isinstance(found, type) and not hasattr(found, part):
            # The constructor of a class may assign the attribute.
            if not any(
                f"self.{part} = " in inspect.getsource(kind)
                for kind in found.__mro__[:-1]
                if kind.__module__.startswith("netsdk")
            ):
                raise AttributeError(path)
        else:
            found = getattr(found, part)
    return found


def test_dir_shows_every_public_name() -> None:
    assert set(netsdk.__all__) <= set(dir(netsdk))


def test_every_name_of_the_javascript_sdk_has_one_here() -> None:
    names = run_script("surface.mjs", None)
    assert {"NetClient.act", "VerifiedReader.readState", "Agent.onWork"} <= set(names)
    missing = []
    for name in names:
        place = SURFACE.get(name, snake(name))
        try:
            if not place.startswith("- "):
                find(place)
        except (AttributeError, ModuleNotFoundError):
            missing.append(f"{name} ({place})")
    assert missing == []


def test_a_name_that_nobody_has_is_missed() -> None:
    for name in ("NetClient.fly", "nothing.at_all", "AgentKey.handle"):
        with pytest.raises((AttributeError, ModuleNotFoundError)):
            find(name)


@pytest.mark.parametrize(
    ("blocking", "asynchronous"), [(Agent, AsyncAgent), (Hired, AsyncHired), (BlockingMemory, Memory)]
)
def test_help_on_a_blocking_method_says_what_the_method_does(blocking: type, asynchronous: type) -> None:
    names = [name for name in vars(blocking) if not name.startswith("_")]
    # Ctrl-C ends a blocking run in its own way.
    other = [
        name
        for name in names
        if name != "run" and inspect.getdoc(getattr(blocking, name)) != inspect.getdoc(getattr(asynchronous, name))
    ]
    assert len(names) > 3
    assert other == []


@pytest.mark.parametrize(("blocking", "asynchronous"), HALVES)
def test_both_halves_offer_the_same(blocking: str, asynchronous: str) -> None:
    def offered(name: str) -> dict[str, list[str]]:
        members = inspect.getmembers(getattr(netsdk, name))
        own = [(member, value) for member, value in members if not member.startswith("_")]
        return {member: [*inspect.signature(value).parameters] if callable(value) else [] for member, value in own}

    assert offered(blocking) == offered(asynchronous)
