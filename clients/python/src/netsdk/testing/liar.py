"""A lying node for tests: a proxy that changes some answers."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

import httpx

from ..transport import Transport

#: Timeout in seconds for the node.
PATIENCE = 60.0
#: Headers that are not forwarded.
OWN_HEADERS = frozenset({"connection", "content-encoding", "content-length", "host", "transfer-encoding"})


@dataclass(frozen=True)
class Lie:
    """A change to answers of the node.

    :ivar path: prefix or pattern of the paths that it changes, with their query
    :ivar method: reads, writes, or both if None
    :ivar times: number of uses; None for unlimited
    :ivar say: replaces the document; the node still receives the request
    :ivar status: replaces the status
    :ivar silent: breaks the connection after the node has answered
    """

    path: str | re.Pattern[str]
    method: Literal["GET", "POST"] | None = None
    times: int | None = None
    say: Callable[[Any], Any] | None = None
    status: int | None = None
    silent: bool = False

    def fits(self, method: str, path: str) -> bool:
        """Returns True if the lie applies to a request."""
        if self.method not in (None, method):
            return False
        return path.startswith(self.path) if isinstance(self.path, str) else self.path.search(path) is not None


def start_liar(url: str, lies: Sequence[Lie] = ()) -> Liar:
    """Starts a liar in front of a node, on a free local port.

    :param lies: initial lies; the first that fits applies
    """
    liar = Liar(url)
    liar.tell(*lies)
    return liar


class Liar:
    """A running liar, made by :func:`start_liar`.

    :ivar url: its own URL
    :ivar requests: requests so far, such as ``GET /v1/network``
    :ivar told: number of lies told
    """

    def __init__(self, url: str) -> None:
        self.requests: list[str] = []
        self.told = 0
        self._lies: list[tuple[Lie, list[int]]] = []
        self._lock = threading.Lock()
        self._node = httpx.Client(base_url=url, timeout=PATIENCE, transport=Transport([url]))
        liar = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                liar._answer(self)

            do_POST = do_GET

            def log_message(self, *arguments: object) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                pass

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def tell(self, *lies: Lie) -> None:
        """Adds lies, which take precedence over earlier ones."""
        with self._lock:
            self._lies[:0] = [(lie, [0]) for lie in lies]

    def repent(self) -> None:
        """Removes all lies."""
        with self._lock:
            self._lies.clear()

    def stop(self) -> None:
        """Stops the liar."""
        self._server.shutdown()
        self._server.server_close()
        self._node.close()

    def __enter__(self) -> Liar:
        """Returns the liar."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops the liar."""
        self.stop()

    def _lie_for(self, method: str, path: str) -> Lie | None:
        with self._lock:
            self.requests.append(f"{method} {path}")
            for lie, count in self._lies:
                if lie.fits(method, path) and (lie.times is None or count[0] < lie.times):
                    count[0] += 1
                    self.told += 1
                    return lie
        return None

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        method, path = handler.command, handler.path
        lie = self._lie_for(method, path)
        headers = {name: value for name, value in handler.headers.items() if name.lower() not in OWN_HEADERS}
        headers["accept-encoding"] = "identity"
        if lie is not None:
            # Keep the node from answering 304 to a request that gets a lie.
            headers = {name: value for name, value in headers.items() if name.lower() != "if-none-match"}
        with self._node.stream(method, path, headers=headers, content=body) as told:
            kept = {name: value for name, value in told.headers.items() if name not in OWN_HEADERS}
            if lie is None and "event-stream" in told.headers.get("content-type", ""):
                handler.close_connection = True
                _head(handler, told.status_code, kept)
                for part in told.iter_raw():
                    handler.wfile.write(part)
                return
            content = told.read()
        status = told.status_code
        if lie is not None:
            if lie.silent:
                handler.close_connection = True
                return
            document = json.loads(content)
            content = json.dumps(lie.say(document) if lie.say else document).encode()
            status = lie.status or status
            kind = "application/json" if status < 400 else "application/problem+json"
            kept = {"content-type": kind}
        _head(handler, status, kept | {"content-length": str(len(content))})
        handler.wfile.write(content)


def _head(handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str]) -> None:
    handler.send_response_only(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
