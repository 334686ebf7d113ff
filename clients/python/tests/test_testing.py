"""Networks for tests: alive in a moment, alone, obeyed by time, and gone whatever happens."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import httpx
import pytest

from netsdk import NetClient, NetError
from netsdk.payloads import CreateWorkOrderPayload
from netsdk.testing import Lie, Network, NetworkStartError, lab_key, start_liar
from netsdk.testing import start_network as start
from netsdk.testing.lab_process import find_netd
from tests.at_work import at_work
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
    network.client.act("transfer", {"to": "ada", "amount": 3}, actor=network.impersonate("operator"))
    as_ada = network.impersonate("ada")
    network.client.act("extendAgentCapabilities", {"actions": ["transfer"]}, actor=as_ada)
    network.client.act("transfer", {"to": "operator", "amount": 3}, actor=as_ada)
    balance, kept = network.balance("ada"), network.snapshot()
    height = network.status()["height"]
    for _ in range(2):
        network.client.act("transfer", {"to": "ada", "amount": 5}, actor=network.operator)
        assert network.balance("ada") == balance + 5
        assert network.revert(kept)["height"] == height
        assert network.balance("ada") == balance
    inner = network.snapshot()
    network.advance(86_400)
    assert network.revert()["height"] == height
    network.revert(kept)
    with pytest.raises(NetError) as unknown:
        network.revert(inner)
    assert unknown.value.code == "LAB_SNAPSHOT_UNKNOWN"
    other = start_network(agents=["ada"], seed="another")
    assert other.chain_id != network.chain_id
    assert other.actor("ada").key.public_key != network.actor("ada").key.public_key
    network.agent("ada").act("transfer", {"to": "bob", "amount": 1})
    with pytest.raises(KeyError):
        network.actor("nobody")


@slow
@pytest.mark.network(house=True, agents={"rita": {"actions": ["createWorkOrder", "cancelWorkOrder"]}, "gilda": {}})
@pytest.mark.campaign
def test_agents_that_run_go_on_at_any_time_day_after_day(network: Network) -> None:
    rita = network.agent("rita")
    gilda = network.agent("gilda", capabilities=["naming"])
    gilda.on_work(lambda job: json.dumps(f"{job.scope['title']}: Ada."))
    with at_work(gilda):
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


@slow
def test_a_liar_says_what_it_is_told_and_nothing_else(start_network: Start) -> None:
    network = start_network(agents=["ada", "bob"])
    network.client.act("extendAgentCapabilities", {"actions": ["transfer"]}, actor=network.actor("ada"))
    earlier = network.balance("bob")
    lies = [Lie(re.compile("^/v1/accounts/"), times=1, say=lambda document: document | {"balance": 1})]
    with start_liar(network.url, lies) as liar, NetClient(liar.url) as client:
        balances = [client.get("/v1/accounts/bob")["balance"] for _ in range(2)]
        assert balances == [1, earlier]
        problem = {"code": "NO", "title": "No", "detail": "No.", "status": 409}
        liar.tell(Lie("/v1/intents", method="POST", status=409, say=lambda _: problem))
        with pytest.raises(NetError) as refused:
            client.act("transfer", {"to": "bob", "amount": 5}, actor=network.actor("ada"))
        assert refused.value.code == "NO"
        liar.tell(Lie("/v1/intents", silent=True))
        with pytest.raises(NetError):
            client.act("transfer", {"to": "bob", "amount": 5}, actor=network.actor("ada"))
        # The transfers happened, although the liar denied them.
        assert network.balance("bob") == earlier + 10
        # The client retries with the same envelope if it gets no answer.
        assert liar.told >= 3
        assert "POST /v1/intents" in liar.requests
        liar.repent()
        client.act("transfer", {"to": "bob", "amount": 5}, actor=network.actor("ada"))


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


FAILS = """
import queue, threading

def test_fails(start_network):
    network = start_network(agents=["grace"], house=True)
    grace = network.agent("grace", capabilities=["research"])
    ends = queue.Queue()
    grace.on("failed")(ends.put)

    @grace.on_work
    def work(job):
        job.step("read", lambda: job.scope["title"])
        raise ValueError("the handler has no idea")

    threading.Thread(target=grace.run).start()
    ends.get(timeout=120)
    network.event("WorkOrderPaid", agent="grace", timeout=0.1)
"""


@slow
def test_a_failing_test_shows_the_story_of_its_order(tmp_path: Path) -> None:
    (tmp_path / "test_fails.py").write_text(FAILS)
    environment = os.environ | {"PYTHONPATH": str(ROOT / "clients/python/src"), "NETD": NETD}
    command = [sys.executable, "-m", "pytest", "-p", "netsdk.testing.plugin", "-p", "no:cacheprovider", str(tmp_path)]
    run = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 1, run.stdout
    assert "TimeoutError: no WorkOrderPaid within 0.1 s" in run.stdout
    _, _, orders = run.stdout.partition("- Orders -")
    for line in (
        r"The story of order house-research-1:",
        r"height \d+  WorkAccepted  .*workerId: grace",
        r"grace accepted",
        r"grace step  step: read, outcome: recorded",
        r"grace failed  attempt: 1, error: the handler has no idea",
    ):
        assert re.search(line, orders), run.stdout


def test_what_cannot_start_says_why() -> None:
    with pytest.raises(NetworkStartError, match="/no/such/netd, which the argument netd names"):
        start(netd="/no/such/netd")
    with pytest.raises(NetworkStartError, match="netd ended with"):
        start(netd=sys.executable)


def test_a_node_beside_the_program_runs_it(tmp_path: Path) -> None:
    for name, text in {"netd": "#!/usr/bin/env node\n", "node": "#!/bin/sh\necho beside >&2; exit 1\n"}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    with pytest.raises(NetworkStartError, match="netd ended with 1: beside"):
        start(netd=tmp_path / "netd")


def test_the_program_of_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_netd() == NETD
    monkeypatch.setenv("NETD", "/no/such")
    with pytest.raises(NetworkStartError, match="the environment variable NETD names"):
        find_netd()
    monkeypatch.delenv("NETD")
    assert "netd" in find_netd()
