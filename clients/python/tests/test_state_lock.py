"""The lock of an agent's state."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from netsdk import AgentError
from netsdk.agent.home import FileState
from tests.child import PROJECT
from tests.fake_node import Node


def test_a_second_open_in_one_process_is_told_so(tmp_path: Path) -> None:
    state = FileState(tmp_path / "keys", "chain", "ada")
    with pytest.raises(AgentError, match="this process already runs it") as caught:
        FileState(tmp_path / "keys", "chain", "ada")
    assert caught.value.code == "AGENT_RUNNING"
    state.close()
    FileState(tmp_path / "keys", "chain", "ada").close()


ENVIRONMENT = os.environ | {"PYTHONPATH": str(PROJECT / "src")}
REPLICA = """
import sys
from netsdk import Agent
agent = Agent.open(
    "ada", url=sys.argv[1], keys=sys.argv[2], memory=False, standby=True, log=lambda line: print(line, flush=True)
)
print("active", flush=True)
agent.run()
"""


def _until(replica: subprocess.Popen[str], word: str) -> None:
    assert replica.stdout is not None
    assert any(line.startswith(word) for line in replica.stdout)


def test_a_standby_takes_over_a_process_that_is_killed(tmp_path: Path) -> None:
    with Node.running() as node, ExitStack() as stack:

        def start() -> subprocess.Popen[str]:
            command = [sys.executable, "-c", REPLICA, node.url, str(tmp_path / "keys")]
            replica = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT))
            stack.callback(replica.kill)
            return replica

        first = start()
        _until(first, "active")
        second = start()
        _until(second, "waiting")
        first.kill()
        _until(second, "active")
