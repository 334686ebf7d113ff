"""Representations, tables, and the notebook of this package as a kernel runs it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

from netsdk import Agent, AgentError, AsyncAgent, HireResult, to_frame
from netsdk.agent import AsyncHired
from netsdk.agent.cells import progress_line, steps_of
from netsdk.agent.parts import Parts
from netsdk.events import page_of
from tests.fake_node import Node
from tests.node import HANGS, ROOT, node

PROJECT = Path(__file__).parents[1]


def test_a_representation_escapes_what_others_wrote() -> None:
    hired = AsyncHired(cast(Parts, None), "order-1", {"title": "<script>"}, since=1)
    assert repr(hired) == "<AsyncHired order-1: '<script>'>"
    assert "<td>&lt;script&gt;</td>" in hired._repr_html_()
    result = HireResult("order-1", "bo", "ab" * 32, b"<b>", "<b>", None)
    assert "&lt;b&gt;" in result._repr_html_()
    assert "data=" not in repr(result)


def test_a_frame_has_a_column_per_member_and_real_times() -> None:
    order = {
        "orderId": "o",
        "createdAt": {"height": 3, "index": 0},
        "until": {"height": 9, "time": "2026-01-02T03:04:05.678Z"},
        "times": {"createdAt": "2026-01-01T00:00:00.000Z", "result.submittedAt": "2026-01-01T00:00:01.000Z"},
    }
    frame = to_frame([order])
    positions = ["orderId", "createdAt.height", "createdAt.index", "until.height", "until.time"]
    assert list(frame.columns) == [*positions, "createdAt.time", "result.submittedAt.time"]
    assert all(str(frame[name].dtype).endswith("UTC]") for name in frame.columns if name.endswith(".time"))
    told = {"id": "4.0", "height": 4, "transitionIndex": 0, "type": "Transferred", "data": {"from": "ada", "amount": 5}}
    told["at"] = "2026-01-02T03:04:05.678Z"
    events, _, _ = page_of({"events": [told], "next": "4.0", "more": False}, "0.0")
    assert to_frame(events).iloc[0][["id", "type", "from", "amount"]].to_list() == ["4.0", "Transferred", "ada", 5]
    assert to_frame(events)["time"][0].isoformat() == "2026-01-02T03:04:05.678000+00:00"
    assert to_frame([]).empty


@pytest.fixture
def opening(tmp_path: Path) -> Iterator[dict[str, Any]]:
    with Node.running() as running:
        yield {"url": running.url, "keys": tmp_path / "keys", "log": None, "memory": False}


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """IPython in this process."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    without_history = Config()
    without_history.HistoryManager.enabled = False
    made = InteractiveShell.instance(config=without_history)
    yield made
    InteractiveShell.clear_instance()


def ran(shell: Any, cell: str) -> Any:
    done = shell.run_cell(cell, store_history=False)
    done.raise_error()
    return done.result


def code_of_opening(name: str, options: dict[str, Any]) -> str:
    with pytest.raises(AgentError) as caught:
        Agent.open(name, **options)
    return caught.value.code


@pytest.mark.parametrize("kind", ["Agent", "await AsyncAgent"])
def test_a_cell_that_runs_again_stops_the_agent_that_it_had_opened(
    shell: Any, opening: dict[str, Any], kind: str
) -> None:
    shell.push({"opening": opening, "Agent": Agent, "AsyncAgent": AsyncAgent})
    # The listener and the log are other objects each time.
    cell = f"agent = {kind}.open('ada', **opening | {{'log': lambda line: None}}); agent"
    first = ran(shell, cell)
    second = ran(shell, cell)
    assert first is not second
    stop = f"{'await ' if 'await' in kind else ''}agent.stop()"
    with pytest.raises(AgentError, match=r"with other options; call stop\(\) on that agent, or restart"):
        ran(shell, f"{kind}.open('ada', **opening, capabilities=['other'])")
    # Neither a thread nor a program without cells takes an agent away.
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(code_of_opening, "ada", opening).result() == "AGENT_RUNNING"
    ran(shell, stop)
    ran(shell, cell)
    ran(shell, stop)


def test_a_program_without_cells_keeps_its_agent(opening: dict[str, Any]) -> None:
    with Agent.open("ada", **opening) as agent:
        with pytest.raises(AgentError, match=r"stop\(\) of that agent ends it") as caught:
            Agent.open("ada", **opening)
        assert caught.value.code == "AGENT_RUNNING"
        assert agent.health(timeout=HANGS).status != "stopped"


def test_the_opening_of_an_agent_is_awaited_or_entered(opening: dict[str, Any]) -> None:
    async def open_in_both_ways() -> None:
        async with AsyncAgent.open("ada", **opening) as agent:
            assert isinstance(agent, AsyncAgent)
        with pytest.raises(AgentError) as caught:
            await agent.store(b"late")
        assert caught.value.code == "AGENT_STOPPED"
        # The lock is released, also if the block raises.
        with pytest.raises(ZeroDivisionError):
            async with AsyncAgent.open("ada", **opening):
                raise ZeroDivisionError
        agent = await asyncio.create_task(AsyncAgent.open("ada", **opening))
        await agent.stop()
        with pytest.raises(AgentError) as caught:
            async with AsyncAgent.open("a/b", **opening):
                pytest.fail("the block began")
        assert caught.value.code == "AGENT_ID_INVALID"

    asyncio.run(open_in_both_ways())


VOTES: dict[str, Any] = {"votes": [{}, {}], "committee": [{}, {}, {}]}
STEPS: list[tuple[dict[str, Any] | None, str]] = [
    (None, "created"),
    ({"status": "OPEN", "phase": "OPEN"}, "created"),
    ({"status": "ACCEPTED", "phase": "ACCEPTED", "workerId": "bo"}, "created → accepted by bo"),
    (
        {"phase": "VERIFIED", "workerId": "bo", "result": {"deliverableHash": "ab"}, "verification": VOTES},
        "created → accepted by bo → delivered → voted (2 of 3) → verified",
    ),
    ({"phase": "ENDED", "status": "PAID", "workerId": "bo"}, "created → accepted by bo → paid"),
    ({"phase": "ENDED", "status": "REJECTED", "reason": "CANCELLED"}, "created → ended unpaid (CANCELLED)"),
]


@pytest.mark.parametrize(("order", "line"), STEPS)
def test_the_progress_line_has_the_steps_of_the_order(order: dict[str, Any] | None, line: str) -> None:
    assert " → ".join(steps_of(order)) == line


def test_there_is_no_progress_line_outside_of_notebooks(shell: Any) -> None:
    assert progress_line("order-1", lambda: None) is None


@pytest.mark.campaign
def test_the_notebook_runs_in_a_kernel_twice(tmp_path: Path) -> None:
    copy = tmp_path / "notebook.ipynb"
    notebook = json.loads((PROJECT / "notebook.ipynb").read_text("utf-8"))
    opens = next(each for each in notebook["cells"] if "Agent.open" in "".join(each["source"]))
    notebook["cells"].insert(notebook["cells"].index(opens), opens | {"id": "runs-twice"})
    copy.write_text(json.dumps(notebook), "utf-8")
    netd = tmp_path / "netd"
    netd.write_text(f"#!/bin/sh\nexec '{node()}' '{ROOT / 'packages/cli/bin/netd.mjs'}' \"$@\"\n", "utf-8")
    netd.chmod(0o755)
    home = {"HOME": str(tmp_path), "IPYTHONDIR": str(tmp_path / "ipython"), "JUPYTER_RUNTIME_DIR": str(tmp_path)}
    environment = os.environ | home | {"PYTHONPATH": str(PROJECT / "src"), "NETD": str(netd)}
    execute = [
        sys.executable,
        "-c",
        "from nbclient.cli import main; main()",
        "--inplace",
        "--startup_timeout=600",
        str(copy),
    ]
    for _ in range(2):
        ended = subprocess.run(execute, check=False, capture_output=True, text=True, env=environment, timeout=4 * HANGS)
        assert ended.returncode == 0, ended.stderr
        cells: list[Any] = json.loads(copy.read_text("utf-8"))["cells"]
        shown = [
            "".join(str(each.get("data") or each.get("text")) for each in cell.get("outputs", [])) for cell in cells
        ]
        assert "Agent ada" in shown[2]
        assert "<caption>Memory of ada, generation 0</caption>" in shown[2]
        assert "UTC]" in shown[3]
        assert "toActorId" in shown[3]
        assert "0." in shown[4]
        assert "NET_URL is http" in shown[6]
        assert all("Agent bob" in each for each in shown[7:9])
        assert "AsyncAgent ada" in shown[10]
        assert re.search(r"created → accepted by bob → delivered → voted \(\d of \d\) → verified, \d+ s", shown[12])
        assert "Answer(leaves=" in shown[12]
