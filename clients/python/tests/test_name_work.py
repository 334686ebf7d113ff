"""Names that cost a proof of work."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from netsdk import AgentKey, NetClient, NetError
from netsdk.protocol.envelopes import bytes_to_sign
from netsdk.protocol.hashes import hash_value

BITS = 9


class Node(HTTPServer):
    """Refuses registrations without the work."""

    registrations: list[dict[str, Any]]
    asked_bits = BITS


class Handler(BaseHTTPRequestHandler):
    server: Node

    def answer(self, status: int, body: object) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json" if status < 400 else "application/problem+json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self) -> None:
        registration = {"price": "work", "workBits": self.server.asked_bits}
        self.answer(200, {"chainId": "net-test-1", "height": 1, "registration": registration})

    def do_POST(self) -> None:
        envelope = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.registrations.append(envelope)
        work = 256 - int.from_bytes(hashlib.sha256(bytes_to_sign(envelope)).digest(), "big").bit_length()
        if work < self.server.asked_bits:
            problem = {"code": "NAME_WORK_MISSING", "status": 409, "title": "A name costs work", "detail": "Work."}
            self.answer(409, problem)
            return
        self.answer(201, {"receipt": {"transitionHash": hash_value(envelope), "height": 2, "events": []}})

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def node() -> Iterator[Node]:
    with Node(("127.0.0.1", 0), Handler) as server:
        server.registrations = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_register_does_the_work_that_a_name_costs(node: Node) -> None:
    with NetClient(f"http://127.0.0.1:{node.server_port}", actor_id="ada", key=AgentKey.generate()) as client:
        client.register("Works.")
        first, second = node.registrations
        assert second["description"] == "Works."
        assert second["nonce"].startswith(first["nonce"] + "-")


def test_apply_does_the_work_that_a_name_costs(node: Node) -> None:
    with NetClient(f"http://127.0.0.1:{node.server_port}", actor_id="ada", key=AgentKey.generate()) as client:
        client.apply({"applicationId": "ada-1", "role": "HUMAN"})
        first, second = node.registrations
        assert second["nonce"].startswith(first["nonce"] + "-")


def test_a_node_that_asks_for_hours_of_work_is_not_believed(node: Node) -> None:
    node.asked_bits = 31
    with NetClient(f"http://127.0.0.1:{node.server_port}", actor_id="ada", key=AgentKey.generate()) as client:
        with pytest.raises(NetError, match="costs work"):
            client.register()
        assert len(node.registrations) == 1
