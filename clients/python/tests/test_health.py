"""The health of an agent, before a node that falls silent, throttles, refuses its stream or has another clock."""

from __future__ import annotations

import asyncio
import time
from email.utils import formatdate
from pathlib import Path

import pytest

from netsdk import Agent, AsyncAgent
from netsdk.agent.health import AgentHealth
from tests.fake_node import Node


def _codes(health: AgentHealth) -> list[str]:
    return [reason.code for reason in health.reasons]


@pytest.mark.anyio
async def test_an_agent_says_that_it_is_well_and_why_it_is_not(tmp_path: Path) -> None:
    with Node.running() as node:
        agent = await AsyncAgent.open("ada", url=node.url, keys=tmp_path / "keys", log=None, memory=False)
        well = await agent.health()
        assert (well.status, well.online, well.deaf, well.clock_skew, well.reasons) == ("ok", True, False, 0.0, ())

        node.document = {}
        assert _codes(await agent.health()) == ["NODE_AWAY"], "a page that is no node's"
        node.document = None

        node.throttles = True
        throttled = await agent.health()
        assert _codes(throttled) == ["THROTTLED"]
        assert throttled.online
        assert throttled.throttled is not None
        assert throttled.throttled.timestamp() > time.time() + 20
        node.retry_after = "9" * 30
        assert _codes(await agent.health()) == ["THROTTLED"]
        node.throttles = False

        node.date = formatdate(time.time() - 3_600, usegmt=True)
        skewed = await agent.health()
        assert _codes(skewed) == ["CLOCK_SKEWED"]
        assert abs((skewed.clock_skew or 0) - 3_600) < 5
        node.date = None

        node.timestamp = "2020-01-01T00:00:00.000Z"
        assert _codes(await agent.health()) == ["BEHIND"]
        node.timestamp = None

        # The node has no event stream.
        running = asyncio.ensure_future(agent.run(signals=False))
        while not (deaf := await agent.health()).deaf:
            await asyncio.sleep(0.05)
        assert _codes(deaf) == ["DEAF"]

        node.mute = True
        node.speaks.clear()
        away = await agent.health(timeout=0.1)
        assert "NODE_AWAY" in _codes(away)
        assert not away.online
        node.speaks.set()
        await agent.stop()
        await running
        stopped = await agent.health()
        assert (stopped.status, stopped.online) == ("stopped", True)


def test_a_blocking_agent_that_has_stopped_says_so(tmp_path: Path) -> None:
    with Node.running() as node:
        agent = Agent.open("ada", url=node.url, keys=tmp_path / "keys", log=None, memory=False)
        assert agent.health().status == "ok"
        agent.stop()
        for _ in range(2):
            assert _codes(agent.health()) == ["STOPPED"]
