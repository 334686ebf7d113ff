"""Agents in processes of their own, to be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.node import HANGS

PROJECT = Path(__file__).parents[1]


class Child:
    """An agent in a process of its own."""

    def __init__(self, name: str, options: dict[str, Any], trace: Path) -> None:
        plain = json.dumps({key: value for key, value in options.items() if key != "log"})
        self._command = [sys.executable, "-m", "tests.agent_child", name, plain, str(trace)]
        self._trace = trace

    def start(self, failpoint: str = "", remember: str = "", last: str = "") -> int:
        """Runs it to its end. Returns its exit code: minus the signal that killed it."""
        environment = os.environ | {
            "PYTHONPATH": str(PROJECT / "src"),
            "NET_FAILPOINT": failpoint,
            "NET_REMEMBER": remember,
            "NET_LAST": last,
        }
        ended = subprocess.run(
            self._command, env=environment, cwd=PROJECT, capture_output=True, text=True, timeout=HANGS, check=False
        )
        assert ended.returncode in (0, -signal.SIGKILL), ended.stderr
        return ended.returncode

    def lines(self, start: str) -> list[str]:
        return [line for line in self._trace.read_text().splitlines() if line.startswith(start)]

    def die_at(self, failpoint: str, remember: str = "", last: str = "") -> None:
        """Runs the child until it dies at the failpoint."""
        assert self.start(failpoint, remember, last) == -signal.SIGKILL, f"it did not get to {failpoint}"
