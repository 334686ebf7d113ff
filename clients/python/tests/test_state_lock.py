"""The lock of an agent's state."""

from __future__ import annotations

from pathlib import Path

import pytest

from netsdk import AgentError
from netsdk.agent.home import AgentState


def test_a_second_open_in_one_process_is_told_so(tmp_path: Path) -> None:
    state = AgentState(tmp_path / "keys", "chain", "ada")
    with pytest.raises(AgentError, match="this process already runs it") as caught:
        AgentState(tmp_path / "keys", "chain", "ada")
    assert caught.value.code == "AGENT_RUNNING"
    state.close()
    AgentState(tmp_path / "keys", "chain", "ada").close()
