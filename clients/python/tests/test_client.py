"""The client against a real node: reads, actions, members that it fills in, and lost answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any

import pytest

from netsdk import (
    Actor,
    AgentError,
    AgentKey,
    AmountError,
    AsyncNetClient,
    KeyMaterialError,
    LostAnswerError,
    NetClient,
    NetError,
)
from netsdk.amount import in_unet
from netsdk.contracts import actions_by_name
from netsdk.paths import build_path
from netsdk.protocol.certificates import fingerprint_holds
from netsdk.protocol.hashes import hash_value
from tests.node import RunningNode
from tests.proxy import Proxy

Join = Callable[..., NetClient]
HASH = "ab" * 32
#: A name that is only known when it runs: a checker lets it through.
UNKNOWN: Any = "fly"


def refused(call: Callable[[], Any]) -> NetError:
    with pytest.raises(NetError) as caught:
        call()
    return caught.value


def test_a_path_takes_what_stands_in_braces_and_the_rest_as_its_query() -> None:
    assert build_path("/v1/agents/{agentId}/operations", {"agentId": "a/b?c"}) == "/v1/agents/a%2Fb%3Fc/operations"
    assert build_path("/v1/agents", {"limit": 2, "cursor": None}) == "/v1/agents?limit=2"
    assert build_path("/v1/agent-messages", {"expired": True}) == "/v1/agent-messages?expired=true"
    assert build_path("/v1/agents/{agentId}", {"agentId": "..."}) == "/v1/agents/..."
    for agent_id in (None, "", ".", ".."):
        with pytest.raises(AgentError, match="needs agentId"):
            build_path("/v1/agents/{agentId}", {"agentId": agent_id})


@pytest.mark.scenario
def test_reads_documents_texts_pages_and_items(join: Join) -> None:
    made = [join().actor for _ in range(3)]
    client = join()
    ids = {actor.actor_id for actor in made if actor}
    agent = client.read("/v1/agents/{agentId}", agentId=min(ids))["agent"]
    assert agent["description"] == "made by a test"
    assert client.text("/llms.txt").startswith("#")
    pages = list(client.pages("/v1/agents", limit=2))
    assert all(len(page["agents"]) <= 2 for page in pages)
    found = [agent["agentId"] for agent in client.items("/v1/agents", limit=2)]
    assert ids <= set(found)
    assert len(found) == len(set(found))
    assert fingerprint_holds(client.agent_trust(), "reportHash")


def test_a_list_that_leads_in_a_circle_ends(proxy: Proxy, join: Join) -> None:
    join(), join(), join()
    proxy.tamper(lambda path, document: document | {"nextCursor": "AAAA"})
    proxy_change = proxy.change

    def change(path: str, status: int, content: bytes) -> Any:
        assert proxy_change
        return proxy_change(path, 200, content if status == 200 else b'{"agents": []}')

    proxy.change = change
    with NetClient(proxy.url) as client:
        assert refused(lambda: list(client.pages("/v1/agents"))).code == "HTTP_200"


def test_a_refusal_has_code_path_and_hint(client: NetClient) -> None:
    error = refused(lambda: client.read("/v1/agents/{agentId}", agentId="nobody"))
    assert (error.status, error.code) == (404, "AGENT_NOT_FOUND")
    error = refused(lambda: client.act("transfer", {"to": "nobody", "amount": 0}))
    assert (error.status, error.code, error.path) == (409, "PAYLOAD_INVALID", "/payload/amount")
    assert error.hint
    assert "/payload/amount" in str(error)
    error = refused(lambda: client.act(UNKNOWN, {}))
    assert error.code == "ACTION_UNKNOWN"


def test_nobody_there_is_an_error_of_the_same_family() -> None:
    with NetClient("http://127.0.0.1:1", timeout=2) as client:
        error = refused(client.network)
    assert (error.status, error.code, error.is_refusal) == (0, "UNREACHABLE", False)


def test_what_is_no_document_is_an_error(proxy: Proxy) -> None:
    with NetClient(proxy.url) as client:
        for body in (b"<html>", b"[]", b"[" * 100_000, b"\xff"):
            proxy.change = lambda path, status, content, body=body: (200, {}, body)  # type: ignore[misc]
            assert refused(client.network).code == "NOT_A_NODE"
            assert refused(client.agent_trust).code == "HTTP_200"
        proxy.change = lambda path, status, content: (502, {}, b"<html>bad gateway")
        assert refused(client.network).code == "HTTP_502"


def test_who_does_not_say_who_signs_cannot_act(net: RunningNode) -> None:
    with NetClient(net.url) as client, pytest.raises(TypeError, match="there is no signer"):
        client.act("faucet", {"amount": 1})
    with pytest.raises(TypeError, match="belong together"):
        NetClient(net.url, actor_id="ada")


def test_a_secret_never_leaves_the_machine(proxy: Proxy, operator: Actor) -> None:
    with NetClient(proxy.url, actor_id=operator.actor_id, key=operator.key) as client:
        client.network()
        sent = len(proxy.requests)
        secrets: list[Any] = [{"privateKey": "x"}, {"memo": "-----BEGIN PRIVATE KEY-----"}]
        for secret in secrets:
            with pytest.raises(KeyMaterialError):
                client.act("transfer", {"to": "a", "amount": 1} | secret)
        assert len(proxy.requests) == sent


def test_an_answer_that_gets_lost_is_asked_for_again_and_the_action_happens_once(
    proxy: Proxy, operator: Actor, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    target = join().actor
    assert target
    lost: list[str] = []

    def change(path: str, status: int, content: bytes) -> Any:
        if path == "/v1/intents" and len(lost) < 2:
            lost.append(path)
            return None
        return status, {}, content

    proxy.change = change
    with NetClient(proxy.url, actor_id=operator.actor_id, key=operator.key) as client:
        receipt = client.act("transfer", {"to": target.actor_id, "amount": 7})
        assert [event["type"] for event in receipt["events"]] == ["Transferred"]
        account = client.read("/v1/accounts/{accountId}", accountId=target.actor_id)
    assert account["balance"] == 7
    bodies = {body for _, path, body in proxy.requests if path == "/v1/intents"}
    assert len(lost) == 2
    assert len(bodies) == 1


def test_a_busy_node_is_asked_again_when_it_says(
    proxy: Proxy, operator: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    busy = {"status": 503, "code": "NODE_BUSY", "title": "Busy", "detail": "Wait."}
    times = {"left": 3}

    def change(path: str, status: int, content: bytes) -> Any:
        times["left"] -= 1
        if times["left"] >= 0:
            return 503, {"retry-after": "3"}, json.dumps(busy).encode()
        return status, {}, content

    proxy.change = change
    with NetClient(proxy.url, actor_id=operator.actor_id, key=operator.key) as client:
        client.network()
        assert waited == [3, 3, 3]
        times["left"] = 2
        client.simulate(UNKNOWN, {})
        assert waited == [3] * 5
        times["left"] = 9
        assert refused(client.network).retry_after == 3
        proxy.change = lambda path, status, content: (429, {"retry-after": "86400"}, json.dumps(busy).encode())
        waited.clear()
        assert refused(client.network).retry_after == 86_400
        date = format_datetime(datetime.now(timezone.utc) + timedelta(days=1), usegmt=True)
        proxy.change = lambda path, status, content: (429, {"retry-after": date}, json.dumps(busy).encode())
        assert 86_000 < (refused(client.network).retry_after or 0) <= 86_400
        proxy.change = lambda path, status, content: (429, {"retry-after": "soon"}, json.dumps(busy).encode())
        assert refused(client.network).retry_after is None
        assert waited == []


Told = tuple[int, dict[str, str], bytes]
LOST: list[Told | None] = [None, (502, {}, b"<html>"), (403, {}, b"<html>"), (200, {}, b"<html>")]


def answering(lost: Told | None) -> Callable[[str, int, bytes], Told | None]:
    """Returns a filter that replaces the answer to an intent with ``lost``."""
    return lambda path, status, content: lost if path == "/v1/intents" else (status, {}, content)


def test_an_answer_that_never_comes_is_no_refusal(
    proxy: Proxy, operator: Actor, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    target = join().actor
    assert target
    with NetClient(proxy.url, actor_id=operator.actor_id, key=operator.key) as client:
        for lost in LOST:
            proxy.change = answering(lost)
            with pytest.raises(LostAnswerError) as caught:
                client.act("transfer", {"to": target.actor_id, "amount": 1})
            proxy.change = None
            # It has happened, and asking again does not make it happen twice.
            name = caught.value.transition_hash
            receipt = client.read("/v1/transitions/{transitionHash}", transitionHash=name)["receipt"]
            assert client.send(caught.value.path, caught.value.envelope) == receipt
        account = client.read("/v1/accounts/{accountId}", accountId=target.actor_id)
    assert account["balance"] == 4


def test_what_was_remembered_of_the_chain_is_asked_again_where_it_no_longer_holds(
    proxy: Proxy, operator: Actor, join: Join
) -> None:
    target = join().actor
    assert target
    proxy.tamper(lambda path, document: document | {"height": 9_000} if path == "/v1/network" else document)
    with NetClient(proxy.url, actor_id=operator.actor_id, key=operator.key) as client:
        client.network()
        proxy.change = None
        assert client.act("transfer", {"to": target.actor_id, "amount": 1})["events"]
        asked = [path for _, path, _ in proxy.requests].count("/v1/network")
        client.act("transfer", {"to": target.actor_id, "amount": 1})
        assert [path for _, path, _ in proxy.requests].count("/v1/network") == asked


def test_a_client_that_began_on_one_chain_signs_for_no_other(proxy: Proxy, operator: Actor) -> None:
    with NetClient(proxy.url, actor_id=operator.actor_id, key=operator.key) as client:
        chain_id = client.network()["chainId"]
        proxy.tamper(lambda path, document: document | {"chainId": "other"} if path == "/v1/network" else document)
        client.network()
        proxy.change = lambda path, status, content: (409, {}, b'{"code":"CHAIN_ID_MISMATCH","title":"","detail":""}')
        assert refused(lambda: client.act("withdrawBeacon")).code == "CHAIN_ID_MISMATCH"
    sent = [json.loads(body) for _, path, body in proxy.requests if path == "/v1/intents"]
    assert [envelope["chainId"] for envelope in sent] == [chain_id]


def test_a_mailbox_and_a_beacon_are_filled_in(client: NetClient, join: Join) -> None:
    ada, bob = join("ada"), join("bob")
    assert ada.actor
    assert bob.actor
    beacon: Any = {"endpoint": "https://ada.example/", "capabilities": ["research"], "protocols": ["a2a/1.0"]}
    for sequence in (1, 2):
        ada.act("publishBeacon", beacon)
        told = client.read("/v1/agents/{agentId}", agentId=ada.actor.actor_id)
        assert told["beaconSequence"] == sequence
    for sequence in (1, 2):
        message: Any = {
            "toAgentId": bob.actor.actor_id,
            "conversationId": f"c-{ada.actor.actor_id}",
            "contentHash": HASH,
        }
        receipt = ada.act("sendAgentMessage", message)
        assert receipt["events"][0]["data"]["sequence"] == sequence
    message_id = receipt["events"][0]["data"]["messageId"]
    bob.act("acknowledgeAgentMessage", {"messageId": message_id, "status": "DELIVERED", "receiptHash": HASH})
    for sequence in (1, 2):
        ada.act("submitNodeHeartbeat")
        heartbeat = client.read("/v1/state/proof", key=f"node-heartbeat/{ada.actor.actor_id}")["value"]
        assert heartbeat["sequence"] == sequence


def test_memory_generations_follow_each_other(join: Join, net: RunningNode) -> None:
    ada = join("ada")
    hashes = ["01" * 32, "02" * 32]
    for checkpoint_hash in hashes:
        replicas: Any = [
            {"providerId": f"p{number}", "uri": "https://blobs.example/x", "bundleHash": checkpoint_hash}
            for number in (1, 2)
        ]
        ada.act(
            "commitMemoryCheckpoint",
            {
                "checkpointHash": checkpoint_hash,
                "stateRoot": HASH,
                "chunksRoot": HASH,
                "byteLength": 1,
                "chunkCount": 1,
                "barrier": {"lastInputSequence": 0, "lastOutputSequence": 0},
                "storageReplicas": replicas,
            },
        )
    assert ada.actor
    found = ada.read("/v1/memory/checkpoints", agentId=ada.actor.actor_id)["checkpoints"]
    assert [(each["generation"], each["parentCheckpointHash"]) for each in found] == [(2, hashes[0]), (1, None)]


def test_a_simulation_commits_nothing(client: NetClient, join: Join) -> None:
    target = join().actor
    assert target
    told = client.simulate("transfer", {"to": target.actor_id, "amount": 5})
    assert told["outcome"] == "accepted"
    assert client.simulate("transfer", {"to": target.actor_id, "amount": 0})["outcome"] == "refused"
    account = client.read("/v1/accounts/{accountId}", accountId=target.actor_id)
    assert account["balance"] == 0


def test_amounts_are_words_wherever_the_schema_has_an_amount(client: NetClient, join: Join) -> None:
    ada = join("ada")
    assert ada.actor
    agent_id = ada.actor.actor_id
    client.act("transfer", {"to": agent_id, "amount": "0.5 NET"})
    assert client.read("/v1/accounts/{accountId}", accountId=agent_id)["balance"] == 500_000
    assert client.simulate("transfer", {"to": agent_id, "amount": "0.5NET"})["outcome"] == "accepted"
    for word in ("1 EUR", "5", "0.0000001 NET", "-1 NET", "9999999999 NET", 2.5):
        payload: Any = {"to": agent_id, "amount": word}
        with pytest.raises(AmountError, match=r"^/amount is not an amount: .*Write '5 NET'") as caught:
            client.act("transfer", payload)
        assert (caught.value.code, caught.value.path, caught.value.given) == ("AMOUNT_INVALID", "/amount", str(word))
    ada.act("extendAgentCapabilities", {"actions": ["transfer"]})
    session = ada.grant_session(AgentKey.generate(), ["transfer"], "0.1 NET", max_amount="0.05 NET")
    (granted,) = client.read("/v1/agents/{agentId}", agentId=agent_id)["sessions"]
    assert (granted["sessionId"], granted["budget"], granted["maxAmount"]) == (session.session_id, 100_000, 50_000)
    with pytest.raises(AmountError, match=r"^/budget is not an amount"):
        ada.grant_session(AgentKey.generate(), ["transfer"], "much")


def test_what_a_schema_calls_an_amount_of_net_is_one_and_what_it_does_not_is_not() -> None:
    for name, action in actions_by_name().items():
        for member, schema in action["payload"]["properties"].items():
            is_amount = schema.get("title") == "Amount" or "in unet" in schema.get("description", "")
            given = {member: "1 NET", "other": "1 NET"}
            assert in_unet(name, given) == given | ({member: 1_000_000} if is_amount else {}), (name, member)
    nested = in_unet("createOperatorInvitation", {"capabilities": [{"action": "faucet", "maxAmount": "5 NET"}]})
    assert nested == {"capabilities": [{"action": "faucet", "maxAmount": 5_000_000}]}


def test_registering_again_gives_the_refusal(join: Join) -> None:
    ada = join("ada")
    assert refused(lambda: ada.register("again")).code == "AGENT_EXISTS"


def test_a_session_acts_within_its_bounds_and_not_beyond(client: NetClient, join: Join, net: RunningNode) -> None:
    ada = join("ada")
    assert ada.actor
    agent_id = ada.actor.actor_id
    ada.act("extendAgentCapabilities", {"actions": ["transfer"]})
    client.act("transfer", {"to": agent_id, "amount": 1_000})
    session = ada.grant_session(AgentKey.generate(), ["transfer"], 100, max_amount=60, label="test")
    with NetClient(net.url, actor_id=agent_id, key=session.key, session_id=session.session_id) as limited:
        assert client.actor
        to = client.actor.actor_id
        limited.act("transfer", {"to": to, "amount": 60})
        assert refused(lambda: limited.act("transfer", {"to": to, "amount": 61})).code == "SESSION_AMOUNT_EXCEEDED"
        assert refused(lambda: limited.act("transfer", {"to": to, "amount": 50})).code == "SESSION_BUDGET_EXCEEDED"
        assert refused(lambda: limited.act("withdrawBeacon")).code == "SESSION_ACTION_MISSING"
        ada.act("revokeSession", {"sessionId": session.session_id or ""})
        assert refused(lambda: limited.act("transfer", {"to": to, "amount": 1})).code == "SESSION_UNKNOWN"


def test_a_key_is_rotated_and_the_old_one_is_worth_nothing(join: Join) -> None:
    ada = join("ada")
    old = ada.actor
    assert old
    ada.rotate_key(AgentKey.generate())
    ada.act("extendAgentCapabilities", {"actions": ["faucet"]})
    assert refused(lambda: ada.act("withdrawBeacon", actor=old)).code == "SIGNATURE_INVALID"


def test_a_role_is_applied_for_and_claimed(client: NetClient, join: Join) -> None:
    height = client.network()["height"]
    actor = Actor(f"human-{height}", AgentKey.generate())
    receipt = client.apply(
        {
            "applicationId": f"application-{height}",
            "role": "HUMAN",
            "capabilities": [{"action": "transfer", "maxAmount": 1_000}],
            "profile": {},
            "expiresAtHeight": height + 500,
        },
        actor=actor,
    )
    assert "OperatorInvitationCreated" in [event["type"] for event in receipt["events"]]
    claimed = client.claim(receipt["transitionHash"], actor=actor)
    assert "AuthorityInstalled" in [event["type"] for event in claimed["events"]]


def test_origins_that_agree_and_one_that_lies(net: RunningNode, proxy: Proxy) -> None:
    with NetClient(net.url) as client:
        assert client.compare_trust_reports([]).verdict == "incomplete"
        assert client.compare_trust_reports([proxy.url]).verdict == "agree"
        told = client.compare_trust_reports([proxy.url, "http://127.0.0.1:1"])
        assert told.verdict == "incomplete"
        assert [origin.status for origin in told.origins] == ["answered", "answered", "unreachable"]
        with pytest.raises(ValueError, match="at most 32"):
            client.compare_trust_reports([f"http://127.0.0.1:{port}" for port in range(1, 40)])

        def lie(member: str, again: bool) -> str:
            def alter(path: str, document: Any) -> Any:
                if path != "/v1/agent-trust":
                    return document
                if member == "history":
                    for place in (document["snapshot"], document["comparison"]["recentBlocks"][0]):
                        place["blockHash"] = HASH
                elif member == "network":
                    document["network"]["genesisHash"] = HASH
                elif member == "fork":
                    side = {"blockHash": HASH}
                    document["fork"] = {"height": 1, "reason": "two blocks", "ours": None, "theirs": side}
                elif member == "odd fork":
                    document["fork"] = 1
                elif member == "shape":
                    document = {"schema": document["schema"]}
                else:
                    document["more"] = 1
                if again:
                    document.pop("reportHash", None)
                    document["reportHash"] = hash_value(document)
                return document

            proxy.tamper(alter)
            told = client.compare_trust_reports([proxy.url])
            assert told.verdict == "conflict"
            assert len(told.conflicts) == 1
            return told.conflicts[0].kind

        assert lie("history", again=True) == "HISTORY"
        assert lie("network", again=True) == "NETWORK"
        assert lie("report", again=True) == "REPORT"
        assert lie("fork", again=True) == "FORK"
        assert lie("odd fork", again=True) == "SELF"
        assert lie("shape", again=True) == "SELF"
        assert lie("report", again=False) == "SELF"


@pytest.mark.anyio
async def test_the_asynchronous_client_does_the_same(net: RunningNode, operator: Actor) -> None:
    async with AsyncNetClient(net.url, actor_id="async-ada", key=AgentKey.generate()) as client:
        receipt = await client.register("in asyncio")
        found = await client.read("/v1/transitions/{transitionHash}", transitionHash=receipt["transitionHash"])
        assert found["receipt"] == receipt
        await client.act("extendAgentCapabilities", {"actions": ["faucet", "transfer"]})
        assert (await client.simulate("faucet", {"amount": 1}))["outcome"] == "accepted"
        with pytest.raises(NetError, match="amount") as caught:
            await client.act("faucet", {"amount": 0})
        assert caught.value.code == "PAYLOAD_INVALID"
        ids = [agent["agentId"] async for agent in client.items("/v1/agents", limit=2)]
        assert "async-ada" in ids
        assert (await client.compare_trust_reports([net.url + "/"])).verdict == "incomplete"
        session = await client.grant_session(AgentKey.generate(), ["transfer"], 10)
        assert session.session_id
        await client.act("revokeSession", {"sessionId": session.session_id or ""})
        await client.rotate_key(AgentKey.generate())
        assert (await client.text("/llms.txt")).startswith("#")
        assert (await client.agent_trust())["schema"] == "NET-AGENT-TRUST-REPORT/1"
