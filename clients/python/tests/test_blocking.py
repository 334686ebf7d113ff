"""The agent without asyncio: calls of ``run`` and ``stop`` from several threads."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest

from netsdk import Agent, AgentError, AgentKey
from netsdk.agent.blocking import _Home


class Lasting:
    """Runs until it is stopped, as :class:`netsdk.AsyncAgent` does."""

    agent_id, chain_id = "ada", "net-test"

    def __init__(self) -> None:
        actor = SimpleNamespace(actor_id="ada", key=AgentKey.generate(), session_id=None)
        self.client = SimpleNamespace(url="http://127.0.0.1:1", actor=actor)
        self.has_begun, self.is_running = threading.Event(), False
        self.stopping = asyncio.Event()

    async def run(self, *, signals: bool) -> None:
        self.has_begun.set()
        await self.stopping.wait()

    async def stop(self) -> None:
        self.stopping.set()


def test_a_second_run_is_refused_and_leaves_the_first_running() -> None:
    lasting = Lasting()
    agent = Agent(cast(Any, lasting), _Home())
    first = threading.Thread(target=agent.run, daemon=True)
    first.start()
    assert lasting.has_begun.wait(60)
    with pytest.raises(AgentError) as caught:
        agent.run()
    assert caught.value.code == "AGENT_RUNNING"
    assert not agent._loop.is_closed()
    agent.stop()
    first.join(60)
    assert not first.is_alive()
    with pytest.raises(AgentError) as caught:
        agent.run()
    assert caught.value.code == "AGENT_STOPPED"


def test_the_loop_of_an_agent_ends_its_tasks_before_it_closes() -> None:
    ended = threading.Event()

    async def last() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.set()

    home = _Home()

    async def begin() -> asyncio.Task[None]:
        return asyncio.create_task(last())

    begun = asyncio.run_coroutine_threadsafe(begin(), home.loop).result()
    asyncio.run_coroutine_threadsafe(asyncio.sleep(0), home.loop).result()
    home.close()
    assert ended.is_set()
    assert begun.cancelled()
