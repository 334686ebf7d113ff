"""Networks for tests: alive in a moment, alone, obeyed by time, and gone whatever happens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import httpx
import pytest

from netsdk import NetError
from netsdk.payloads import CreateWorkOrderPayload
from netsdk.testing import Network, NetworkStartError, lab_key
from netsdk.testing import start_network as start
from netsdk.testing.lab_process import find_netd
from tests.node import HANGS, ROOT

NET = 1_000_000
NETD = str(ROOT / "packages/cli/bin/netd.mjs")

slow = pytest.mark.slow
Start = Callable[..., Network]


@pytest.fixture(autouse=True)
def _own_netd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NETD", NETD)


def test_keys_are_those_of_the_vectors() -> None:
    vectors = json.loads((ROOT / "vectors/lab/keys.json").read_text("utf-8"))
    assert len(vectors["keys"]) >= 3
    for each in vectors["keys"]:
        assert lab_key(each["actorId"], each["seed"]).public_key == each["publicKey"]


@slow
@pytest.mark.network(agents={"ada": {"actions": ["createWorkOrder"]}, "bob": {"funded": "2.5 NET"}}, funded="7 NET")
def test_agents_are_there_and_time_obeys(network: Network, start_network: Start) -> None:
    assert [network.balance(name) for name in ("ada", "bob")] == [7 * NET, 2_500_000]
    height = network.status()["height"]
    assert network.mine(5)["height"] == height + 5
    order: CreateWorkOrderPayload = {
        "orderId": "never-taken",
        "title": "Nobody takes this",
        "jobType": "general",
        "funding": NET,
        "scopeHash": "ab" * 32,
        "acceptWithin": {"heights": 5, "milliseconds": 3_600_000},
    }
    network.client.act("createWorkOrder", order, actor=network.actor("ada"))
    network.advance(3_601, blocks=6)
    ended = network.client.get("/v1/work-orders/never-taken")["order"]
    assert (ended["status"], ended["reason"]) == ("REJECTED", "ACCEPTANCE_TIMEOUT")
    moved = network.advance_to(datetime.now(timezone.utc) + timedelta(days=2), blocks=1)
    assert moved["clock"] > (datetime.now(timezone.utc) + timedelta(days=1)).isoformat()
    with pytest.raises(NetError) as refused:
        network.advance_to(datetime.now(timezone.utc))
    assert refused.value.code == "LAB_CLOCK_BACKWARDS"
    other = start_network(agents=["ada"], seed="another")
    assert other.chain_id != network.chain_id
    assert other.actor("ada").key.public_key != network.actor("ada").key.public_key
    network.agent("ada").act("transfer", {"to": "bob", "amount": 1})
    with pytest.raises(KeyError):
        network.actor("nobody")


@slow
@pytest.mark.network(house=True, agents={"rita": {"actions": ["createWorkOrder", "cancelWorkOrder"]}, "gilda": {}})
def test_agents_that_run_go_on_at_any_time_day_after_day(network: Network) -> None:
    rita = network.agent("rita")
    gilda = network.agent("gilda", capabilities=["naming"])
    gilda.on_work(lambda job: json.dumps(f"{job.scope['title']}: Ada."))
    running = threading.Thread(target=gilda.run)
    running.start()
    for number in (1, 2):
        rita.hire(
            id=f"name-{number}",
            title="A name for it",
            instructions="One line.",
            deliverable={"mediaType": "application/json", "maxBytes": 100},
            acceptance=[{"kind": "json-schema", "schema": {"type": "string", "maxLength": 100}}],
            job_type="naming",
            requirements=["naming"],
            funding="10 NET",
        )
        network.event("WorkVerified", order=f"name-{number}")
        network.advance(86_400, blocks=20)
        network.event("WorkOrderPaid", order=f"name-{number}")
    gilda.stop()
    running.join(HANGS)
    assert not running.is_alive()


CRASHES = """
import json, sys, time
from netsdk.testing import start_network
network = start_network(agents=["ada"])
print(json.dumps({"url": network.url, "dataDir": network._lab.facts["dataDir"]}), flush=True)
time.sleep(600)
"""


@slow
def test_it_ends_with_its_test_though_that_is_killed() -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "clients/python/src")}
    with subprocess.Popen([sys.executable, "-c", CRASHES], stdout=subprocess.PIPE, env=environment) as child:
        assert child.stdout is not None
        facts = json.loads(child.stdout.readline())
        assert Path(facts["dataDir"]).exists()
        child.kill()
    until = time.monotonic() + HANGS
    while Path(facts["dataDir"]).exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert not Path(facts["dataDir"]).exists()
    with pytest.raises(httpx.ConnectError):
        httpx.get(facts["url"])


def test_what_cannot_start_says_why() -> None:
    with pytest.raises(NetworkStartError, match="/no/such/netd, which the argument netd names"):
        start(netd="/no/such/netd")
    with pytest.raises(NetworkStartError, match="netd ended with"):
        start(netd=sys.executable)


def test_the_program_of_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_netd() == NETD
    monkeypatch.setenv("NETD", "/no/such")
    with pytest.raises(NetworkStartError, match="the environment variable NETD names"):
        find_netd()
    monkeypatch.delenv("NETD")
    assert "netd" in find_netd()
