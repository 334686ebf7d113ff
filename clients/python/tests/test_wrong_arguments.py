"""Every public method, called with arguments that it cannot take: each refuses them with an error of the SDK."""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from netsdk import AgentKey, AsyncAgent, NetClient, NetsdkError
from netsdk.protocol.hashes import hash_value

HASH = "a" * 64
STATUS = {"schema": "NET-NETWORK-STATUS/1", "chainId": "net-test", "height": 5, "blockHash": HASH, "genesisHash": HASH}
LISTS: dict[str, Any] = {
    name: [] for name in "agents beacons validators roles messages orders operators changes memories stores".split()
}
#: None of them is an argument of a public method.
WRONG: list[Any] = [5, [5], {}, object(), float("nan")]
#: Sound values of other parameters, by name.
SOUND: dict[str, Any] = {
    "path": "/v1/agents",
    "action": "faucet",
    "payload": {"amount": 1},
    "body": {},
    "envelope": {},
    "origins": [],
    "handler": print,
    "facts": {},
    "timeout": 0.01,
    "acceptance": [],
    "funding": 1,
    "budget": 1,
    "actions": ["faucet"],
    "key": AgentKey.generate(),
    "new_key": AgentKey.generate(),
}
#: Without arguments of a caller, or without an end.
SKIPPED = {"run", "stop", "close", "events", "network", "agent_trust", "rotate_encryption_key", "result", "rules"}


class Node(BaseHTTPRequestHandler):
    """Knows nothing, and commits whatever it is sent."""

    protocol_version = "HTTP/1.1"

    def answer(self, status: int, document: Any) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        if self.path == "/v1/network":
            self.answer(200, STATUS)
        elif "agents/" in self.path or "orders/" in self.path:
            self.answer(404, {"code": "AGENT_NOT_FOUND", "title": "t", "detail": "d"})
        else:
            self.answer(200, {**STATUS, **LISTS, "nextCursor": None, "sets": []})

    def do_POST(self) -> None:
        envelope = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.answer(200, {"receipt": {"transitionHash": hash_value(envelope), "height": 5, "events": []}})

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Node)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def mistaken_calls(subject: object) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yields calls with one wrong argument, and the others sound."""
    for name, _ in inspect.getmembers(type(subject), callable):
        if name.startswith("_") or name in SKIPPED:
            continue
        method = getattr(subject, name)
        parameters = inspect.signature(method).parameters
        named = [one for one in parameters.values() if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
        for mistaken in named:
            for wrong in WRONG:
                given = {one.name: SOUND.get(one.name, "x") for one in named if one.default is one.empty}
                given[mistaken.name] = wrong
                positional = [given.pop(one.name) for one in named if one.kind is one.POSITIONAL_ONLY]
                yield f"{name}({mistaken.name}={wrong!r})", partial(method, *positional, **given)


def raw(error: BaseException) -> str | None:
    return None if isinstance(error, NetsdkError) else f"{type(error).__name__}: {error}"


def test_a_client_refuses_wrong_arguments_by_a_code(url: str) -> None:
    found = []
    with NetClient(url, actor_id="ada", key=AgentKey.generate()) as client:
        for name, call in mistaken_calls(client):
            try:
                answer = call()
                if inspect.isgenerator(answer):
                    next(answer, None)
            except Exception as error:
                if (said := raw(error)) is not None:
                    found.append(f"{name}: {said}")
    assert not found, "\n".join(found)


@pytest.mark.anyio
async def test_an_agent_refuses_wrong_arguments_by_a_code(url: str, tmp_path: Path) -> None:
    agent = await AsyncAgent.open("ada", url=url, keys=tmp_path / "keys", log=None)
    found = []
    try:
        for subject in (agent, agent.memory):
            for name, call in mistaken_calls(subject):
                if name.startswith(("open(", "open_session(", "load(")):
                    continue
                try:
                    answer = call()
                    if inspect.isawaitable(answer):
                        await asyncio.wait_for(answer, 0.1)
                except asyncio.TimeoutError:
                    pass
                except Exception as error:
                    if (said := raw(error)) is not None:
                        found.append(f"{name}: {said}")
    finally:
        await agent.stop()
    assert not found, "\n".join(found)
