"""Mistakes of a program: each is refused with a code, the place, and what to write instead."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any, cast

import pytest

from netsdk import AgentError, AgentKey, AsyncAgent, NetClient, NetError, NetsdkError
from netsdk.agent.own_acts import refusal_of
from netsdk.agent.parts import Bound
from netsdk.arguments import did_you_mean
from netsdk.paths import build_path
from netsdk.tools import AgentToolsError

MISTAKEN = Callable[[NetClient], Any]


class Elsewhere(BaseHTTPRequestHandler):
    """Answers every path with what the test sets."""

    status = 200
    body = b""

    def do_GET(self) -> None:
        self.send_response(type(self).status)
        self.end_headers()
        self.wfile.write(type(self).body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("127.0.0.1:8420", "write http://127.0.0.1:8420"),
        ("localhost:8420", "write http://localhost:8420"),
        ("http://127.0.0.1:8420/v1", "ends in /v1: write http://127.0.0.1:8420)"),
        ("http://127.0.0.1:8420/?x=secret", "'http://127.0.0.1:8420/?***' has a query"),
        ("127.0.0.1:8420?x=secret", "write http://127.0.0.1:8420?***"),
        ("ada:secret@127.0.0.1/#secret", "'***@127.0.0.1/#***'"),
        ("http://me:secret@127.0.0.1:8420", "'http://***@127.0.0.1:8420' has a name or password"),
        ("ftp://127.0.0.1", "has the scheme ftp:"),
        ("http://", "is not an address"),
        ("http://127.0.0.1:99999", "is not an address"),
        ("http://[::1", "is not an address"),
        (8420, "is not a text"),
    ],
)
@pytest.mark.anyio
async def test_an_address_that_is_none_is_refused(url: Any, hint: str) -> None:
    with pytest.raises(AgentError) as caught:
        NetClient(url)
    assert (caught.value.code, caught.value.data) == ("URL_INVALID", {"path": "/url"})
    assert hint in str(caught.value)
    assert "secret" not in str(caught.value)
    with pytest.raises(AgentError) as caught:
        await AsyncAgent.open("ada", url=url)
    assert caught.value.code == "URL_INVALID"


def test_an_address_may_have_a_path_and_a_slash_at_its_end() -> None:
    assert NetClient("http://host/net/").url == "http://host/net"


@pytest.mark.parametrize(
    ("body", "status", "found"),
    [
        ('{"name":"another API","version":2}', 200, "JSON that has name, version"),
        ("{}", 200, "an empty object"),
        ("[]", 200, "no JSON document"),
        ("<html>", 404, "status 404"),
    ],
)
@pytest.mark.anyio
async def test_something_else_than_a_node_is_told_from_one(url: str, body: str, status: int, found: str) -> None:
    Elsewhere.body, Elsewhere.status = body.encode(), status
    with pytest.raises(NetError) as caught:
        NetClient(url).network()
    assert caught.value.code == "NOT_A_NODE"
    assert found in str(caught.value)
    with pytest.raises(NetError) as caught:
        await AsyncAgent.open("ada", url=url)
    assert caught.value.code == "NOT_A_NODE"


@pytest.mark.parametrize("agents", ['{"agents":7}', "{}", '{"agents":[null]}', '{"agents":["ada"]}'])
def test_an_answer_whose_list_is_none_is_not_from_a_node(url: str, agents: str) -> None:
    Elsewhere.body, Elsewhere.status = agents.encode(), 200
    for mistake in (lambda: NetClient(url).read("/v1/agents"), lambda: next(NetClient(url).items("/v1/agents"))):
        with pytest.raises(NetError) as caught:
            mistake()
        assert caught.value.code == "HTTP_200"


@pytest.mark.parametrize("refusal", [{}, {"code": 1}, {"code": "X", "detail": []}, [], 7])
def test_a_simulation_whose_refusal_has_no_form_of_one_is_refused(refusal: Any) -> None:
    with pytest.raises(NetError) as caught:
        refusal_of({"refusal": refusal})
    assert caught.value.code == "HTTP_200"


@pytest.mark.parametrize(
    ("mistake", "code", "path", "said"),
    [
        (lambda c: c.read("/v1/agents", limt=3), "OPTION_UNKNOWN", "/limt", "did you mean limit?"),
        (lambda c: next(c.items("/v1/work-orders", statu="OPEN")), "OPTION_UNKNOWN", "/statu", "mean status?"),
        (lambda c: c.read("/v1/network", limit=3), "OPTION_UNKNOWN", "/limit", '/v1/network: "limit"'),
        (lambda c: c.events(after="banana"), "ARGUMENT_INVALID", "/after", "such as 12.0"),
        (lambda c: c.events(since="12.0"), "ARGUMENT_INVALID", "/since", "is no cursor"),
        (lambda c: c.events(since="12.0." + 64 * "a", after="0.0"), "ARGUMENT_INVALID", "/since", "leave them out"),
        (lambda c: c.get("v1/agents"), "ARGUMENT_INVALID", "/path", "begins with a slash"),
        (lambda c: c.post("x", {}), "ARGUMENT_INVALID", "/path", "begins with a slash"),
        (lambda c: c.post("/v1/lab/time", {"seconds": float("nan")}), "VALUE_NOT_JSON", "/seconds", "nan"),
    ],
)
def test_a_mistaken_argument_is_refused(mistake: MISTAKEN, code: str, path: str, said: str) -> None:
    with pytest.raises(AgentError) as caught:
        mistake(NetClient("http://127.0.0.1:1"))
    assert (caught.value.code, caught.value.data) == (code, {"path": path})
    assert said.lower() in str(caught.value).lower()


@pytest.mark.parametrize(
    ("agent_id", "options", "code"),
    [
        (5, {}, "AGENT_ID_INVALID"),
        (None, {}, "AGENT_ID_INVALID"),
        ("ada", {"capabilities": "abc"}, "ARGUMENT_INVALID"),
        ("ada", {"capabilities": [1]}, "ARGUMENT_INVALID"),
        ("ada", {"blobs": "http://127.0.0.1:1"}, "ARGUMENT_INVALID"),
    ],
)
@pytest.mark.anyio
async def test_an_agent_is_not_opened_with_a_mistaken_name_or_list(agent_id: Any, options: Any, code: str) -> None:
    with pytest.raises(AgentError) as caught:
        await AsyncAgent.open(agent_id, url="http://127.0.0.1:1", **options)
    assert caught.value.code == code


@pytest.mark.parametrize("timeout", ["30", -1, 0, float("nan"), float("inf"), True, None])
def test_a_timeout_that_is_no_number_of_seconds_is_refused(timeout: Any) -> None:
    with pytest.raises(AgentError, match="is no number of seconds") as caught:
        NetClient("http://127.0.0.1:1", timeout=timeout)
    assert (caught.value.code, caught.value.data) == ("ARGUMENT_INVALID", {"path": "/timeout"})


WRONG: dict[str, Callable[[AsyncAgent], Any]] = {
    "/timeout": lambda agent: agent.ask("bea", "q", timeout="10s"),  # type: ignore[arg-type]
    "/to_agent_id": lambda agent: agent.send(5, "x"),  # type: ignore[arg-type]
    "/actions": lambda agent: agent.grant_session(actions="faucet", budget=0),
    "/expires_in": lambda agent: agent.grant_session(actions=[], budget=0, expires_in="9"),  # type: ignore[arg-type]
    "/origins": lambda agent: agent.fetch("a" * 64, "http://127.0.0.1:1"),
    "/requirements": lambda agent: agent.hire(
        title="t", instructions="i", acceptance=[], funding=1, requirements="abc"
    ),
    "/payload": lambda agent: agent.act("faucet", 5),  # type: ignore[call-overload]
    "/trusted_origins": lambda agent: AsyncAgent.open_session("file", trusted_origins="abc"),
    "/capabilities": lambda agent: AsyncAgent.open_session("file", capabilities="abc"),
}


@pytest.mark.parametrize("path", WRONG)
@pytest.mark.anyio
async def test_an_agent_refuses_numbers_lists_and_texts_of_the_wrong_kind(path: str) -> None:
    async def live(begin: Callable[[], Any], bound: Bound) -> Any:
        return await begin()

    parts = SimpleNamespace(agent_id="ada", chain_id="c", client=SimpleNamespace(net_client=None), live=live)
    agent = AsyncAgent(cast(Any, parts), cast(Any, None), cast(Any, None), keys=None)
    with pytest.raises(AgentError) as caught:
        await WRONG[path](agent)
    assert (caught.value.code, caught.value.data) == ("ARGUMENT_INVALID", {"path": path})


@pytest.mark.parametrize(
    "wrong",
    [
        lambda c: c.get(None),
        lambda c: c.text(5),
        lambda c: c.post("/x", None),
        lambda c: c.send("/v1/intents", None),
        lambda c: c.act("faucet", 5),
        lambda c: c.simulate("faucet", None),
        lambda c: c.compare_trust_reports("abc"),
        lambda c: c.events(silence="45"),
        lambda c: c.read("/v1/agents/{agentId}"),
        lambda c: c.read(5),
    ],
)
def test_a_client_refuses_arguments_of_the_wrong_type_by_a_code(wrong: MISTAKEN) -> None:
    client = NetClient("http://127.0.0.1:1", actor_id="ada", key=AgentKey.generate())
    with pytest.raises(NetsdkError):
        wrong(client)


def test_none_and_paths_of_a_newer_node_pass() -> None:
    assert build_path("/v1/agents", {"limit": None, "other": None}) == "/v1/agents"
    assert build_path("/v1/newer", {"a": 1}) == "/v1/newer?a=1"


def test_the_nearest_words_are_named() -> None:
    words = ["publishBeacon", "faucet", "transfer", "transferToken"]
    assert did_you_mean("publishBecon", words) == "; did you mean publishBeacon?"
    assert did_you_mean("trans", words) == "; did you mean transfer or transferToken?"
    assert did_you_mean("x", words) == ""


def test_a_mistake_of_tools_has_a_code_and_lists_what_the_session_has() -> None:
    error = AgentToolsError("the session has no tool 'agent_fly'", ["agent_pay"], "TOOL_UNKNOWN")
    assert isinstance(error, NetsdkError)
    assert (error.code, error.data) == ("TOOL_UNKNOWN", {"tools": ["agent_pay"]})
    assert AgentToolsError("x").code == "TOOLS_FAILED"
    assert json.dumps(error.data)
