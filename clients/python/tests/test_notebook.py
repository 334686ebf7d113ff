"""Representations, tables, and the notebook of this package as a kernel runs it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from netsdk import HireResult, to_frame
from netsdk.agent import AsyncHired
from netsdk.agent.parts import Parts
from netsdk.events import page_of
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
    }
    frame = to_frame([order])
    assert list(frame.columns) == ["orderId", "createdAt.height", "createdAt.index", "until.height", "until.time"]
    assert str(frame["until.time"].dtype).endswith("UTC]")
    told = {"id": "4.0", "height": 4, "transitionIndex": 0, "type": "Transferred", "data": {"from": "ada", "amount": 5}}
    events, _, _ = page_of({"events": [told], "next": "4.0", "more": False}, "0.0")
    assert to_frame(events).iloc[0][["id", "type", "from", "amount"]].to_list() == ["4.0", "Transferred", "ada", 5]
    assert to_frame([]).empty


@pytest.mark.campaign
def test_the_notebook_runs_in_a_kernel_twice(tmp_path: Path) -> None:
    copy = tmp_path / "notebook.ipynb"
    shutil.copy(PROJECT / "notebook.ipynb", copy)
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
