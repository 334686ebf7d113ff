"""A node that keeps sending but never completes its answer: the client still stops at its timeout."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from netsdk import AsyncNetClient, NetClient, NetError

OK = b"HTTP/1.1 200 OK\r\n"
GZIP_NAME = b"\x1f\x8b\x08\x08\0\0\0\0\0\xff"

#: What comes at first, and what comes again and again.
ANSWERS = {
    "a header without end": (OK + b"x: ", b"a"),
    "hints without end": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "a packing that only begins": (
        OK + b"content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\na\r\n" + GZIP_NAME + b"\r\n",
        b"1\r\na\r\n",
    ),
    "a body without end": (OK + b"transfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
}


def ask(url: str) -> None:
    with NetClient(url, timeout=0.3) as client:
        client.network()


def ask_in_asyncio(url: str) -> None:
    async def main() -> None:
        async with AsyncNetClient(url, timeout=0.3) as client:
            await client.network()

    asyncio.run(main())


@pytest.fixture(params=ANSWERS)
def drip(request: pytest.FixtureRequest) -> Iterator[str]:
    first, again = ANSWERS[request.param]
    over = threading.Event()

    def answer(connection: socket.socket) -> None:
        with connection:
            try:
                connection.recv(65_536)
                connection.sendall(first)
                while not over.wait(0.05):
                    connection.sendall(again)
            except OSError:
                pass  # The client has hung up.

    def accept() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(connection,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        over.set()


@pytest.mark.parametrize("call", [ask, ask_in_asyncio])
def test_an_answer_in_drops_is_given_up(drip: str, call: Callable[[str], None]) -> None:
    errors: list[NetError] = []

    def try_it() -> None:
        try:
            call(drip)
        except NetError as error:
            errors.append(error)

    waiting = threading.Thread(target=try_it, daemon=True)
    waiting.start()
    waiting.join(60)
    said = [(error.code, str(error)) for error in errors]
    assert said == [("UNREACHABLE", f"the answer of {drip} takes longer than it may [UNREACHABLE]")], "it waits still"
