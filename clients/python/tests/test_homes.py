"""Agents in a shared home, on real servers: their processes are paused or killed, and others take over."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from netsdk import Agent, AgentError, AgentKey, AsyncAgent, NetClient
from netsdk.homes import Guard, SharedStore, leased_home
from tests.child import PROJECT
from tests.node import HANGS, RunningNode, run_script
from tests.stores import KINDS, Database, program_of, server
from tests.world import World

pytestmark = pytest.mark.slow

#: Seconds; shorter than in production, and longer than a write takes.
LEASE = 2.0
RENT = 1_000_000
ENVIRONMENT = os.environ | {"PYTHONPATH": f"{PROJECT / 'src'}{os.pathsep}{PROJECT}"}


class Shared:
    """A server with the stores of agents."""

    def __init__(self, kind: str, socket: str) -> None:
        self.kind = kind
        self.socket = socket
        self.database = Database(kind, socket)
        self.store = self.database.store


@pytest.fixture(scope="module", params=KINDS)
def shared(request: pytest.FixtureRequest) -> Iterator[Shared]:
    kind: str = request.param
    if program_of(kind) is None:
        pytest.skip(f"no {kind} here")
    with server(kind) as socket:
        made = Shared(kind, socket)
        yield made
        made.database.close()


HOLDERS: list[Holder] = []


class Holder:
    """A process that pays the rent of an agent."""

    def __init__(self, task: dict[str, Any], failpoint: str = "", *, is_async: bool = False, standby: bool = False):
        options = {**task["options"], "standby": standby}
        argument = json.dumps({**task, "isAsync": is_async, "options": options})
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.home_child", argument],
            stdout=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT | {"NET_FAILPOINT": failpoint},
        )
        HOLDERS.append(self)

    def says(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def end(self) -> int:
        with self.process:
            return self.process.wait(HANGS)


Rents = Callable[[str], tuple[dict[str, Any], Callable[[], int]]]


@pytest.fixture
def tenant(shared: Shared, net: RunningNode, join: Callable[..., NetClient]) -> Iterator[Rents]:
    """Opens an agent with money for five rents. Returns the task of its processes, and a function for its balance."""
    landlord = join("landlord").actor
    assert landlord is not None

    def made(name: str) -> tuple[dict[str, Any], Callable[[], int]]:
        agent_id = f"{name}-{shared.kind}"
        options = {"url": net.url, "memory": False}
        home = leased_home(shared.store(agent_id), lease=LEASE)
        with Agent.open(agent_id, **options, home=home, log=None) as agent:  # type: ignore[arg-type]
            agent.act("faucet", {"amount": 5 * RENT}, id="money")
        task = {"kind": shared.kind, "socket": shared.socket, "agentId": agent_id, "options": options}

        def balance() -> int:
            with NetClient(net.url) as client:
                return int(client.read("/v1/accounts/{accountId}", accountId=agent_id)["balance"])

        return task | {"landlord": landlord.actor_id, "rent": RENT, "lease": LEASE}, balance

    yield made
    # A failed test may leave a process paused.
    for holder in HOLDERS:
        holder.process.kill()
        holder.end()
    HOLDERS.clear()


def pay_instead(task: dict[str, Any], *, is_async: bool = False) -> str:
    """Waits until the lease of the other process has run out, and pays."""
    standby = Holder(task, is_async=is_async, standby=True)
    assert standby.says() == "open"
    paid = standby.says()
    assert standby.end() == 0
    return paid


def test_a_store_compares_and_writes_in_one_step(shared: Shared) -> None:
    store: SharedStore = shared.store("shared")
    guard = Guard("guard", "1")
    assert store.get("guard") is None
    assert not store.write_if(guard, "key", "no guard")
    assert store.add("guard", "1")
    assert not store.add("guard", "2")
    assert not store.write_if(Guard("guard", "2"), "key", "stale")
    assert store.get("key") is None
    assert store.write_if(guard, "key", 'ä"%_')
    assert store.write_if(guard, "key", "'ö")
    assert store.get("key") == "'ö"
    assert sorted(store.keys()) == ["guard", "key"]
    assert not store.write_if(Guard("guard", "2"), "key", None)
    assert store.write_if(guard, "key", None)
    assert store.write_if(guard, "key", None)
    assert list(store.keys()) == ["guard"]

    # If many compare with the same text, one writes.
    texts = [f"taken by {number}" for number in range(12)]
    others = [Database(shared.kind, shared.socket) for _ in texts]
    stores = [each.store("shared") for each in others]
    with ThreadPoolExecutor(len(texts)) as pool:
        won = list(pool.map(lambda each, text: each.write_if(guard, "guard", text), stores, texts))
        added = list(pool.map(lambda each, text: each.add("new", text), stores, texts))
    for each in others:
        each.close()
    assert won.count(True) == 1
    assert store.get("guard") == texts[won.index(True)]
    assert added.count(True) == 1
    assert not store.write_if(guard, "key", "stale")


def code_of(work: Callable[[], object]) -> str:
    with pytest.raises(AgentError) as caught:
        work()
    return caught.value.code


def test_a_process_is_fenced_off_once_another_has_its_lease(shared: Shared) -> None:
    store = shared.store("fence")
    home: Any = leased_home(store, lease=60)
    assert home.write_secret("ada", "first")
    assert not home.write_secret("ada", "second")
    assert home.read_secret("ada") == "first"
    home.replace_secret("ada", "second", "third")
    assert home.read_secret("ada") == "first"
    home.replace_secret("ada", "first", "sealed")
    assert home.read_secret("ada") == "sealed"

    first = leased_home(store, lease=0).open_state()
    first.put("a.json", b"from the first")
    second = home.open_state()
    assert second.get("a.json") == b"from the first"
    with pytest.raises(AgentError, match=r"leased until \d.*Z\)") as running:
        home.open_state()
    assert running.value.code == "AGENT_RUNNING"
    assert running.value.data["until"].endswith("Z")

    assert first.lease is not None
    stale: list[Callable[[], object]] = [
        lambda: first.put("a.json", b"stale"),
        lambda: first.put("new.json", b"stale"),
        lambda: first.delete("a.json"),
        first.lease.renew,
    ]
    assert [code_of(write) for write in stale] == ["HOME_FENCED"] * 4
    first.close()
    assert second.names() == ["a.json"]
    assert code_of(home.open_state) == "AGENT_RUNNING"
    second.close()
    third = home.open_state()
    assert third.get("a.json") == b"from the first"
    assert code_of(lambda: second.put("a.json", b"stale")) == "HOME_FENCED"
    third.close()


@pytest.mark.parametrize("is_async", [False, True])
def test_a_paused_process_pays_nothing_once_another_has_paid(tenant: Rents, is_async: bool) -> None:
    task, balance = tenant(f"paused-{is_async}")
    paused = Holder(task, "stop:write", is_async=is_async)
    assert paused.says() == "open"
    assert pay_instead(task, is_async=is_async).startswith("paid at ")
    paused.process.send_signal(signal.SIGCONT)
    assert paused.says() == "HOME_FENCED"
    paused.end()
    assert balance() == 4 * RENT


@pytest.mark.parametrize("failpoint", ["act.signed", "act.answered"])
def test_a_standby_takes_over_a_killed_process_and_pays_once(tenant: Rents, failpoint: str) -> None:
    task, balance = tenant(failpoint.replace(".", "-"))
    killed = Holder(task, failpoint)
    assert killed.says() == "open"
    assert killed.end() == -signal.SIGKILL
    assert pay_instead(task).startswith("paid at ")
    assert balance() == 4 * RENT


def test_an_agent_ends_once_another_process_has_its_home(shared: Shared, net: RunningNode) -> None:
    agent_id = f"stolen-{shared.kind}"
    store = shared.store(agent_id)

    async def lose_it() -> None:
        home = leased_home(store, lease=0.3)
        agent = await AsyncAgent.open(agent_id, url=net.url, home=home, memory=False, log=None)
        running = asyncio.ensure_future(agent.run(signals=False))
        first = store.get("lease")
        while store.get("lease") == first:
            await asyncio.sleep(0.01)
        assert store.write_if(Guard("fence", store.get("fence") or ""), "fence", "9 another")
        with pytest.raises(AgentError) as ended:
            await running
        assert ended.value.code == "HOME_FENCED"
        with pytest.raises(AgentError) as refused:
            await agent.act("faucet", {"amount": RENT})
        assert refused.value.code == "HOME_FENCED"

    asyncio.run(asyncio.wait_for(lose_it(), HANGS))
    keys = store.keys()
    assert [key for key in keys if "act-" in key] == []


def test_the_home_of_a_javascript_agent_is_opened(shared: Shared, world: World) -> None:
    if shared.kind != "valkey" or shutil.which("redis-cli") is None:
        pytest.skip("its call is the command line of Valkey")
    options: Any = {"url": world.url, "blobs": world.origins}
    asked = {"socket": shared.socket, "agentId": "bilingual", "hash": "netd:bilingual"}
    there = run_script("home.mjs", {**asked, "options": {**options, "trustedOrigins": world.origins}})
    home = leased_home(shared.store("bilingual"))
    with Agent.open("bilingual", **options, trusted_origins=world.origins, home=home, log=None) as agent:
        assert agent.memory.get("from") == "node"
        assert agent.act("faucet", {"amount": 1_000}, id="once")["transitionHash"] == there["transitionHash"]
        key = AgentKey.load("bilingual", agent.chain_id, directory=home)
        assert agent.client.actor is not None
        assert key.public_key_hash == agent.client.actor.key.public_key_hash
    assert world.balance("bilingual") == 1_000
