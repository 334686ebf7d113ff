"""SIGTERM in a process with running agents."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator

import pytest

from netsdk.agent.lifecycle import terminates


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Begins with the default handler of SIGTERM, and lets no test touch that of Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    interrupt = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGTERM, before)
    assert signal.signal(signal.SIGINT, interrupt) is interrupt


def test_stops_all_agents_once_and_then_ends_the_process() -> None:
    stopped: list[str] = []
    with terminates(lambda: stopped.append("one")), terminates(lambda: stopped.append("two")):
        signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert sorted(stopped) == ["one", "two"]
    with terminates(lambda: None):
        pass
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.parametrize("is_first", [True, False])
def test_leaves_the_signal_to_a_host_with_a_handler(is_first: bool) -> None:
    heard: list[str] = []

    def host(*_: object) -> None:
        heard.append("host")

    if is_first:
        signal.signal(signal.SIGTERM, host)
    with terminates(lambda: heard.append("agent")):
        if not is_first:
            signal.signal(signal.SIGTERM, host)
        signal.raise_signal(signal.SIGTERM)
    assert heard == ["host"]
    assert signal.getsignal(signal.SIGTERM) is host


def test_takes_no_signal_off_the_main_thread() -> None:
    heard: list[object] = []

    def run() -> None:
        with terminates(lambda: None):
            heard.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert heard == [signal.SIG_DFL]


def test_wakes_a_loop_that_waits_and_leaves_ctrl_c_to_it() -> None:
    async def run() -> None:
        loop, stopping = asyncio.get_running_loop(), asyncio.Event()
        before = signal.getsignal(signal.SIGINT)

        def stop() -> None:
            loop.call_soon_threadsafe(stopping.set)

        with terminates(stop):
            assert signal.getsignal(signal.SIGINT) is before
            loop.call_later(0.01, signal.raise_signal, signal.SIGTERM)
            await stopping.wait()

    asyncio.run(run())
