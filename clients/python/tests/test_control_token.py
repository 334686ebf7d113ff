from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from netsdk import NetClient, NetError
from netsdk.control_token import control_headers

URL = "http://127.0.0.1:8420"
LAB = "/v1/lab/mine"


def test_it_is_given_else_left_by_the_node_else_in_the_environment_for_the_node_of_net_url(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("NET_CONTROL_TOKEN", raising=False)
    monkeypatch.delenv("NET_URL", raising=False)
    assert control_headers(URL, LAB, {}) == {}
    (tmp_path / ".netd/control").mkdir(parents=True)
    (tmp_path / ".netd/control/8420").write_text("left\n")
    assert control_headers(URL, LAB, {}) == {"x-net-control": "left"}
    assert control_headers("http://127.0.0.1:8421", LAB, {}) == {}
    assert control_headers("https://lab.example:8420", LAB, {}) == {}
    monkeypatch.setenv("NET_CONTROL_TOKEN", "configured")
    assert control_headers(URL, LAB, {}) == {"x-net-control": "left"}
    (tmp_path / ".netd/control/8420").unlink()
    configured = {"x-net-control": "configured"}
    assert control_headers(URL, LAB, {}) == configured, "the default of NET_URL"
    assert control_headers("http://127.0.0.1:8421", LAB, {}) == {}, "another program here"
    monkeypatch.setenv("NET_URL", "http://localhost:8421/net/")
    assert control_headers("http://localhost:8421/net", LAB, {}) == configured
    assert control_headers(URL, LAB, {}) == {}, "not the node that the variable names"
    monkeypatch.setenv("NET_URL", "https://lab.example")
    assert control_headers("https://lab.example", LAB, {}) == {}
    assert control_headers("https://lab.example", LAB, {}, "given") == {"x-net-control": "given"}


@pytest.mark.parametrize("path", ["lab/time", "work-orders", "memory/checkpoints", "memory/handovers"])
def test_it_goes_with_laboratory_calls_and_unsigned_writes(path: str) -> None:
    assert control_headers(URL, f"/v1/{path}", {}, "given") == {"x-net-control": "given"}
    assert control_headers(URL, f"/v1/{path}", {"signature": ""}, "given") == {}


def test_it_goes_with_nothing_else() -> None:
    assert control_headers(URL, "/v1/intents:simulate", {}, "given") == {}


@pytest.mark.parametrize(("given", "expected"), [("given", [None, "given"]), (None, [None])])
def test_it_follows_with_an_intent_that_is_refused_for_want_of_it_once(
    given: str | None, expected: list[str | None]
) -> None:
    sent: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers.get("x-net-control"))
        problem = b'{"code": "CONTROL_TOKEN_REQUIRED", "detail": "It wants the secret"}'
        return httpx.Response(403, stream=httpx.ByteStream(problem))

    http = httpx.Client(transport=httpx.MockTransport(answer))
    client = NetClient("https://lab.example", http=http, control_token=given)
    with pytest.raises(NetError, match="CONTROL_TOKEN_REQUIRED"):
        client.send("/v1/intents", {"actorId": "ada", "signature": "by anybody"})
    assert sent == expected
