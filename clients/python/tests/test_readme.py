"""The examples of the README, in their order, against a node of their own: they print what it says they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.node import HANGS, RunningNode

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text("utf-8")


def blocks(language: str) -> str:
    return "".join(re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL))


def test_the_examples_run_and_print_what_stands_below_them(tmp_path: Path) -> None:
    examples = blocks("python")
    running = RunningNode(tmp_path)
    try:
        environment = os.environ | {
            "PYTHONPATH": str(PROJECT / "src"),
            "NET_HOME": str(tmp_path / "home"),
            "NET_URL": running.url,
        }
        ended = subprocess.run(
            [sys.executable, "-c", examples],
            capture_output=True,
            text=True,
            env=environment,
            timeout=HANGS,
            check=False,
        )
    finally:
        running.stop()
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == blocks("text")


@pytest.mark.parametrize("name", re.findall(r"\]\((\.\./[^)#]+)\)", README))
def test_its_links_lead_somewhere(name: str) -> None:
    assert (PROJECT / name).exists()
