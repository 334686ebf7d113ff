"""An agent that works by ticks: each opens it, does what is due within its bounds, and stops it.

Other tests leave open orders on the same devnet. These agents and their orders have a capability of their own.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from netsdk import Agent, AgentError, Job, Message
from netsdk.agent import Ticked
from tests.node import HANGS
from tests.world import World

SKILL = "ticking"


@pytest.fixture
def opened(world: World, tmp_path: Path) -> Callable[[str], Agent]:
    options: dict[str, Any] = {
        "keys": tmp_path / "keys",
        "blobs": world.origins,
        "trusted_origins": world.origins,
        "log": None,
    }

    def opened(agent_id: str) -> Agent:
        return Agent.open(agent_id, url=world.url, capabilities=[SKILL], **options)

    return opened


def worked(agent: Agent, **bounds: Any) -> Ticked:
    agent.on_work(lambda job: f"Made {job.order_id}")
    return agent.tick(**bounds)


def done(ticked: Ticked) -> dict[str, int]:
    """Returns the events of a tick, except for the orders of other tests, which it skips."""
    return {name: count for name, count in ticked.did.items() if name != "skipped"}


def test_ticks_earn_and_leave_nothing_behind(world: World, opened: Callable[[str], Agent]) -> None:
    assert done(worked(opened("ticker"))) == {}
    order_id = world.order(world.scope().data, agentId="ticker", requirements=[SKILL])
    ticked = worked(opened("ticker"))
    assert (ticked.did["accepted"], ticked.did["delivered"], ticked.more) == (1, 1, False)
    assert time.time() < ticked.next_at <= time.time() + 60
    end = time.monotonic() + HANGS
    while "paid" not in worked(opened("ticker")).did:
        assert time.monotonic() < end
    assert world.balance("ticker") == world.order_at(order_id)["funding"]
    assert done(worked(opened("ticker"))) == {}
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("netsdk")]


def test_a_tick_begins_at_most_so_many_handlers(opened: Callable[[str], Agent]) -> None:
    assert not opened("bounded-ticker").tick().more
    with opened("tick-asker") as asker:
        for number in range(3):
            asker.send("bounded-ticker", f"Question {number}")
    heard: list[str | None] = []

    def ticked() -> Ticked:
        agent = opened("bounded-ticker")

        @agent.on_message
        def hear(message: Message) -> None:
            heard.append(message.text)

        return agent.tick(jobs=2)

    assert ticked().more
    assert len(heard) == 2
    assert not ticked().more
    assert sorted(map(str, heard)) == ["Question 0", "Question 1", "Question 2"]


def test_a_handler_is_abandoned_at_the_timeout_and_called_again(world: World, opened: Callable[[str], Agent]) -> None:
    opened("slowly").tick()
    order_id = world.order(world.scope().data, agentId="slowly", requirements=[SKILL])
    begun, goes_on = threading.Event(), threading.Event()

    def hang(job: Job) -> str:
        begun.set()
        goes_on.wait()
        return job.order_id

    # On a busy machine, the timeout may end a tick before its handler begins.
    while not begun.is_set():
        agent = opened("slowly")
        agent.on_work(hang)
        late = agent.tick(timeout=1.5)
    goes_on.set()
    assert late.more
    assert world.order_at(order_id)["status"] == "ACCEPTED"
    assert worked(opened("slowly")).did["delivered"] == 1


def test_a_tick_is_refused_after_the_agent_has_stopped_and_with_a_wrong_bound(opened: Callable[[str], Agent]) -> None:
    agent = opened("stopped")
    wrong: list[dict[str, Any]] = [{"timeout": -1}, {"jobs": 0}]
    for bounds in wrong:
        with pytest.raises(AgentError) as caught:
            agent.tick(**bounds)
        assert caught.value.code == "ARGUMENT_INVALID"
    agent.stop()
    with pytest.raises(AgentError) as caught:
        agent.tick()
    assert caught.value.code == "AGENT_STOPPED"
