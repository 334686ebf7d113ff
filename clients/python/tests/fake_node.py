"""A node of an empty chain, which can fall silent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from netsdk.protocol.hashes import hash_value

HASH = "a" * 64
STATUS = {"schema": "NET-NETWORK-STATUS/1", "chainId": "net-test", "height": 5, "blockHash": HASH, "genesisHash": HASH}


class Node(ThreadingHTTPServer):
    """A node that keeps what it is sent, and answers while ``speaks``."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.received: list[dict[str, Any]] = []
        self.speaks = threading.Event()
        self.speaks.set()
        self.mute = False
        self.throttles = False
        self.retry_after = "30"
        #: What it answers instead of its status; None for its status.
        self.document: dict[str, Any] | None = None
        #: Header and block time; None for now.
        self.date: str | None = None
        self.timestamp: str | None = None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores connections that the client has closed."""

    @classmethod
    @contextmanager
    def running(cls) -> Iterator[Node]:
        server = cls()
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.speaks.set()
            server.shutdown()
            thread.join()
            server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Node

    def answer(self, status: int, document: Any) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        if self.server.throttles:
            self.send_response(429)
            self.send_header("retry-after", self.server.retry_after)
            self.send_header("content-length", "0")
            self.end_headers()
            return
        if self.server.mute:
            self.server.speaks.wait()
        if "agents/" in self.path:
            self.answer(404, {"code": "AGENT_NOT_FOUND", "title": "t", "detail": "d"})
        elif self.server.document is not None:
            self.answer(200, self.server.document)
        else:
            now = datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")
            self.answer(200, {**STATUS, "timestamp": self.server.timestamp or now, "beacons": [], "nextCursor": None})

    def date_time_string(self, timestamp: float | None = None) -> str:
        return self.server.date or super().date_time_string()

    def do_POST(self) -> None:
        envelope = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.received.append(envelope)
        self.server.speaks.wait()
        self.answer(200, {"receipt": {"transitionHash": hash_value(envelope), "height": 5, "events": []}})

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""
