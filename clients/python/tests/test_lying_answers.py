"""Answers that no node gives: a client refuses them by a code, and an agent asks again later."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import pytest

from netsdk import AgentError, AgentKey, AsyncNetClient, NetClient, NetError
from netsdk.agent.emitter import Emitter
from netsdk.agent.hired import AsyncHired
from netsdk.agent.home import AgentState, GenesisBinding
from netsdk.agent.messages import SentMessage, await_answer
from netsdk.agent.parts import Parts
from netsdk.agent.retrying_client import RetryingClient
from netsdk.api import Actor, Api, Facts
from netsdk.flow import Answer
from netsdk.protocol.hashes import hash_value

STATUS = {"chainId": "net-test", "height": 5, "blockHash": "b" * 64, "genesisHash": "a" * 64}


class Liar:
    """Answers each request with a status and a body, as the test says."""

    def __init__(self) -> None:
        self.answer: Callable[[str, dict[str, str]], tuple[int, Any]] = lambda path, query: (200, {})
        self.asked: list[str] = []
        liar = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                liar.asked.append(self.path)
                parts = urlsplit(self.path)
                status, body = liar.answer(
                    parts.path, {name: given[0] for name, given in parse_qs(parts.query).items()}
                )
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_POST = do_GET

            def log_message(self, format: str, *args: Any) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def liar() -> Iterator[Liar]:
    made = Liar()
    yield made
    made.close()


class Pausing(RetryingClient):
    """Ends the test at the first pause: from then on it would ask again later."""

    async def pause(self, seconds: float) -> None:
        raise AgentError("AGENT_STOPPED", "a pause")


def test_a_list_that_leads_in_a_circle_ends(liar: Liar) -> None:
    following = {None: "A", "A": "B", "B": "A"}
    liar.answer = lambda path, query: (200, {"agents": [], "nextCursor": following[query.get("cursor")]})
    with NetClient(liar.url) as client, pytest.raises(NetError, match="read before"):
        list(islice(client.pages("/v1/agents"), 10))
    assert len(liar.asked) == 3


@pytest.mark.parametrize("nexts", [["7.0", "8.0", "7.0"], ["7.0", "7.0"], ["banana"], [5]])
@pytest.mark.anyio
async def test_events_of_an_order_that_lead_in_a_circle_are_asked_for_later(liar: Liar, nexts: list[Any]) -> None:
    left = [*nexts]

    def answer(path: str, query: dict[str, str]) -> tuple[int, Any]:
        return 200, {"events": [], "next": left.pop(0) if left else "9.0", "more": len(liar.asked) < 20}

    liar.answer = answer
    told: list[Any] = []
    events = Emitter(None)
    events.on("warning", told.append)
    async with AsyncNetClient(liar.url) as client:
        parts = SimpleNamespace(
            client=Pausing(client, None, events), events=events, watch=lambda: None, order_feeds=set()
        )
        await AsyncHired(cast(Parts, parts), "order-1", {}, since=6)._hear()
    assert len(liar.asked) == len(nexts)


@pytest.mark.parametrize("facts", [{}, {"kind": "RESPONSE", "messageId": 5}])
@pytest.mark.anyio
async def test_an_answer_with_malformed_messages_is_none(liar: Liar, facts: Any) -> None:
    liar.answer = lambda path, query: (200, {"messages": [facts]})
    async with AsyncNetClient(liar.url) as client:
        parts = SimpleNamespace(
            client=Pausing(client, None, Emitter(None)), poller=SimpleNamespace(wakes=0), agent_id="ada"
        )
        with pytest.raises(NetError, match="a message of the answer is malformed"):
            await await_answer(cast(Parts, parts), SentMessage("m-1", "c-1", "a" * 64), "bea", 1.0)


@pytest.mark.parametrize("errors", [5, [5], [{"path": 1, "message": "x"}], "x", {"path": "/x"}])
def test_a_refusal_that_breaks_its_form_is_the_answer_of_something_else(liar: Liar, errors: Any) -> None:
    problem = {"title": "t", "detail": "d", "code": "AGENT_NOT_FOUND", "status": 404, "errors": errors}
    liar.answer = lambda path, query: (404, problem)
    with NetClient(liar.url) as client, pytest.raises(NetError) as caught:
        client.read("/v1/agents/{agentId}", agentId="ada")
    assert (caught.value.code, caught.value.status, caught.value.problem) == ("HTTP_404", 404, None)


@pytest.mark.parametrize("height", ["5", -1, 2**60, None, 1.5, True])
def test_the_status_of_a_network_has_a_height(liar: Liar, height: Any) -> None:
    liar.answer = lambda path, query: (200, STATUS | {"height": height})
    with NetClient(liar.url) as client, pytest.raises(NetError) as caught:
        client.network()
    assert caught.value.status == 200


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (403, b"<html>"),
        (404, b"<html>"),
        (404, {"message": "no route"}),
        (200, b"<html>"),
        (200, b'{"agent": '),
    ],
)
@pytest.mark.anyio
async def test_what_a_proxy_says_is_no_answer_of_the_node(liar: Liar, status: int, body: Any) -> None:
    liar.answer = lambda path, query: (status, body)
    told: list[Any] = []
    events = Emitter(None)
    events.on("offline", told.append)
    async with AsyncNetClient(liar.url) as client:
        with pytest.raises(AgentError, match="a pause"):
            await Pausing(client, None, events).find("/v1/agents/{agentId}", agentId="ada")
    await events.heard()
    assert len(told) == 1


@pytest.mark.anyio
async def test_an_outage_names_the_address(liar: Liar) -> None:
    told: list[Any] = []
    events = Emitter(None)
    events.on("offline", told.append)
    async with AsyncNetClient("http://127.0.0.1:1") as client:
        with pytest.raises(AgentError, match="a pause"):
            await Pausing(client, None, events).read("/v1/agents")
    await events.heard()
    assert "http://127.0.0.1:1" in told[0]["reason"]


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ([None], "a pause"),
        ([5], "a pause"),
        (["f" * 64, "a" * 64], None),
        (["f" * 64, None], "a pause"),
        (["f" * 64, "f" * 64, "f" * 64], "CHAIN_REPLACED"),
    ],
)
@pytest.mark.anyio
async def test_only_another_genesis_that_is_told_again_ends_an_agent(
    liar: Liar, told: list[Any], code: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("netsdk.api.BEFORE_REPLACED", 0.0)
    left = [*told]
    liar.answer = lambda path, query: (200, STATUS | {"genesisHash": left.pop(0)} if left else STATUS)
    ends: list[AgentError] = []
    async with AsyncNetClient(liar.url) as client:
        line = Pausing(client, None, Emitter(None))
        line.binding = GenesisBinding(cast("AgentState", None), "net-test", "a" * 64)
        line.bind_to(ends.append)
        if code is None:
            await line.persist(line._check_chain)
        else:
            with pytest.raises(AgentError, match=code):
                await line.persist(line._check_chain)
    assert [end.code for end in ends] == (["CHAIN_REPLACED"] if code == "CHAIN_REPLACED" else [])


@pytest.mark.anyio
async def test_a_missing_document_makes_the_client_check_the_genesis(
    liar: Liar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("netsdk.api.BEFORE_REPLACED", 0.0)
    genesis = ["a" * 64]
    missing = {"code": "AGENT_NOT_FOUND", "detail": "No such agent"}
    liar.answer = lambda path, query: (
        (200, STATUS | {"genesisHash": genesis[0]}) if path == "/v1/network" else (404, missing)
    )
    ends: list[AgentError] = []
    async with AsyncNetClient(liar.url) as client:
        line = Pausing(client, None, Emitter(None))
        line.binding = GenesisBinding(cast("AgentState", None), "net-test", "a" * 64)
        line.bind_to(ends.append)
        assert await line.find("/v1/agents/{agentId}", agentId="ada") is None
        genesis[0] = "f" * 64
        with pytest.raises(AgentError, match="CHAIN_REPLACED"):
            await line.find("/v1/agents/{agentId}", agentId="ada")
    assert [end.code for end in ends] == ["CHAIN_REPLACED"]


def played(flow: Any, statuses: list[dict[str, Any]]) -> list[Any]:
    """Runs a flow before a node that answers with these statuses, the last for ever, and returns what it was sent."""
    sent: list[Any] = []
    try:
        request = next(flow)
        while True:
            if request.method == "GET":
                answer: Any = statuses.pop(0) if len(statuses) > 1 else statuses[0]
            else:
                sent.append(json.loads(request.body))
                answer = {"receipt": {"height": 6, "transitionHash": hash_value(sent[-1])}}
            request = flow.send(Answer(200, {}, json.dumps(answer).encode()))
    except StopIteration:
        return sent


def test_names_the_genesis_from_version_2_of_the_rules_on_and_never_falls_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("netsdk.api.FACTS_LIFETIME", -1.0)
    first, second = ([STATUS | {"rules": {"version": version}}] for version in (1, 2))
    api, ada, session = Api("http://127.0.0.1:1", 1.0), Actor("ada", AgentKey.generate()), AgentKey.generate()
    grant: dict[str, Any] = {"actions": ["faucet"], "budget": 0, "session_id": None, "expires_at_height": None}

    def genesis_in_all(statuses: list[dict[str, Any]]) -> list[Any]:
        flows = [
            api.act(ada, "faucet", {"amount": 1}),
            api.register(ada, None, None),
            api.rotate_key(ada, AgentKey.generate()),
            api.grant_session(ada, session, **grant, max_amount=None, label=None),
        ]
        envelopes = [played(flow, statuses)[0] for flow in flows]
        found = [each.get("genesisHash") for each in envelopes]
        return [*found, *(each["payload"].get("genesisHash") for each in envelopes[2:])]

    # A node older than the versions names none.
    assert genesis_in_all([STATUS]) == genesis_in_all(first) == [None] * 6
    assert genesis_in_all(second) == ["a" * 64] * 6
    assert genesis_in_all([first[0] | {"genesisHash": "b" * 64}]) == ["a" * 64] * 6


def test_leaves_a_payload_of_version_2_to_the_node_whatever_version_it_claims() -> None:
    api, payload = Api("http://127.0.0.1:1", 1.0), {"orderId": "o-1", "funding": 1, "jury": "none"}
    flow = api.act(Actor("ada", AgentKey.generate()), "createWorkOrder", payload)
    assert played(flow, [STATUS | {"rules": {"version": 1}}])[0]["payload"]["jury"] == "none"


@pytest.mark.parametrize(
    ("url", "height", "sent"),
    [("https://node.example", 400, 1), ("https://node.example", 1_100, 2), ("http://127.0.0.1:1", 400, 2)],
)
def test_no_second_intent_of_an_act_expires_earlier(url: str, height: int, sent: int) -> None:
    api = Api(url, 1.0)
    api._facts = Facts("net-test", 1_000, time.monotonic() - 1)
    api._loaded_at = api._facts.at
    intents: list[Any] = []

    def node(request: Any) -> Answer:
        if request.method == "GET":
            return Answer(200, {}, json.dumps(STATUS | {"height": height}).encode())
        intents.append(json.loads(request.body))
        problem = {"code": "INTENT_EXPIRED", "status": 409, "title": "t", "detail": "d"}
        return Answer(409, {"content-type": "application/problem+json"}, json.dumps(problem).encode())

    def act() -> None:
        flow = api.act(Actor("ada", AgentKey.generate()), "faucet", {"amount": 1})
        request = next(flow)
        while True:
            request = flow.send(node(request))

    with pytest.raises(NetError, match="INTENT_EXPIRED"):
        act()
    assert len(intents) == sent
    assert len({intent["nonce"] for intent in intents}) == 1
