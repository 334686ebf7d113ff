"""Attacks of docs/attacks.md against default agents: a newcomer without money works, and another one hires."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from netsdk import Actor, Agent, AgentError, Job, NetError
from netsdk.agent.hire import HireOptions, _payload_of, _scope_of
from netsdk.formats import work_scope
from netsdk.protocol.hashes import hash_value, sha256
from tests.at_work import at_work
from tests.node import HANGS, RunningNode
from tests.world import NET, POLICY, World

FUNDING = 40 * NET
BOND = FUNDING // 2
#: A jury has so long to vote, and the requester so long to contest.
SHORT = {"heights": 1, "milliseconds": 300}


def options_of(world: World, tmp_path: Path) -> dict[str, Any]:
    return {"url": world.url, "keys": str(tmp_path / "keys"), "blobs": world.origins, "memory": False, "log": None}


@pytest.fixture
def options(world: World, tmp_path: Path) -> Iterator[dict[str, Any]]:
    yield options_of(world, tmp_path)
    world.away, world.can_judge, world.rejects_because = False, True, None


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + HANGS
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


@contextmanager
def attacked(
    world: World, options: dict[str, Any], agent_id: str, actor: Actor | None = None, **terms: Any
) -> Iterator[tuple[str, threading.Event]]:
    """An order for a default worker that has just joined, by a requester that attacks."""
    agent = Agent.open(agent_id, **options, capabilities=["research"])
    agent.on_work()(lambda _: "one two three")
    paid = threading.Event()
    agent.on("paid")(lambda _: paid.set())
    order_id = world.order(world.scope().data, actor=actor, agentId=agent_id, funding=FUNDING, **terms)
    with at_work(agent):
        yield order_id, paid


def test_a_requester_recruited_by_a_verifier_has_the_jury_of_any_other_and_pays(
    world: World, options: dict[str, Any]
) -> None:
    mallory = world.join("p-mallory", "createWorkOrder", referrer="vera")
    with attacked(world, options, "p-newcomer-1", mallory) as (order_id, paid):
        assert paid.wait(HANGS)
    committee = world.order_at(order_id)["verification"]["committee"]
    assert {member["verifierId"] for member in committee} == {"vera", "vito", "viki"}
    assert world.balance("p-newcomer-1") == FUNDING


def test_a_policy_that_no_jury_can_meet_offers_nothing_that_an_agent_could_take(world: World) -> None:
    seven = POLICY | {"requiredAccepts": 7, "committeeSize": 7}
    with pytest.raises(NetError) as refused:
        world.order(world.scope().data, funding=FUNDING, validationPolicy=seven)
    assert refused.value.code == "WORK_JURY_UNAVAILABLE"


@pytest.mark.slow
def test_a_jury_that_is_kept_busy_does_not_keep_the_money_of_its_requester(tmp_path: Path) -> None:
    (tmp_path / "net").mkdir()
    net = RunningNode(tmp_path / "net", short_juries=True)
    world = World(net, tmp_path / "world", Actor(*net.operator()))
    try:
        world.away = True
        options = options_of(world, tmp_path)
        with attacked(world, options, "p-newcomer-2", verifyWithin=SHORT) as (order_id, paid):
            assert paid.wait(HANGS)
        assert world.order_at(order_id)["unjudged"] == "UNVERIFIED"
        assert world.balance("p-newcomer-2") == FUNDING
    finally:
        world.stop()
        net.stop()


def test_a_scope_that_no_verifier_can_judge_and_a_contest_of_it_cost_the_requester_half_the_funding(
    world: World, options: dict[str, Any]
) -> None:
    world.can_judge = False
    with attacked(world, options, "p-newcomer-3") as (order_id, paid):
        until(lambda: world.order_at(order_id)["phase"] == "UNJUDGED")
        before = world.balance("rita")
        reason = sha256(b"It is not what I wanted.").hex()
        contest: Any = {"orderId": order_id, "reasonHash": reason, "bond": BOND}
        world.client.act("openDispute", contest, actor=world.requester)
        # The agent answers with the nothing that it holds. No second jury is left, so an operator decides.
        until(lambda: world.order_at(order_id)["phase"] == "DISPUTED")
        assert world.order_at(order_id)["dispute"]["answerBond"] == 0
        world.client.act("resolveDispute", {"orderId": order_id, "outcome": "PAID"}, actor=world.operator)
        assert paid.wait(HANGS)
    assert world.balance("p-newcomer-3") == FUNDING + BOND
    assert world.balance("rita") == before - BOND


def test_garbage_for_an_order_without_a_jury_costs_its_worker_the_bond_if_its_requester_contests_it(
    world: World, options: dict[str, Any]
) -> None:
    mallory = world.join("p-garbage-man")
    victim = Agent.open("p-requester-1", **options)
    try:
        victim.act("faucet", {"amount": 100 * NET}, id="money")
        hired = victim.hire(
            title="A haiku about hashes",
            instructions="Three lines, as one JSON string.",
            deliverable={"mediaType": "application/json", "maxBytes": 1_000},
            acceptance=[{"kind": "json-schema", "schema": {"type": "string", "minLength": 10}}],
            funding=FUNDING,
            jury="none",
            worker="p-garbage-man",
        )
        garbage = world.store(b'"short"', mallory)
        order: Any = {"orderId": hired.order_id}
        world.client.act("acceptWork", order, actor=mallory)
        world.client.act("submitWorkResult", order | {"deliverableHash": garbage}, actor=mallory)
        with pytest.raises(AgentError) as unmet:
            hired.result(timeout=HANGS)
        assert unmet.value.code == "DELIVERABLE_UNMET"
        world.rejects_because = "It has too few letters."
        hired.dispute(world.rejects_because)
        answer = order | {"reasonHash": sha256(b"It is art.").hex(), "bond": BOND}
        world.client.act("openDispute", answer, actor=mallory)
        with pytest.raises(AgentError) as unpaid:
            hired.accept()
        assert unpaid.value.code == "ORDER_UNPAID"
    finally:
        victim.stop()
    assert world.balance("p-requester-1") == 100 * NET + BOND - 2 * FUNDING * 200 // 10_000
    assert world.balance("p-garbage-man") == 900 * NET - BOND


def test_neither_a_contest_of_a_good_provable_result_nor_provable_garbage_gains_anything(
    world: World, options: dict[str, Any]
) -> None:
    terms: dict[str, Any] = {
        "title": "A haiku about hashes",
        "instructions": "Three lines, as one JSON string.",
        "deliverable": {"mediaType": "application/json", "maxBytes": 1_000},
        "acceptance": [{"kind": "json-schema", "schema": {"type": "string", "minLength": 10}}],
        "funding": FUNDING,
        "jury": "none",
        "verify_within": {"heights": 5, "milliseconds": 600_000},
        "provable": True,
    }
    mallory = world.join("p-garbage-man-2")
    worker = Agent.open("p-newcomer-4", **options)
    worker.on_work()(lambda _: '"one two three"')
    delivered, paid = threading.Event(), threading.Event()
    worker.on("delivered")(lambda _: delivered.set())
    worker.on("paid")(lambda _: paid.set())
    requester = Agent.open("p-requester-2", **options)
    try:
        requester.act("faucet", {"amount": 100 * NET}, id="money")
        contested = requester.hire(worker="p-newcomer-4", **terms)
        with at_work(worker):
            assert delivered.wait(HANGS)
            contested.dispute("I want it for nothing.")
            assert paid.wait(HANGS)
        assert world.balance("p-newcomer-4") == FUNDING + BOND
        assert contested.order()["dispute"].get("answeredAt") is None

        hired = requester.hire(worker="p-garbage-man-2", **terms)
        garbage: Any = {"orderId": hired.order_id}
        world.client.act("acceptWork", garbage, actor=mallory)
        blob = world.store(b'"short"', mallory)
        world.client.act("submitWorkResult", garbage | {"deliverableHash": blob}, actor=mallory)
        with pytest.raises(AgentError, match="DISPROVEN") as unpaid:
            hired.result(timeout=HANGS)
        assert unpaid.value.code == "ORDER_UNPAID"
        assert world.balance("p-requester-2") == 100 * NET - FUNDING - BOND
    finally:
        requester.stop()


def test_a_stranger_can_neither_compute_the_id_of_a_hire_within_a_job_nor_pass_its_own_order_off_as_that_hire(
    world: World, options: dict[str, Any]
) -> None:
    mallory = world.join("p-mallory-2", "createWorkOrder")
    terms: dict[str, Any] = {
        "title": "Anything",
        "instructions": "As JSON.",
        "acceptance": [{"kind": "json-schema", "schema": {}}],
        "funding": "5 NET",
    }
    requesters = []
    agent = Agent.open("p-newcomer-5", **options, capabilities=["research"])
    agent.act("faucet", {"amount": 20 * NET})

    @agent.on_work()
    def handle(job: Job[Any]) -> str:
        accepted = job.order["acceptedAt"]
        facts = {
            "orderId": job.order_id,
            "acceptance": f"{accepted['height']}.{accepted['index']}",
            "step": "help",
        }
        for named in ({"agentId": agent.agent_id}, {}):
            occupy(f"job-{hash_value(facts | named)[:32]}")
        try:
            requesters.append(world.order_at(job.hire("help", **terms).order_id)["requesterId"])
        except AgentError as error:
            requesters.append(error.code)
        # A stranger that learns an id before its use can take it, but its order is not the agent's.
        occupy(job.key("more"))
        with pytest.raises(AgentError) as refusal:
            job.hire("more", **terms)
        assert refusal.value.code == "ACT_ID_USED"
        requesters.append(world.order_at(job.key("more"))["requesterId"])
        return "one two three"

    def occupy(order_id: str) -> None:
        asked = HireOptions(**terms, id=order_id)
        payload = _payload_of(asked, work_scope.make(_scope_of(asked, None, None)).hash, None)
        world.client.act("createWorkOrder", payload, actor=mallory)

    paid = threading.Event()
    agent.on("paid")(lambda _: paid.set())
    world.order(world.scope().data, agentId=agent.agent_id, funding=FUNDING)
    with at_work(agent):
        assert paid.wait(HANGS)
    assert requesters == ["p-newcomer-5", "p-mallory-2"]


def test_the_ids_of_an_agent_stay_the_same_after_a_rotation_and_differ_between_agents(options: dict[str, Any]) -> None:
    with Agent.open("p-newcomer-6", **options) as agent:
        before = id_secret(agent)
        agent.rotate_encryption_key()
    with Agent.open("p-newcomer-6", **options) as again, Agent.open("p-newcomer-7", **options) as other:
        assert id_secret(again) == before != id_secret(other)


def id_secret(agent: Agent) -> str:
    return agent._agent._parts.id_secret
