"""The lease of a shared home, in a store of this process."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from netsdk import AgentError
from netsdk.agent.lease import KeptState
from netsdk.homes import Guard, leased_home


class Texts:
    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self._mutex = threading.Lock()

    def get(self, key: str) -> str | None:
        return self.texts.get(key)

    def keys(self) -> list[str]:
        return [*self.texts]

    def add(self, key: str, text: str) -> bool:
        with self._mutex:
            return self.texts.setdefault(key, text) is text

    def write_if(self, guard: Guard, key: str, text: str | None) -> bool:
        with self._mutex:
            if self.texts.get(guard.key) != guard.text:
                return False
            self.texts.pop(key, None)
            if text is not None:
                self.texts[key] = text
            return True


def test_a_lease_is_renewed_while_handlers_occupy_all_threads_of_the_loop() -> None:
    store, free = Texts(), threading.Event()
    warnings: list[Exception] = []

    async def hold() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        handler = asyncio.ensure_future(asyncio.to_thread(free.wait))
        state = KeptState(leased_home(store, lease=0.3).open_state(), warnings.append)
        first = store.get("lease")
        try:
            deadline = time.monotonic() + 10
            while store.get("lease") == first:
                assert time.monotonic() < deadline, "the lease was not renewed"
                await asyncio.sleep(0.01)
        finally:
            free.set()
            await handler
            state.close()

    asyncio.run(hold())
    assert store.get("lease") is None
    assert warnings == []


@pytest.mark.parametrize("text", ["Infinity", "1e300", "99999999999999999999.5"])
def test_a_lease_without_a_printable_end_is_respected(text: str) -> None:
    store = Texts()
    store.texts["lease"] = text
    with pytest.raises(AgentError) as running:
        leased_home(store).open_state()
    assert running.value.code == "AGENT_RUNNING"
    assert running.value.data["until"] == "9999-12-31T23:59:59.000Z"


@pytest.mark.parametrize("text", ["1764421000000.25", "NaN", "?"])
def test_a_lease_that_has_ended_or_is_none_is_taken(text: str) -> None:
    store = Texts()
    store.texts["lease"] = text
    leased_home(store).open_state().close()
    assert store.get("lease") is None
