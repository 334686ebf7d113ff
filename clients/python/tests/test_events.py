"""The event feed: once each and in order, over whatever breaks."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from netsdk import AgentError, AsyncNetClient, NetClient, NetError, NetEvent
from netsdk import events as feed
from tests.node import HANGS, RunningNode

Join = Callable[..., NetClient]


class Streams:
    """Answers each connection to /v1/events with the next of some texts, and then breaks it."""

    def __init__(self, *texts: bytes) -> None:
        self.asked: list[str] = []
        self.genesis = "a" * 64
        #: Geneses that it names first.
        self.lies: list[str] = []
        self._texts = list(texts)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while self._texts:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                request = b""
                while b"\r\n\r\n" not in request:
                    request += connection.recv(65_536)
                if request.startswith(b"GET /v1/network"):
                    connection.sendall(self._network())
                    continue
                self.asked.append(request.decode().lower())
                text = self._texts.pop(0)
                if not text.startswith(b"HTTP/"):
                    text = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + text
                try:
                    connection.sendall(text)
                except OSError:
                    pass

    def _network(self) -> bytes:
        genesis = self.lies.pop(0) if self.lies else self.genesis
        body = b'{"chainId":"net-test","height":0,"blockHash":"%s","genesisHash":"%s"}' % (b"b" * 64, genesis.encode())
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
        return head.encode() + b"connection: close\r\n\r\n" + body

    def close(self) -> None:
        self._socket.close()

    def last_ids(self) -> list[str]:
        return [request.split("last-event-id: ")[1].split("\r\n")[0] for request in self.asked]


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    return waits


def event(event_id: str, kind: str = "Transferred") -> bytes:
    height = event_id.split(".")[0]
    return f'id: {event_id}\nevent: {kind}\ndata: {{"height":{height},"type":"{kind}","data":{{}}}}\n\n'.encode()


@pytest.fixture
def streams() -> Iterator[Callable[..., Streams]]:
    made: list[Streams] = []

    def make(*texts: bytes) -> Streams:
        made.append(Streams(*texts))
        return made[-1]

    yield make
    for each in made:
        each.close()


def ids(client: NetClient, count: int, after: str = "0.0") -> list[str]:
    stream = client.events(after=after)
    found = [event.id for event in islice(stream, count)]
    stream.close()  # type: ignore[attr-defined]
    return found


def test_every_event_once_and_in_order_over_broken_connections(
    streams: Callable[..., Streams], waited: list[float]
) -> None:
    cut = event("2.1")[:-20]
    server = streams(event("1.0") + event("2.0") + cut, b"", event("2.1") + b": heartbeat\n\n" + event("3.0"))
    with NetClient(server.url) as client:
        assert ids(client, 4) == ["1.0", "2.0", "2.1", "3.0"]
    assert server.last_ids() == ["0.0", "2.0", "2.0"]
    assert len(waited) == 2


def test_the_stream_says_how_long_to_wait_and_a_busy_node_too(
    streams: Callable[..., Streams], waited: list[float]
) -> None:
    busy = b"HTTP/1.1 503 Busy\r\nretry-after: 7\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    server = streams(b"retry: 500\n\n" + event("1.0"), busy, b"retry: 9999999\n\n", event("2.0"))
    with NetClient(server.url) as client:
        assert ids(client, 2) == ["1.0", "2.0"]
    assert waited == [0.5, 7, 30]


@pytest.mark.parametrize("texts", [[event("1.0") + event("1.1")], []])
def test_closing_the_client_ends_its_events(streams: Callable[..., Streams], texts: list[bytes]) -> None:
    client = NetClient(streams(*texts, b"").url)
    # Without an event, the client is closed while the reader waits to connect again.
    threading.Timer(0.2, client.close).start()
    seen = []
    for told in client.events(after="0.0"):
        seen.append(told.id)
        client.close()
    assert seen in ([], ["1.0"], ["1.0", "1.1"])
    with pytest.raises(NetError, match="the client is closed"):
        client.get("/v1/agents")


def test_a_refusal_of_the_request_ends_it(net: RunningNode) -> None:
    with NetClient(net.url) as client, pytest.raises(NetError) as caught:
        next(client.events(type="Nonsense"))
    assert caught.value.status == 400


def test_a_stream_that_never_ends_an_event_is_left(
    streams: Callable[..., Streams], waited: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "MAX_PENDING", 4096)
    server = streams(b"data: " + b"x" * 100_000, event("1.0"))
    with NetClient(server.url) as client:
        assert ids(client, 1) == ["1.0"]
    assert len(waited) == 1


def test_what_is_no_event_is_not_handed_out(streams: Callable[..., Streams], waited: list[float]) -> None:
    wrong = [b"data: {\n\n", b"data: []\n\n", b'data: {"height":1}\n\n']
    html = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<html>"
    server = streams(*wrong, html, event("1.0"))
    with NetClient(server.url) as client:
        assert ids(client, 1) == ["1.0"]
    assert len(waited) == 4


def test_a_laboratory_that_went_back_is_followed_from_there(
    streams: Callable[..., Streams], waited: list[float]
) -> None:
    server = streams(event("7.0") + event("3.65535", feed.RESET), event("4.0"))
    with NetClient(server.url) as client:
        assert ids(client, 2) == ["7.0", "4.0"]
    assert server.last_ids() == ["0.0", "3.65535"]


@pytest.mark.scenario
def test_a_real_node_tells_what_happened_and_what_happens(net: RunningNode, join: Join) -> None:
    ada = join("ada")
    assert ada.actor
    agent_id = ada.actor.actor_id
    stream = ada.events(after="0.0", agent=agent_id)
    assert next(stream).type == "AgentRegistered"
    ada.act("extendAgentCapabilities", {"actions": ["faucet"]})
    extended = next(stream)
    assert extended.type == "AgentCapabilitiesExtended"
    # "Now" begins when it is asked for, not when the first event comes.
    ada.act("faucet", {"amount": 1_000})
    later = ada.events(after=extended.id, agent=agent_id, type="FaucetPaid")
    assert dict(next(later).data)["amount"] == 1_000


def test_a_stored_cursor_resumes_in_a_new_process_and_on_no_other_chain(
    net: RunningNode, join: Join, tmp_path: Path
) -> None:
    ada = join("ada")
    assert ada.actor
    agent_id = ada.actor.actor_id
    ada.act("extendAgentCapabilities", {"actions": ["faucet"]})
    first = next(ada.events(after="0.0", agent=agent_id))
    assert first.type == "AgentRegistered"
    program = """if True:
        import sys
        from netsdk import NetClient
        with NetClient(sys.argv[1]) as client:
            for event in client.events(since=sys.argv[2], agent=sys.argv[3]):
                print(event.cursor, event.type, flush=True)
                break
    """
    environment = {**os.environ, "PYTHONPATH": str(Path(feed.__file__).parents[1])}
    lines = []
    cursor = first.cursor
    for _ in range(2):
        done = [sys.executable, "-c", program, net.url, cursor, agent_id]
        told = subprocess.run(done, capture_output=True, text=True, timeout=HANGS, check=True, env=environment).stdout
        cursor, kind = told.split()
        lines.append(kind)
        ada.act("faucet", {"amount": 2_000})
    assert lines == ["AgentCapabilitiesExtended", "FaucetPaid"]
    other = RunningNode(tmp_path)
    try:
        with NetClient(other.url) as client, pytest.raises(AgentError) as caught:
            next(client.events(since=cursor))
    finally:
        other.stop()
    assert caught.value.code == "CHAIN_REPLACED"


@pytest.mark.anyio
async def test_asyncio_reads_the_same_and_can_be_left_at_any_time(net: RunningNode, join: Join) -> None:
    ada = join("ada")
    assert ada.actor
    async with AsyncNetClient(net.url) as client:
        async for each in client.events(after="0.0", agent=ada.actor.actor_id):
            assert each.type == "AgentRegistered"
            break


@pytest.mark.anyio
async def test_asyncio_goes_on_after_a_break(streams: Callable[..., Streams], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "RETRY", 0.01)
    server = streams(event("1.0") + event("2.0"), b"", event("3.0"))
    found: list[str] = []
    async with AsyncNetClient(server.url) as client:
        async for each in client.events(after="0.0"):
            found.append(each.id)
            if len(found) == 3:
                break
    assert found == ["1.0", "2.0", "3.0"]
    assert server.last_ids() == ["0.0", "2.0", "2.0"]


def test_a_stale_cursor_goes_on_behind_the_blocks_that_were_kept(
    streams: Callable[..., Streams], waited: list[float]
) -> None:
    problem = b'{"status":409,"code":"CURSOR_STALE","title":"t","detail":"d","height":4}'
    head = b"HTTP/1.1 409 Conflict\r\ncontent-type: application/problem+json\r\nconnection: close\r\n"
    stale = head + b"content-length: %d\r\n\r\n" % len(problem) + problem
    first = b'id: 9.0\ndata: {"height":9,"type":"Transferred","data":{},"blockHash":"%s"}\n\n' % (b"c" * 64)
    server = streams(first, stale, event("5.0"))
    with NetClient(server.url) as client:
        assert ids(client, 2, "8.0") == ["9.0", "5.0"]
    assert server.last_ids() == ["8.0", "9.0", "4.65535"]
    assert ["blockhash=" in asked for asked in server.asked] == [False, True, False]
    assert all(f"genesishash={server.genesis}" in asked for asked in server.asked)


def test_each_event_has_a_cursor_and_a_gap_after_it_ends_the_feed(
    streams: Callable[..., Streams], waited: list[float]
) -> None:
    problem = b'{"status":503,"code":"HISTORY_NOT_HELD","title":"t","detail":"d"}'
    head = b"HTTP/1.1 503 Busy\r\ncontent-type: application/problem+json\r\nconnection: close\r\n"
    gap = head + b"content-length: %d\r\n\r\n" % len(problem) + problem
    first = b'id: 9.0\ndata: {"height":9,"type":"Transferred","data":{},"blockHash":"%s"}\n\n' % (b"c" * 64)
    server = streams(first, event("10.0"), gap)
    with NetClient(server.url) as client:
        cursor = next(client.events(after="8.0")).cursor
        assert cursor == f"9.0.{'a' * 64}.{'c' * 64}"
        cursor = next(client.events(since=cursor)).cursor
        assert cursor == f"10.0.{'a' * 64}"
        with pytest.raises(NetError) as caught:
            next(client.events(since=cursor))
    assert caught.value.code == "HISTORY_NOT_HELD"
    assert server.last_ids() == ["8.0", "9.0", "10.0"]
    assert [f"blockhash={'c' * 64}" in asked for asked in server.asked] == [False, True, False]


def test_a_stale_cursor_is_not_led_ahead(streams: Callable[..., Streams], waited: list[float]) -> None:
    problem = b'{"status":409,"code":"CURSOR_STALE","title":"t","detail":"d","height":99}'
    head = b"HTTP/1.1 409 Conflict\r\ncontent-type: application/problem+json\r\nconnection: close\r\n"
    first = b'id: 9.0\ndata: {"height":9,"type":"Transferred","data":{},"blockHash":"%s"}\n\n' % (b"c" * 64)
    server = streams(first, head + b"content-length: %d\r\n\r\n" % len(problem) + problem, event("10.0"))
    with NetClient(server.url) as client:
        assert ids(client, 2, "8.0") == ["9.0", "10.0"]
    assert server.last_ids() == ["8.0", "9.0", "9.0"]


@pytest.mark.parametrize("status", [b"403 Forbidden", b"404 Not Found", b"302 Found", b"200 OK"])
def test_the_page_of_a_proxy_ends_no_feed_and_is_reported(
    streams: Callable[..., Streams], waited: list[float], status: bytes
) -> None:
    page = (
        b"HTTP/1.1 " + status + b"\r\ncontent-type: text/html\r\ncontent-length: 6\r\nconnection: close\r\n\r\n<html>"
    )
    server = streams(event("1.0"), page, page, event("2.0"))
    refusals: list[NetError] = []
    with NetClient(server.url) as client:
        stream = client.events(after="0.0", refused=refusals.append)
        assert [next(stream).id, next(stream).id] == ["1.0", "2.0"]
    assert [error.code for error in refusals] == ([] if b"200" in status else [f"HTTP_{status[:3].decode()}"])


def test_an_event_that_is_told_again_is_not_handed_out_again(
    streams: Callable[..., Streams], waited: list[float]
) -> None:
    server = streams(
        event("1.0") + event("2.0") + event("1.0") + event("2.0") + event("9.0", feed.RESET) + event("3.0")
    )
    with NetClient(server.url) as client:
        assert ids(client, 3) == ["1.0", "2.0", "3.0"]


def test_a_network_without_a_genesis_is_no_other_chain(streams: Callable[..., Streams], waited: list[float]) -> None:
    server = streams(event("1.0"), event("2.0"))
    with NetClient(server.url) as client:
        stream = client.events(after="0.0")
        assert next(stream).id == "1.0"
        server.lies = ["", "d" * 64]
        assert next(stream).id == "2.0"


def test_an_event_that_no_node_has_sent_is_no_cursor(streams: Callable[..., Streams], waited: list[float]) -> None:
    lie = b'id: 9.0\ndata: {"height":9,"type":"Transferred","data":{},"blockHash":{"a":1}}\n\n'
    server = streams(event("banana"), lie, event("5.0"))
    with NetClient(server.url) as client:
        assert ids(client, 1, "4.0") == ["5.0"]
    assert server.last_ids() == ["4.0", "4.0", "4.0"]


def test_a_reader_ends_once_the_node_serves_another_chain(streams: Callable[..., Streams], waited: list[float]) -> None:
    server = streams(event("1.0"), event("2.0"))
    with NetClient(server.url) as client:
        stream = client.events(after="0.0")
        assert next(stream).id == "1.0"
        server.genesis = "d" * 64
        with pytest.raises(AgentError) as caught:
            next(stream)
    assert caught.value.code == "CHAIN_REPLACED"


def narrowed(event: NetEvent) -> int | str | None:
    """Passes mypy only because comparing the type narrows the data."""
    if event.type == "WorkOrderPaid":
        return sum(share["amount"] for share in event.data["shares"])
    if event.type == "WorkOrderRejected":
        return event.data["workerId"]
    return str(event.type) if "orderId" in dict(event.data) else None


def test_an_event_of_a_type_that_this_version_does_not_know_arrives() -> None:
    told = {"id": "1.0", "height": 1, "type": "FromTheFuture", "data": {"orderId": "o-1"}}
    [event], _, _ = feed.page_of({"events": [told], "next": "1.0", "more": False}, "0.0")
    assert narrowed(event) == "FromTheFuture"
    assert dict(event.data) == {"orderId": "o-1"}
