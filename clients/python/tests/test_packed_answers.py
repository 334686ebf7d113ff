"""Answers that are small on the way and large behind it: no more of them is unpacked than may be."""

from __future__ import annotations

import gzip
import threading
import tracemalloc
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from netsdk import AsyncNetClient, BlobClient, NetClient, NetError
from netsdk.events import require_unpacked

TEXT = b'{"height":1}'
#: Of 128 MiB, in less than what comes in two pieces.
BOMB = gzip.compress(bytes(128 * 1024 * 1024))
ANSWERS = {
    "/v1/network": ("gzip", gzip.compress(TEXT)),
    "/v1/policy": ("gzip", BOMB),
    "/v1/genesis": ("deflate", zlib.compress(TEXT)),
    "/v1/token": ("gzip", gzip.compress(TEXT)[:-12]),
    "/v1/nodes": ("gzip", TEXT),
    "/v1/health": ("gzip", gzip.compress(TEXT) + bytes(17 * 1024 * 1024)),
}


@pytest.fixture
def url() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            packing, content = ANSWERS.get(self.path, ("gzip", BOMB))
            self.send_response(200)
            self.send_header("content-encoding", packing)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            try:
                self.wfile.write(content)
            except OSError:
                pass  # The client has hung up.

        def log_message(self, *arguments: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def peak() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def test_what_is_packed_as_asked_comes_out_and_nothing_else_does(url: str) -> None:
    with NetClient(url) as client:
        assert client.get("/v1/network") == {"height": 1}
        for path, reason in {
            "/v1/genesis": "packed in a way that was not asked for",
            "/v1/nodes": "cannot be unpacked",
            "/v1/health": "longer than it may be",
        }.items():
            with pytest.raises(NetError, match=reason):
                client.get(path)
        with pytest.raises(NetError):
            client.get("/v1/token")


@pytest.mark.usefixtures("peak")
def test_no_more_is_unpacked_than_may_be(url: str) -> None:
    with NetClient(url) as client, pytest.raises(NetError, match="longer than it may be"):
        client.get("/v1/policy")
    with BlobClient(url) as store, pytest.raises(NetError, match="longer than it may be"):
        store.get("e3b0c442" * 8)
    assert tracemalloc.get_traced_memory()[1] < 48 * 1024 * 1024


@pytest.mark.anyio
async def test_nor_in_asyncio(url: str) -> None:
    async with AsyncNetClient(url) as client:
        assert await client.get("/v1/network") == {"height": 1}
        with pytest.raises(NetError, match="longer than it may be"):
            await client.get("/v1/policy")


def test_nothing_of_a_stream_is_unpacked() -> None:
    require_unpacked(httpx.Response(200))
    require_unpacked(httpx.Response(200, headers={"content-encoding": "identity"}))
    with pytest.raises(NetError, match="packed"):
        require_unpacked(httpx.Response(200, headers={"content-encoding": "gzip"}))
