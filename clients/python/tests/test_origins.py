"""The origins that an agent asks for blobs, and those that it skips."""

from __future__ import annotations

import asyncio
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from netsdk import Actor, AgentKey, AsyncNetClient
from netsdk.agent.origins import Origins
from netsdk.agent.retrying_client import RetryingClient


def test_an_origin_of_a_stranger_that_is_no_address_is_passed_over() -> None:
    async def fetch() -> bytes | None:
        async with AsyncNetClient() as client:
            origins = Origins(RetryingClient(client), client.driver, Actor("alice", AgentKey.generate()), [])
            return await origins.fetch("ab" * 32, ["https://blobs.example:99999", "https://a..b:x", None])

    assert asyncio.run(fetch()) is None


def test_a_store_that_is_away_is_asked_again_until_it_is_back() -> None:
    class Store(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(201)
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Store, bind_and_activate=False)
    server.server_bind()
    place = f"http://127.0.0.1:{server.server_port}"
    said: list[str] = []

    def back(what: str) -> None:
        said.append(what)
        server.server_activate()

    async def put() -> list[str]:
        async with AsyncNetClient() as client:
            actor = Actor("alice", AgentKey.generate())
            origins = Origins(RetryingClient(client), client.driver, actor, [place], waiting=back)
            _, places = await origins.put(b"once more")
            return [each.origin for each in places]

    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        # A bound socket that does not listen refuses connections.
        assert asyncio.run(put()) == [place]
        assert said == ["stores that are busy or away"]
    finally:
        server.shutdown()
        server.server_close()
