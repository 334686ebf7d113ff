"""What takes minutes and days on a chain, as a stranger tests it: deadlines that obey, and roles that are given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from netsdk import NetError
from netsdk.api import Actor
from netsdk.testing import Network, lab_key, start_network
from tests.node import ROOT

NET = 1_000_000
NETD = str(ROOT / "packages/cli/bin/netd.mjs")
HASH = "ab" * 32
REWARD = 20 * NET
AGENTS: dict[str, dict[str, Any]] = {
    "rita": {"actions": ["createWorkOrder", "transfer"]},
    "walt": {"actions": ["transfer"]},
    "vera": {"role": "verifier"},
    "vito": {"role": "verifier", "capabilities": ["voteWork"]},
    "viki": {"role": "verifier", "bond": 150 * NET, "independence_group": "elsewhere"},
    "rune": {"role": "runtime-provider"},
    "olga": {"role": "auditor"},
    "gina": {"role": "governor"},
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def begun() -> Iterator[tuple[Network, str]]:
    with start_network(netd=NETD, agents=AGENTS) as network:
        yield network, network.snapshot()


@pytest.fixture
def lab(begun: tuple[Network, str]) -> Network:
    network, snapshot = begun
    network.revert(snapshot)
    return network


def act(lab: Network, name: str, action: Any, payload: Any) -> Any:
    return lab.client.act(action, payload, actor=lab.actor(name))


def order_at(lab: Network, order_id: str) -> Any:
    return lab.client.get(f"/v1/work-orders/{order_id}")["order"]


def verified(lab: Network, order_id: str) -> None:
    """An order of rita's that walt has delivered and the committee has accepted."""
    order = {"orderId": order_id, "title": "Sum", "jobType": "general", "funding": REWARD, "scopeHash": HASH}
    act(lab, "rita", "createWorkOrder", order)
    act(lab, "walt", "acceptWork", {"orderId": order_id})
    act(lab, "walt", "submitWorkResult", {"orderId": order_id, "deliverableHash": HASH})
    lab.mine(2)
    for member in order_at(lab, order_id)["verification"]["committee"]:
        if order_at(lab, order_id)["disputableUntil"]:
            return
        vote = {"orderId": order_id, "vote": "ACCEPT", "evidenceHash": HASH}
        act(lab, member["verifierId"], "voteWork", vote)


def test_roles_are_held(lab: Network) -> None:
    assert lab.balance("viki") == 100 * NET
    assert lab.client.get("/v1/validation")["actual"]["activeVerifiers"] == 3
    for name, role in [("vera", "VERIFIER"), ("rune", "RUNTIME_PROVIDER"), ("olga", "AUDITOR"), ("gina", "GOVERNOR")]:
        assert role in lab.client.get(f"/v1/agents/{name}")["authority"]["roles"]
    other: Any = "operator"
    with pytest.raises(ValueError, match="no role"):
        lab.join("oskar", role=other)


def test_work_is_paid_when_nobody_disputes_it_within_the_window(lab: Network) -> None:
    verified(lab, "paid")
    earlier = lab.balance("walt")
    lab.advance(20)
    with pytest.raises(NetError):
        act(lab, "walt", "settleVerifiedWork", {"orderId": "paid"})
    lab.advance(15)
    act(lab, "walt", "settleVerifiedWork", {"orderId": "paid"})
    assert order_at(lab, "paid")["status"] == "PAID"
    assert lab.balance("walt") == earlier + REWARD


def test_a_dispute_stops_the_payment_and_the_operator_decides(lab: Network) -> None:
    verified(lab, "disputed")
    act(lab, "rita", "openDispute", {"orderId": "disputed", "reasonHash": HASH})
    lab.advance(60)
    assert order_at(lab, "disputed")["status"] != "PAID"
    earlier = lab.balance("rita")
    decided: Any = {"orderId": "disputed", "outcome": "REJECTED"}
    lab.client.act("resolveDispute", decided, actor=lab.operator)
    assert order_at(lab, "disputed")["status"] == "REJECTED"
    assert lab.balance("rita") >= earlier + REWARD


def test_a_bond_is_free_after_the_delay_of_a_resignation(lab: Network) -> None:
    earlier = lab.balance("vera")
    act(lab, "vera", "resignRole", {"actorId": "vera", "role": "VERIFIER"})
    lab.advance(840, blocks=1_000)
    assert lab.balance("vera") == earlier
    lab.advance(120, blocks=10)
    assert lab.balance("vera") > earlier


def test_a_lost_key_is_replaced_by_its_guardians_after_the_delay(lab: Network) -> None:
    act(lab, "walt", "setAgentRecovery", {"guardians": ["rita", "vito"], "threshold": 2})
    lab.advance(1_000, blocks=1_000)
    key = lab_key("walt-anew")
    statement = {
        "schema": "NET-KEY-RECOVERY/1",
        "chainId": lab.chain_id,
        "actorId": "walt",
        "newPublicKey": key.public_key,
    }
    asked = {
        "recoveringAgentId": "walt",
        "newPublicKey": key.public_key,
        "newKeySignature": key.sign(statement)["signature"],
    }
    request = act(lab, "rita", "requestAgentRecovery", asked)["transitionHash"]
    named = {"recoveringAgentId": "walt", "requestId": request}
    act(lab, "vito", "approveAgentRecovery", named)
    with pytest.raises(NetError) as early:
        act(lab, "rita", "executeAgentRecovery", named)
    assert early.value.code == "RECOVERY_DELAY_PENDING"
    lab.advance(1_000, blocks=1_000)
    act(lab, "rita", "executeAgentRecovery", named)
    lab.client.act("transfer", {"to": "rita", "amount": 1}, actor=Actor("walt", key))


def test_what_was_done_and_what_would_be_is_told_rule_by_rule(lab: Network) -> None:
    receipt = act(lab, "walt", "transfer", {"to": "rita", "amount": 5})
    traced = lab.client.trace(receipt)
    assert traced["height"] == receipt["height"]
    assert all(rule["holds"] for rule in traced["trace"]["rules"])
    [account] = [write for write in traced["trace"]["writes"] if write["key"] == "account/rita"]
    before: Any = account["before"]
    after: Any = account["after"]
    assert (before["balance"], after["balance"]) == (100 * NET, 100 * NET + 5)
    would = lab.client.simulate("transfer", {"to": "rita", "amount": 1_000 * NET}, actor_id="walt", trace=True)
    assert would["outcome"] == "refused"
    assert would["trace"]["rules"][-1]["code"] == "INSUFFICIENT_BALANCE"
    with pytest.raises(NetError) as unknown:
        lab.client.trace(HASH)
    assert unknown.value.code == "TRANSITION_NOT_FOUND"
