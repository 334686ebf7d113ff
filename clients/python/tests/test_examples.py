"""The examples of EXAMPLES.md run and print what it says; and every public name has one, there or in the README."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

import pytest

import netsdk
from netsdk.agent.blocking import BlockingMemory
from tests.world import World

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[1]
EXAMPLES = (PROJECT / "EXAMPLES.md").read_text("utf-8")
ADDRESSES = [f"http://127.0.0.1:{port}" for port in (8420, 8421, 8422)]

#: What a class has beside its public names: flows are for this package.
INTERNAL = {"run", "api", "driver"}


def blocks(text: str, *languages: str) -> list[str]:
    return re.findall(rf"```(?:{'|'.join(languages)})\n(.*?)```", text, re.DOTALL)


def test_the_examples_run_and_print_what_stands_below_them(world: World, tmp_path: Path) -> None:
    program = "".join(blocks(EXAMPLES, "python"))
    home = tmp_path / "home"
    harbour = netsdk.Agent.open("harbour", url=world.url, blobs=world.origins, keys=home, log=None)
    harbour.stop()
    key = netsdk.AgentKey.load("harbour", harbour.chain_id, directory=home)
    world.offer_runtime(netsdk.Actor("harbour", key), "harbour-1")
    for stands, runs in zip(ADDRESSES, [world.url, *world.origins], strict=True):
        assert stands in program
        program = program.replace(stands, runs)
    ended = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(PROJECT / "src"), "NET_HOME": str(home)},
        timeout=240,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    lines = zip_longest(ended.stdout.splitlines(), "".join(blocks(EXAMPLES, "text")).splitlines())
    assert [pair for pair in lines if pair[0] != pair[1]] == []


def used() -> str:
    """Returns the code of all examples, without their imports."""
    readme = (PROJECT / "README.md").read_text("utf-8")
    code = "".join(blocks(readme, "py", "python") + blocks(EXAMPLES, "python"))
    return re.sub(r"^ *(?:from \S+ )?import .+$", "", code, flags=re.MULTILINE)


def methods() -> set[str]:
    """Returns the public members of public classes. Asynchronous classes have the same, as test_surface.py checks."""
    public = [getattr(netsdk, name) for name in netsdk.__all__]
    kinds = [kind for kind in public if isinstance(kind, type) and not issubclass(kind, Exception)]
    names = {name for kind in [*kinds, BlockingMemory] for name, _ in inspect.getmembers(kind)}
    inherited = {name for kind in (tuple, object) for name in dir(kind)}
    return {name for name in names - inherited - INTERNAL if not name.startswith("_")}


def test_every_public_name_has_an_example() -> None:
    code = used()
    missing = [name for name in netsdk.__all__ if not re.search(rf"\b{name}\b", code)]
    missing += [f".{name}" for name in sorted(methods()) if not re.search(rf"\.{name}\b", code)]
    assert missing == []
    # Make sure that the check above finds names at all.
    assert {"act", "from_pem", "open_session", "generation", "json", "read_work_audit", "fetch_blob"} <= (
        methods() | set(netsdk.__all__)
    )


@pytest.mark.parametrize("name", re.findall(r"\]\(([^)#:]+)\)", EXAMPLES))
def test_its_links_lead_somewhere(name: str) -> None:
    assert (PROJECT / name).exists()
