"""An agent whose node lies: what it notices by itself, and what it notices because it knows how the chain begins."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx_sse import ServerSentEvent

from netsdk import Agent, AgentError, NetError
from netsdk.events import Cursor, Feed
from netsdk.formats import agent_metadata, generate_encryption_key, public_encryption_key
from tests.proxy import Proxy
from tests.world import NET, World

Open = Callable[..., Agent]


@pytest.fixture
def liar(world: World) -> Iterator[Proxy]:
    proxy = Proxy(world.url)
    yield proxy
    proxy.close()


@pytest.fixture
def opened(world: World, liar: Proxy, tmp_path: Path) -> Iterator[Open]:
    """Opens agents behind the liar, which is honest when they end."""
    agents: list[Agent] = []

    def open_one(agent_id: str, **more: Any) -> Agent:
        options: dict[str, Any] = {"url": liar.url, "keys": str(tmp_path / "keys"), "blobs": world.origins, "log": None}
        agents.append(Agent.open(agent_id, **options, **more))
        return agents[-1]

    yield open_one
    liar.change = None
    for agent in agents:
        agent.stop()


def refusing(code: str, times: int = 1) -> Callable[[str, int, bytes], tuple[int, dict[str, str], bytes]]:
    """Refuses what it has committed."""
    left = [times]

    def change(path: str, status: int, content: bytes) -> tuple[int, dict[str, str], bytes]:
        if path != "/v1/intents" or status >= 300 or left[0] == 0:
            return status, {}, content
        left[0] -= 1
        return 409, {}, json.dumps({"code": code, "title": code, "detail": "a lie", "status": 409}).encode()

    return change


def test_an_agent_opens_at_a_follower_that_does_not_have_the_block_of_its_registration_yet(
    world: World, liar: Proxy, opened: Open
) -> None:
    behind, looks = [0], [0]

    def change(path: str, status: int, content: bytes) -> tuple[int, dict[str, str], bytes]:
        if path == "/v1/agents/register":
            behind[0] = 3
        if behind[0] > 0 and path == "/v1/network":
            return status, {}, json.dumps(json.loads(content) | {"height": 0}).encode()
        if behind[0] > 0 and path == "/v1/agents/lisa":
            behind[0] -= 1
            looks[0] += 1
            return 404, {}, json.dumps({"code": "AGENT_NOT_FOUND", "title": "No such agent", "status": 404}).encode()
        return status, {}, content

    liar.change = change
    opened("lisa", memory=False)
    assert looks == [3]
    assert len(world.events("BeaconPublished", "lisa")) == 1


@pytest.mark.parametrize("code", ["CAPABILITY_MISSING", "INSUFFICIENT_BALANCE"])
def test_a_refusal_that_is_a_lie_does_not_pay_twice(world: World, liar: Proxy, opened: Open, code: str) -> None:
    name = f"payer-{code[:4].lower()}"
    agent = opened(name, memory=False)
    agent.act("extendAgentCapabilities", {"actions": ["faucet", "transfer"]})
    agent.act("faucet", {"amount": 9 * NET})
    before = world.balance(name)
    liar.change = refusing(code)
    # A missing capability is added at once, and the act tried again.
    if code != "CAPABILITY_MISSING":
        with pytest.raises(NetError) as caught:
            agent.act("transfer", {"to": "rita", "amount": NET}, id="rent")
        assert caught.value.code == code
    receipt = agent.act("transfer", {"to": "rita", "amount": NET}, id="rent")
    assert receipt["height"] > 0
    assert before - world.balance(name) == NET


def test_an_act_that_would_be_refused_anyway_gets_no_capability_unless_the_node_cannot_tell(
    world: World, liar: Proxy, opened: Open
) -> None:
    agent = opened("penniless", memory=False)
    offer: dict[str, Any] = {"title": "A poem", "instructions": "Write it.", "funding": "20 NET", "jury": "none"}
    offer |= {"acceptance": [{"kind": "review", "question": "Does it rhyme?"}]}
    refusals: list[bytes] = []

    def change(path: str, status: int, content: bytes) -> tuple[int, dict[str, str], bytes]:
        if path != "/v1/intents:simulate" or not refusals:
            return status, {}, content
        refusal = refusals.pop()
        if not refusal:
            problem = {"code": "ROUTE_NOT_FOUND", "title": "Nothing here", "detail": "a lie", "status": 404}
            return 404, {}, json.dumps(problem).encode()
        return 200, {}, json.dumps(json.loads(content) | {"refusal": json.loads(refusal)}).encode()

    def added() -> list[str]:
        authority = world.client.read("/v1/agents/{agentId}", agentId="penniless")["authority"]
        actions = [one["action"] for one in authority["capabilities"]]
        return [action for action in ("transfer", "createWorkOrder") if action in actions]

    def refused(act: Callable[[], Any]) -> None:
        with pytest.raises(NetError) as caught:
            act()
        assert caught.value.code == "INSUFFICIENT_BALANCE"

    def pay() -> None:
        agent.act("transfer", {"to": "rita", "amount": NET})

    liar.change = change
    refused(pay)
    refused(lambda: agent.hire(**offer))
    assert added() == []
    # Older nodes ignore that they should assume a capability.
    refusals += [b'{"code": "CAPABILITY_MISSING", "detail": "", "errors": []}'] * 2
    refused(lambda: agent.hire(**offer))
    assert added() == ["createWorkOrder"]
    # A gateway may not know the path.
    refusals += [b""]
    refused(pay)
    assert added() == ["transfer", "createWorkOrder"]


@pytest.mark.parametrize("is_anchored", [False, True])
def test_a_node_that_says_that_its_rules_are_older_is_sent_the_genesis(
    world: World, liar: Proxy, opened: Open, is_anchored: bool
) -> None:
    network = world.client.network()
    genesis_hash = network["genesisHash"]
    options = {"memory": False, "genesis_hash": genesis_hash if is_anchored else None}
    name = f"namer-{is_anchored}".lower()
    agent = opened(name, **options)

    def named(one: Agent) -> Any:
        one.act("faucet", {"amount": 1})
        return [json.loads(body) for _, path, body in liar.requests if path == "/v1/intents"][-1].get("genesisHash")

    def older(path: str, document: Any) -> Any:
        rules = {"rules": network["rules"] | {"version": 1}}
        return document | rules if path == "/v1/network" else document

    assert named(agent) == genesis_hash
    liar.tamper(older)
    assert named(agent) == genesis_hash
    agent.stop()
    # A version that an earlier process proved is kept.
    assert named(opened(name, **options)) == genesis_hash


def test_a_receipt_of_another_envelope_is_none(liar: Proxy, opened: Open) -> None:
    agent = opened("receiver", memory=False)
    lies: list[str] = []

    def change(path: str, status: int, content: bytes) -> tuple[int, dict[str, str], bytes]:
        if path != "/v1/intents" or lies:
            return status, {}, content
        lies.append(path)
        document = json.loads(content)
        document["receipt"]["transitionHash"] = "0" * 64
        return status, {}, json.dumps(document).encode()

    liar.change = change
    receipt = agent.act("extendAgentCapabilities", {"actions": ["faucet"]})
    assert lies
    assert receipt["transitionHash"] != "0" * 64


def test_waits_with_its_signature_until_the_node_names_a_height(liar: Proxy, opened: Open) -> None:
    agent = opened("signer", memory=False)
    lies: list[Any] = ["1", -5, 2**60]
    liar.tamper(
        lambda path, document: document | {"height": lies.pop()} if path == "/v1/network" and lies else document
    )
    # With one of these heights the envelope would have expired, or could never be accepted.
    assert agent.act("faucet", {"amount": 1})["events"]
    assert lies == []
    liar.change = None


def test_a_stream_cannot_make_its_reader_spin(world: World) -> None:
    feed = Feed(world.client.api, {}, Cursor(None))
    feed.event(ServerSentEvent(retry=0))
    assert feed.wait >= 0.5


def test_another_order_or_other_terms_are_not_taken(world: World, liar: Proxy, opened: Open) -> None:
    agent = opened("exact", memory=False)
    order_id = world.order(world.scope().data, agentId="exact")

    def other(path: str, document: Any) -> Any:
        return document | {"order": document["order"] | {"orderId": "other"}} if "work-orders/" in path else document

    liar.tamper(other)
    for ask in (lambda: agent.offer(order_id), lambda: agent.deliver(order_id, "x")):
        with pytest.raises(AgentError) as caught:
            ask()
        assert caught.value.code == "ANSWER_MISMATCHED"


def test_with_an_anchor_what_decides_is_proven(world: World, liar: Proxy, opened: Open) -> None:
    genesis_hash = world.client.network()["genesisHash"]
    bob = opened("bob-sealed", memory=False)
    agent = opened("ann", genesis_hash=genesis_hash)
    own = generate_encryption_key()
    forged = agent_metadata.make(
        {
            "schema": "NET-AGENT-METADATA/1",
            "agentId": "bob-sealed",
            "description": "",
            "encryptionKey": public_encryption_key(own),
            "blobs": [],
        }
    )
    world.store(forged.data)

    def lie(path: str, document: Any) -> Any:
        if path == "/v1/network":
            return document | {"height": 1_000_000_000}
        if path.startswith("/v1/agents/bob-sealed"):
            return document | {"beacon": document["beacon"] | {"metadataHash": forged.hash}}
        if "work-orders/" in path:
            return document | {"order": document["order"] | {"funding": 1, "status": "PAID"}}
        return document

    liar.tamper(lie)
    # Sealed to the key of bob, who can read it; and an envelope does not live for ever.
    sent = agent.send("bob-sealed", "secret")
    assert own["kid"].encode() not in agent.fetch(sent.content_hash)
    rows = world.client.read("/v1/agent-messages", conversationId=sent.conversation_id)["messages"]
    assert bob.open_message(rows[0]).text == "secret"
    assert rows[0]["expiresAtHeight"] < 1_000_000
    order_id = world.order(world.scope().data, agentId="ann")
    order = agent.offer(order_id).order
    assert (order["funding"], order["status"]) == (10 * NET, "OPEN")
    liar.change = None
    # A sender that has not said it.
    said = bob.send("ann", "pay bob")
    [facts] = world.client.read("/v1/agent-messages", conversationId=said.conversation_id)["messages"]
    assert agent.open_message(facts).text == "pay bob"
    for wrong in ({"fromAgentId": "rita"}, {"sequence": 2}, {"messageId": "m-other"}):
        with pytest.raises(AgentError) as caught:
            agent.open_message(facts | wrong)
        assert caught.value.code == "ANSWER_NOT_PROVEN"
    # A memory that is hidden, a receipt that is made up.
    agent.memory.set("seen", 1)
    agent.memory.commit()
    liar.tamper(lambda path, document: document | {"value": None} if path.startswith("/v1/state/proof") else document)
    with pytest.raises(AgentError) as caught:
        opened("ann-twin", genesis_hash=genesis_hash)
    assert caught.value.code == "ANSWER_NOT_PROVEN"

    def emptied(path: str, document: Any) -> Any:
        if not path.startswith("/v1/transitions/"):
            return document
        return document | {"receipt": document["receipt"] | {"events": []}}

    liar.tamper(emptied)
    with pytest.raises(AgentError) as caught:
        agent.act("extendAgentCapabilities", {"actions": ["faucet"]}, id="e")
    assert caught.value.code == "ANSWER_NOT_PROVEN"
    liar.change = None
    agent.act("extendAgentCapabilities", {"actions": ["faucet"]}, id="e")
    assert len(world.events("AgentCapabilitiesExtended", "ann")) == 1


def test_another_chain_is_refused(opened: Open) -> None:
    with pytest.raises(AgentError) as caught:
        opened("ann-elsewhere", genesis_hash="ab" * 32)
    assert caught.value.code == "ANSWER_NOT_PROVEN"
