"""Stands between a client and a real node, and changes what the node answers: an origin that lies, or breaks."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

#: What becomes of an answer: (status, headers, body), or None to break the connection.
Change = Callable[[str, int, bytes], "tuple[int, dict[str, str], bytes] | None"]


class Proxy:
    """Forwards every request; ``change`` sees the path, the status and the body of every answer."""

    def __init__(self, url: str) -> None:
        self.change: Change | None = None
        #: Paths that are answered with this status and body, without asking the node.
        self.instead: dict[str, tuple[int, bytes]] = {}
        self.requests: list[tuple[str, str, bytes]] = []
        proxy, upstream = self, httpx.Client(base_url=url, timeout=30)
        self._upstream = upstream

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                proxy.requests.append((self.command, self.path, body))
                if self.headers.get("accept") == "text/event-stream":
                    self._stream()
                    return
                told = self._told(body)
                if told is None:
                    self.close_connection = True
                    return
                status, more, content = told
                self.send_response(status)
                for name, value in {"content-length": str(len(content)), **more}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_POST = do_GET

            def _told(self, body: bytes) -> tuple[int, dict[str, str], bytes] | None:
                if self.path in proxy.instead:
                    status, content = proxy.instead[self.path]
                    return status, {}, content
                headers = {"content-type": "application/json"} if body else {}
                answer = upstream.request(self.command, self.path, content=body, headers=headers)
                if proxy.change is not None:
                    return proxy.change(self.path, answer.status_code, answer.content)
                return answer.status_code, {}, answer.content

            def _stream(self) -> None:
                """Hands events on as they come, until either side is gone."""
                names = ("accept", "last-event-id")
                headers = {name: self.headers[name] for name in names if name in self.headers}
                self.close_connection = True
                with upstream.stream("GET", self.path, headers=headers) as answer:
                    self.send_response(answer.status_code)
                    self.send_header("content-type", answer.headers["content-type"])
                    self.end_headers()
                    for part in answer.iter_raw():
                        self.wfile.write(part)

            def log_message(self, *arguments: object) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                pass

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def tamper(self, alter: Callable[[str, Any], Any]) -> None:
        """Changes documents; nothing is changed in refusals."""

        def change(path: str, status: int, content: bytes) -> tuple[int, dict[str, str], bytes]:
            if status != 200:
                return status, {}, content
            return status, {}, json.dumps(alter(path, json.loads(content))).encode()

        self.change = change

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._upstream.close()
