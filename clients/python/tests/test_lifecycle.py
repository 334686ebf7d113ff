"""Deadlines and roles that take minutes or days on a chain, tested with the public ``netsdk.testing``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from netsdk import NetError
from netsdk.agent.session import read_session
from netsdk.api import Actor
from netsdk.testing import Network, lab_key, start_network
from tests.node import ROOT

NET = 1_000_000
NETD = str(ROOT / "packages/cli/bin/netd.mjs")
HASH = "ab" * 32
REWARD = 20 * NET
#: The least that a validator candidate puts up.
BOND = 1_000 * NET
AGENTS: dict[str, dict[str, Any]] = {
    "rita": {"actions": ["createWorkOrder", "transfer"]},
    "walt": {"actions": ["transfer", "delegate", "undelegate"]},
    "vera": {"role": "verifier"},
    "vito": {"role": "verifier", "capabilities": ["voteWork"]},
    "viki": {"role": "verifier", "bond": 150 * NET, "independence_group": "elsewhere"},
    "rune": {"role": "runtime-provider"},
    "olga": {"role": "auditor"},
    "gina": {"role": "governor", "actions": ["delegate"]},
    "vala": {"funded": BOND + 100 * NET},
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def begun() -> Iterator[tuple[Network, str]]:
    with start_network(netd=NETD, agents=AGENTS) as network:
        become_candidate(network, "vala")
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


def become_candidate(lab: Network, name: str) -> None:
    """Makes a candidate for delegations: it applies with its consensus key, and the operator approves."""
    actor, key, application = lab.actor(name), lab_key(f"{name}-consensus"), f"{name}-validator"
    statement = {"schema": "NET-CONSENSUS-KEY/1", "chainId": lab.chain_id, "actorId": name}
    statement["consensusPublicKey"] = key.public_key
    profile: Any = {
        "selfBond": BOND,
        "consensusPublicKey": key.public_key,
        "consensusKeySignature": key.sign(statement)["signature"],
        "faultDomain": "lab",
    }
    applied = {
        "applicationId": application,
        "role": "VALIDATOR",
        "capabilities": [{"action": "submitValidatorHeartbeat"}],
        "profile": profile,
        "expiresAtHeight": lab.client.network()["height"] + 1_000,
    }
    lab.client.apply(applied, actor=actor)
    invited = lab.client.act("createOperatorInvitation", {"applicationId": application}, actor=lab.operator)
    lab.client.claim(invited["transitionHash"], actor=actor)


def verified(lab: Network, order_id: str, worker: str = "walt") -> None:
    """An order of rita's that an agent has delivered and the committee has accepted."""
    order = {"orderId": order_id, "title": "Sum", "jobType": "general", "funding": REWARD, "scopeHash": HASH}
    act(lab, "rita", "createWorkOrder", order | {"sealedVotes": False})
    act(lab, worker, "acceptWork", {"orderId": order_id})
    act(lab, worker, "submitWorkResult", {"orderId": order_id, "deliverableHash": HASH})
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


@pytest.mark.campaign
def test_a_dispute_stops_the_payment_and_the_operator_decides(lab: Network) -> None:
    verified(lab, "disputed")
    act(lab, "rita", "openDispute", {"orderId": "disputed", "reasonHash": HASH, "bond": REWARD // 2})
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


def refused(lab: Network, name: str, action: Any, payload: Any) -> str:
    with pytest.raises(NetError) as refusal:
        act(lab, name, action, payload)
    return refusal.value.code


@pytest.mark.campaign
def test_what_is_at_stake_comes_back_after_the_unbonding_delay(lab: Network) -> None:
    earlier = lab.balance("walt")
    act(lab, "walt", "delegate", {"validatorId": "vala", "amount": 30 * NET})
    act(lab, "walt", "undelegate", {"validatorId": "vala", "amount": 10 * NET})
    # A thousand heights are over, and the quarter of an hour is not.
    lab.advance(600, blocks=1_000)
    assert lab.balance("walt") == earlier - 30 * NET
    lab.advance(360, blocks=10)
    assert lab.balance("walt") == earlier - 20 * NET
    too_much = {"validatorId": "vala", "amount": 25 * NET}
    assert refused(lab, "walt", "undelegate", too_much) == "DELEGATION_INSUFFICIENT"


@pytest.mark.campaign
def test_what_governors_decide_waits_its_timelock_or_is_lost(lab: Network) -> None:
    for order_id in ("first", "second"):
        verified(lab, order_id, "gina")
        lab.advance(35)
        act(lab, "gina", "settleVerifiedWork", {"orderId": order_id})
    act(lab, "gina", "delegate", {"validatorId": "vala", "amount": REWARD})
    named = {"proposalId": "a-main-network"}
    path: Any = "/v1/governance/proposals/a-main-network"
    about = {"kind": "MAINNET_GENESIS", "title": "Begin", "subjectHash": HASH}
    act(lab, "gina", "submitProposal", named | about)
    act(lab, "gina", "voteProposal", named | {"vote": "FOR"})
    assert refused(lab, "gina", "enactProtocolContribution", named) == "PROPOSAL_NOT_PASSED"
    # The vote is over with one of these three; the timelock takes three heights more, however late it is by the clock.
    lab.advance(21, blocks=3)
    assert lab.client.get(path)["proposal"]["status"] == "PASSED"
    assert refused(lab, "gina", "enactProtocolContribution", named) == "TIMELOCK_RUNNING"
    waiting = lab.snapshot()
    lab.advance(30, blocks=4)
    act(lab, "gina", "enactProtocolContribution", named)
    assert lab.client.get(path)["proposal"]["status"] == "ENACTED"
    lab.revert(waiting)
    lab.advance(86_500)
    assert lab.client.get(path)["proposal"]["status"] == "EXPIRED"
    assert refused(lab, "gina", "enactProtocolContribution", named) == "PROPOSAL_NOT_PASSED"


@pytest.mark.campaign
def test_a_handover_that_nobody_takes_up_ends_with_its_last_height(lab: Network) -> None:
    height = lab.client.network()["height"]
    kind = "NET-PORTABLE-MEMORY/1"
    offer = {
        "runtimeId": "rune-1",
        "endpoint": "https://rune.example/runtime",
        "serializer": kind,
        "encryptions": ["AES-256-GCM"],
        "maxByteLength": 1_000,
        "expiresAtHeight": height + 1_000,
    }
    act(lab, "rune", "registerRuntimeOffer", offer)
    memory = {
        "checkpointId": "walt-first",
        "generation": 1,
        "parentCheckpointHash": None,
        "checkpointHash": HASH,
        "stateRoot": HASH,
        "chunksRoot": HASH,
        "serializer": kind,
        "encryption": "AES-256-GCM",
        "byteLength": 1,
        "chunkCount": 1,
        "barrier": {"lastInputSequence": 0, "lastOutputSequence": 0},
        "storageReplicas": [
            {"providerId": name, "uri": f"https://{name}.example/blob", "bundleHash": HASH}
            for name in ("here", "there")
        ],
    }
    act(lab, "walt", "commitMemoryCheckpoint", memory)
    handover = {"checkpointHash": HASH, "targetProviderId": "rune", "targetRuntimeId": "rune-1"}
    act(lab, "walt", "prepareMemoryHandover", handover | {"handoverId": "late", "expiresAtHeight": height + 20})
    sooner = handover | {"handoverId": "sooner", "expiresAtHeight": height + 30}
    assert refused(lab, "walt", "prepareMemoryHandover", sooner) == "MEMORY_HANDOVER_OPEN"
    lab.mine(25)
    found = lab.client.read("/v1/memory/handovers", agentId="walt")["handovers"]
    assert [(each["status"], each["abortCause"]) for each in found] == [("ABORTED", "EXPIRY")]
    restored = {"handoverId": "late", "restoredStateRoot": HASH}
    assert refused(lab, "rune", "attestMemoryRestore", restored) == "MEMORY_HANDOVER_STATUS"
    anew = handover | {"handoverId": "anew", "expiresAtHeight": height + 500}
    act(lab, "walt", "prepareMemoryHandover", anew)


@pytest.mark.campaign
def test_a_session_ends_with_its_last_height(lab: Network) -> None:
    owner = lab.agent("walt")
    session = read_session(owner.grant_session(actions=["transfer"], budget="5 NET", expires_in=20))
    owner.stop()
    acting = Actor("walt", session.key, session.session_id)
    lab.client.act("transfer", {"to": "rita", "amount": 5}, actor=acting)
    lab.mine(25)
    with pytest.raises(NetError) as ended:
        lab.client.act("transfer", {"to": "rita", "amount": 5}, actor=acting)
    assert ended.value.code in {"SESSION_EXPIRED", "SESSION_UNKNOWN"}


@pytest.mark.campaign
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
