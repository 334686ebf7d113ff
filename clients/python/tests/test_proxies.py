"""Proxies and certificates that the environment names, as on the machines of an office, and several event loops."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anyio
import pytest

from netsdk import AsyncNetClient, NetClient, NetError
from netsdk._async.blobs import fetch_blob as async_fetch_blob
from netsdk._sync.blobs import fetch_blob
from netsdk.errors import EnvironmentVariableError

FAR = "https://node.example"
VARIABLES = [
    *(f"{name}_PROXY" for name in ("HTTP", "HTTPS", "ALL", "NO")),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE"),
]


class Server(ThreadingHTTPServer):
    """Answers every request with the host that it was meant for, and keeps connections open."""

    daemon_threads = True

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = json.dumps({"host": self.headers["host"], "path": self.path}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield running
        running.shutdown()


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


UNUSABLE = [
    ("ALL_PROXY", "socks5://proxy.example:1080"),
    ("all_proxy", "socks4://me:secret@proxy.example"),
    ("HTTP_PROXY", "http://proxy.example:port"),
    ("HTTPS_PROXY", "ftp://proxy.example"),
    ("NO_PROXY", "[::1]"),
    ("SSL_CERT_FILE", "/nowhere/ca.pem"),
    ("SSL_CERT_FILE", __file__),
    ("SSL_CERT_DIR", "/nowhere"),
    ("SSLKEYLOGFILE", "/nowhere/keys"),
]


@pytest.mark.parametrize(("name", "value"), UNUSABLE)
def test_names_a_variable_that_cannot_be_used_if_a_connection_needs_it(
    name: str, value: str, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)

    def require(error: NetError) -> None:
        assert isinstance(error, EnvironmentVariableError)
        assert (error.code, error.variable) == ("ENVIRONMENT_INVALID", name)
        assert str(error).startswith(f"{name} cannot be used: ")
        assert "secret" not in str(error)

    for kind in (NetClient, AsyncNetClient):
        with pytest.raises(NetError) as caught:
            kind(FAR)
        require(caught.value)
    with pytest.raises(NetError) as caught:
        fetch_blob("0" * 64, [server.url, FAR])
    require(caught.value)
    with pytest.raises(NetError) as caught:
        asyncio.run(async_fetch_blob("0" * 64, [FAR]))
    require(caught.value)
    # A node on this machine needs none of them.
    with NetClient(server.url) as client:
        assert client.get("/v1/network")["path"] == "/v1/network"


def test_asks_loopback_addresses_directly_and_others_through_the_proxy(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.url)
    with Server() as node:
        threading.Thread(target=node.serve_forever, args=(0.01,), daemon=True).start()
        for url in (node.url, f"http://localhost:{node.server_port}"):
            # A proxy is asked for the whole address.
            with NetClient(url) as client:
                assert client.get("/v1/network")["path"] == "/v1/network"
        with NetClient("http://node.example") as client:
            assert client.get("/v1/network") == {"host": "node.example", "path": "http://node.example/v1/network"}

        async def ask(client: AsyncNetClient) -> None:
            async with client:
                assert (await client.get("/v1/network"))["path"] == "/v1/network"

        asyncio.run(ask(AsyncNetClient(node.url)))
        node.shutdown()


# A loop that closes leaves its connections behind, and asyncio says so when they are collected.
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_one_client_serves_one_event_loop_after_another_and_several_at_once(server: Server) -> None:
    client = AsyncNetClient(server.url)

    async def ask() -> str:
        return str((await client.get("/v1/network"))["path"])

    async def ask_beside() -> list[str]:
        return list(await asyncio.gather(ask(), asyncio.to_thread(asyncio.run, ask())))

    assert [asyncio.run(ask()) for _ in range(3)] == ["/v1/network"] * 3
    assert asyncio.run(ask_beside()) == ["/v1/network"] * 2
    asyncio.run(client.close())
    gc.collect()


def test_a_client_closed_while_it_connects_leaves_no_socket_open(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    connecting, closed = threading.Event(), threading.Event()
    create_connection = socket.create_connection

    def connect(*arguments: Any, **options: Any) -> socket.socket:
        connecting.set()
        closed.wait()
        return create_connection(*arguments, **options)

    monkeypatch.setattr(socket, "create_connection", connect)
    refused: list[object] = []

    def ask() -> None:
        try:
            client.get("/v1/network")
        except NetError as error:
            refused.append(error.code)

    with NetClient(server.url) as client:
        asking = threading.Thread(target=ask)
        asking.start()
        connecting.wait()
    closed.set()
    asking.join()
    assert refused == ["UNREACHABLE"]


@pytest.mark.anyio
async def test_a_client_closed_while_it_connects_leaves_no_socket_open_in_asyncio(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    connecting, closed = asyncio.Event(), asyncio.Event()
    connect_tcp = anyio.connect_tcp

    async def connect(*arguments: Any, **options: Any) -> object:
        connecting.set()
        await closed.wait()
        return await connect_tcp(*arguments, **options)

    monkeypatch.setattr(anyio, "connect_tcp", connect)
    async with AsyncNetClient(server.url) as client:
        asking = asyncio.create_task(client.get("/v1/network"))
        await connecting.wait()
    closed.set()
    with pytest.raises(NetError) as caught:
        await asking
    assert caught.value.code == "UNREACHABLE"


def test_certificates_of_the_environment_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import certifi

    copy = tmp_path / "ca.pem"
    copy.write_bytes(Path(certifi.where()).read_bytes())
    monkeypatch.setenv("SSL_CERT_FILE", str(copy))
    NetClient(FAR).close()
