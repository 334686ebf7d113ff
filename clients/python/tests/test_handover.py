"""A memory that moves to a runtime of a provider: restored there first, then written only there."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from netsdk import Agent, AgentError, AsyncAgent, NetError
from netsdk.agent import RestoredMemory
from netsdk.agent.agent_events import RestoredEvent, WarningEvent
from tests.at_work import at_work
from tests.child import PROJECT, Child
from tests.node import HANGS, node
from tests.world import World

AT_ACT = ("act.signed", "act.answered", "act.recorded")
LEAVING = [
    "memory.sealed",
    *(f"{point}@commitMemoryCheckpoint" for point in AT_ACT[:2]),
    "handover.noted",
    *(f"{point}@prepareMemoryHandover" for point in AT_ACT),
    "handover.prepared",
]
#: After the second of these it is elsewhere: the last failpoint is for another life.
MOVING = [f"{point}@finalizeMemoryHandover" for point in AT_ACT[:2]]
MOVED = "handover.finalized"
TAKING = ["handover.restored", *(f"{point}@attestMemoryRestore" for point in AT_ACT[:2])]

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


class Stage:
    """Agents of a test by their names, stopped after it."""

    def __init__(self, world: World, home: Path) -> None:
        self.world = world
        self.home = home
        self.options: dict[str, Any] = {"url": world.url, "blobs": world.origins, "log": None}
        self.options["keys"] = str(home / "keys")
        self._agents: list[AsyncAgent] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, name: str, **more: Any) -> AsyncAgent:
        agent = await AsyncAgent.open(name, **self.options | more)
        self._agents.append(agent)
        return agent

    def elsewhere(self, machine: str) -> dict[str, Any]:
        """The key files, carried to another machine."""
        keys = self.home / machine / "keys"
        shutil.copytree(self.home / "keys", keys)
        return {"keys": str(keys)}

    async def provider(self, name: str, **more: Any) -> AsyncAgent:
        """A provider with a runtime of the name and ``-1``."""
        agent = await self.open(name, **more)
        await asyncio.to_thread(self.world.offer_runtime, agent._actor, f"{name}-1")
        return agent

    def run(self, agent: AsyncAgent) -> None:
        self._tasks.append(asyncio.ensure_future(agent.run()))

    async def handovers_of(self, agent_id: str) -> list[Any]:
        found = await asyncio.to_thread(self.world.client.read, "/v1/memory/handovers", agentId=agent_id)
        return list(found["handovers"])

    async def end(self) -> None:
        for agent in self._agents:
            await agent.stop()
        await asyncio.gather(*self._tasks)


@asynccontextmanager
async def staged(world: World, home: Path) -> AsyncIterator[Stage]:
    stage = Stage(world, home)
    try:
        yield stage
    finally:
        await stage.end()


async def code_of(work: Callable[[], Any] | Awaitable[Any]) -> str:
    with pytest.raises((AgentError, NetError)) as caught:
        await work if isinstance(work, Awaitable) else work()
    return str(getattr(caught.value, "code", ""))


async def test_a_memory_goes_to_a_provider_and_goes_on_there_alone(world: World, tmp_path: Path) -> None:
    async with staged(world, tmp_path) as stage:
        haven = await stage.provider("haven")
        taken: list[RestoredMemory] = []
        told: list[RestoredEvent] = []
        haven.on_handover(taken.append)
        haven.on("restored")(told.append)
        stage.run(haven)
        anna = await stage.open("anna")
        anna.memory.set("seen", 7)
        await anna.memory.commit()
        # A copy on another machine, which sleeps through all of it.
        copy = await stage.open("anna", **stage.elsewhere("sleeper"))
        assert copy.memory.get("seen") == 7

        moved = await anna.memory.hand_over(provider_id="haven", runtime_id="haven-1")
        assert (moved.provider_id, moved.runtime_id, moved.generation) == ("haven", "haven-1", 2)
        assert [(each.agent_id, each.runtime_id, each.entries) for each in taken] == [("anna", "haven-1", {"seen": 7})]
        assert b'"seen":7' in taken[0].data
        while not told:
            await asyncio.sleep(0.02)
        assert told == [{"handover_id": moved.handover_id, "agent_id": "anna", "runtime_id": "haven-1"}]
        assert [each["status"] for each in await stage.handovers_of(anna.agent_id)] == ["FINALIZED"]

        assert await code_of(lambda: anna.memory.set("seen", 8)) == "MEMORY_ELSEWHERE"
        assert await code_of(lambda: anna.memory.delete("seen")) == "MEMORY_ELSEWHERE"
        assert anna.memory.get("seen") == 7
        again = anna.memory.hand_over(provider_id="haven", runtime_id="haven-1")
        assert await code_of(again) == "MEMORY_ELSEWHERE"
        await anna.stop()
        assert await code_of(stage.open("anna")) == "MEMORY_ELSEWHERE"
        # The copy finds out before it writes anything.
        copy.memory.set("seen", "by the copy")
        assert await code_of(copy.memory.commit()) == "MEMORY_ELSEWHERE"

        there = await stage.open("anna", **stage.elsewhere("pier"), runtime="haven-1")
        there.memory.set("seen", 9)
        await there.memory.commit()
        assert there.memory.generation == 3
        # Under a session, too.
        file = await there.grant_session(actions=["commitMemoryCheckpoint"], budget=0)
        await there.stop()
        assert await code_of(AsyncAgent.open_session(file, **stage.options)) == "MEMORY_ELSEWHERE"
        session = await AsyncAgent.open_session(file, **stage.options, runtime="haven-1")
        assert session.memory.get("seen") == 9
        await session.stop()
        # Its owner takes it back by saying so.
        back = await stage.open("anna", runtime="haven-1")
        assert back.memory.get("seen") == 9


@pytest.mark.campaign
async def test_what_the_target_cannot_restore_stays_where_it_is(world: World, tmp_path: Path) -> None:
    async with staged(world, tmp_path) as stage:
        full = await stage.provider("full")
        asked: list[RestoredMemory] = []

        @full.on_handover
        async def refuse(memory: RestoredMemory) -> None:
            asked.append(memory)
            raise ValueError("no room")

        stage.run(full)
        agent = await stage.open("barry")
        agent.memory.set("stays", 1)
        moving = asyncio.ensure_future(agent.memory.hand_over(provider_id="full", runtime_id="full-1"))
        while not asked:
            await asyncio.sleep(0.02)
        await agent.memory.keep()
        assert await code_of(moving) == "HANDOVER_ABORTED"
        short = agent.memory.hand_over(provider_id="full", runtime_id="full-1", timeout=0.1)
        assert await code_of(short) == "HANDOVER_TIMEOUT"
        ended = [(each["status"], each["abortCause"]) for each in await stage.handovers_of("barry")]
        assert ended == [("ABORTED", "AGENT")] * 2
        agent.memory.set("stays", 2)
        await agent.memory.commit()


@pytest.mark.campaign
async def test_a_runtime_that_nobody_offers_moves_nothing(world: World, tmp_path: Path) -> None:
    async with staged(world, tmp_path) as stage:
        agent = await stage.open("evelyn")

        async def refusal(provider_id: str, runtime_id: str) -> str:
            return await code_of(agent.memory.hand_over(provider_id=provider_id, runtime_id=runtime_id))

        assert await refusal("nobody", "pier-1") == "RECIPIENT_HAS_NO_KEY"
        await stage.open("no-provider")
        assert await refusal("no-provider", "pier-1") == "RUNTIME_PROVIDER_INACTIVE"
        await stage.provider("other")
        assert await refusal("other", "pier-1") == "RUNTIME_OFFER_UNAVAILABLE"
        assert await stage.handovers_of(agent.agent_id) == []
        agent.memory.set("still", "mine")
        await agent.memory.commit()


@pytest.mark.campaign
async def test_one_that_was_cut_off_is_gone_on_with_or_given_up(world: World, tmp_path: Path) -> None:
    async with staged(world, tmp_path) as stage:
        await stage.provider("asleep")
        agent = await stage.open("cut")
        moving = asyncio.ensure_future(agent.memory.hand_over(provider_id="asleep", runtime_id="asleep-1"))
        while not await stage.handovers_of(agent.agent_id):
            await asyncio.sleep(0.02)
        assert await code_of(lambda: agent.memory.set("a", 1)) == "MEMORY_MOVING"
        await agent.stop()
        assert await code_of(moving) == "AGENT_STOPPED"

        agent = await stage.open("cut")
        assert await code_of(lambda: agent.memory.set("a", 1)) == "MEMORY_MOVING"
        other = agent.memory.hand_over(provider_id="asleep", runtime_id="asleep-2")
        assert await code_of(other) == "HANDOVER_OPEN"
        await agent.memory.keep()
        agent.memory.set("a", 1)
        await agent.memory.commit()
        assert [each["status"] for each in await stage.handovers_of(agent.agent_id)] == ["ABORTED"]
        state = tmp_path / "agents" / agent.chain_id / "cut"
        await agent.stop()
        assert {path.name for path in state.iterdir()} == {"memory.json", "agent.lock", "genesis.json"}
        (state / "handover.json").write_text('{"schema":"NET-AGENT-HANDOVER/2"}')
        assert await code_of(stage.open("cut")) == "STATE_INVALID"


@pytest.mark.parametrize("begun_by", ["javascript", "python"])
async def test_a_handover_that_one_sdk_began_is_finished_by_the_other(
    world: World, tmp_path: Path, begun_by: str
) -> None:
    async with staged(world, tmp_path) as stage:
        name, pier = f"moved-by-{begun_by}", f"pier-of-{begun_by}"
        provider = await stage.provider(pier)
        provider.on_handover(lambda memory: None)
        plain = json.dumps({key: value for key, value in stage.options.items() if key != "log"})

        def javascript(step: str) -> str:
            script = [node(), str(PROJECT / "tests/scripts/handover.mjs"), step, name, pier, f"{pier}-1", plain]
            ended = subprocess.run(script, capture_output=True, text=True, timeout=HANGS, check=False)
            assert ended.returncode == 0, ended.stderr
            return ended.stdout.strip()

        agent = await stage.open(name)
        agent.memory.set("cargo", "tea")
        await agent.memory.commit()
        if begun_by == "javascript":
            await agent.stop()
            assert await asyncio.to_thread(javascript, "begin") == "AgentError"
            agent = await stage.open(name)
            assert await code_of(lambda: agent.memory.set("cargo", "coffee")) == "MEMORY_MOVING"
            stage.run(provider)
            finished = (await agent.memory.hand_over(provider_id=pier, runtime_id=f"{pier}-1")).handover_id
        else:
            moving = asyncio.ensure_future(agent.memory.hand_over(provider_id=pier, runtime_id=f"{pier}-1"))
            while not await stage.handovers_of(agent.agent_id):
                await asyncio.sleep(0.02)
            await agent.stop()
            assert await code_of(moving) == "AGENT_STOPPED"
            stage.run(provider)
            finished = await asyncio.to_thread(javascript, "finish")
        (handover,) = await stage.handovers_of(name)
        assert (handover["handoverId"], handover["status"]) == (finished, "FINALIZED")
        assert len(world.events("MemoryHandoverPrepared", name)) == 1


@pytest.mark.campaign
async def test_another_machine_that_goes_on_meanwhile_ends_the_handover(world: World, tmp_path: Path) -> None:
    async with staged(world, tmp_path) as stage:
        slow = await stage.provider("slow")
        twin = await stage.open("twin")
        twin.memory.set("who", "one")
        await twin.memory.commit()
        moving = asyncio.ensure_future(twin.memory.hand_over(provider_id="slow", runtime_id="slow-1"))
        while not await stage.handovers_of(twin.agent_id):
            await asyncio.sleep(0.02)
        # From the checkpoint of the handover, as another machine that does not know of it.
        other = await stage.open("twin", **stage.elsewhere("twin-2"))
        other.memory.set("who", "two")
        await other.memory.commit()
        slow.on_handover(lambda memory: None)
        stage.run(slow)
        assert await code_of(moving) == "MEMORY_HANDOVER_STALE"
        (handover,) = await stage.handovers_of(twin.agent_id)
        assert handover["status"] == "ABORTED"


@pytest.mark.campaign
async def test_a_memory_that_is_not_sealed_to_the_provider_is_refused_and_said(world: World, tmp_path: Path) -> None:
    async with staged(world, tmp_path) as stage:
        strict = await stage.provider("strict")
        taken: list[RestoredMemory] = []
        warned: list[WarningEvent] = []
        strict.on_handover(taken.append)
        strict.on("warning")(warned.append)
        stage.run(strict)
        agent = await stage.open("odd")
        agent.memory.set("private", True)
        await agent.memory.commit()
        found = await agent.client.read("/v1/memory/checkpoints", agentId="odd")
        payload: Any = {
            "handoverId": "by-hand",
            "checkpointHash": found["checkpoints"][0]["checkpointHash"],
            "targetProviderId": "strict",
            "targetRuntimeId": "strict-1",
        }
        await agent.act("prepareMemoryHandover", payload)
        while not warned:
            await asyncio.sleep(0.02)
        assert warned[0]["code"] == "SEALED_NOT_FOR_KEY"
        assert taken == []


def test_the_end_of_a_blocking_agent_ends_its_handover(world: World, tmp_path: Path) -> None:
    options: dict[str, Any] = {"url": world.url, "blobs": world.origins, "keys": str(tmp_path / "keys"), "log": None}
    provider = Agent.open("idle", **options)
    world.offer_runtime(provider._agent._actor, "idle-1")
    agent = Agent.open("patient", **options)
    ended: list[str] = []

    def move() -> None:
        try:
            agent.memory.hand_over(provider_id="idle", runtime_id="idle-1")
        except AgentError as error:
            ended.append(error.code)

    moving = Thread(target=move, daemon=True)
    moving.start()
    while not provider.client.read("/v1/memory/handovers", agentId="patient")["handovers"]:
        moving.join(0.02)
    agent.stop()
    moving.join(30)
    assert ended == ["AGENT_STOPPED"]
    again = Agent.open("patient", **options)
    again.memory.keep()
    again.memory.set("mine", True)
    again.stop()
    provider.stop()


@pytest.mark.campaign
def test_killed_at_each_step_of_a_handover_it_happens_once(world: World, tmp_path: Path) -> None:
    options: dict[str, Any] = {"url": world.url, "keys": str(tmp_path / "keys"), "blobs": world.origins}
    dock = Agent.open("dock", **options, log=None)
    world.offer_runtime(dock._agent._actor, "pier-1")
    dock.stop()
    mover = Agent.open("mover", **options, log=None)
    mover.memory.set("cargo", "tea")
    mover.stop()
    leaving, taking = (Child(name, options, tmp_path / f"{name}.trace") for name in ("mover", "dock"))
    for failpoint in LEAVING:
        leaving.die_at(failpoint, last="dock/pier-1")
    for failpoint in TAKING:
        taking.die_at(failpoint)
    # The memory cannot change until the handover has a known result.
    between = Agent.open("mover", **options, log=None)
    with pytest.raises(AgentError) as caught:
        between.memory.set("cargo", "coffee")
    assert caught.value.code == "MEMORY_MOVING"
    between.stop()
    for failpoint in MOVING:
        leaving.die_at(failpoint, last="dock/pier-1")
    # Asked once a life, attested once.
    assert taking.lines("took") == ["took mover {'cargo': 'tea'}"] * len(TAKING)

    dock = Agent.open("dock", **options, log=None)
    dock.on_handover(lambda memory: None)
    with at_work(dock):
        Child("other-mover", options, tmp_path / "other.trace").die_at(MOVED, last="dock/pier-1")
    for name in ("mover", "other-mover"):
        with pytest.raises(AgentError) as caught:
            Agent.open(name, **options, log=None)
        assert caught.value.code == "MEMORY_ELSEWHERE"
        for kind in ("MemoryHandoverPrepared", "MemoryRestoreAttested", "MemoryHandoverFinalized"):
            assert len([each for each in world.events(kind, name) if each["agentId"] == name]) == 1, kind
    # Its own checkpoint, and the one for the provider.
    assert len(world.events("MemoryCheckpointCommitted", "mover")) == 2
    there = Agent.open("mover", **options, log=None, runtime="pier-1")
    assert there.memory.get("cargo") == "tea"
    there.memory.set("cargo", "silk")
    there.stop()
