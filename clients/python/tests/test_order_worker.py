"""Orders are looked for as soon as there may be room for one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from netsdk.agent import order_worker
from netsdk.agent.order_worker import OrderWorker, WorkOptions
from netsdk.agent.parts import Parts
from netsdk.agent.poller import Poller
from netsdk.agent.typed import TypedHandler


@pytest.mark.anyio
async def test_the_end_of_an_order_lets_its_worker_look_for_the_next_one_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = 0
    poller = Poller()
    ends, looked, looked_again = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def pages(path: str, **query: Any) -> AsyncIterator[dict[str, Any]]:
        nonlocal looks
        if path == "/v1/work-orders":
            yield {"orders": [{"orderId": "o", "workerId": "ada"}] if query["status"] == "VERIFYING" else []}
            return
        looks += 1
        (looked_again if looks > 1 else looked).set()
        yield {"opportunities": []}

    class Runner:
        """A job that ends later than the event that tells of it."""

        def __init__(self, *_: object) -> None:
            self.rejections = SimpleNamespace(is_paused=lambda job_type: False)
            self.records = SimpleNamespace(all=list)

        async def run(self, record: object, busy: Any) -> None:
            busy(False)
            await ends.wait()

    monkeypatch.setattr(order_worker, "JobRunner", Runner)
    parts = SimpleNamespace(
        agent_id="ada",
        capabilities=[],
        poller=poller,
        client=SimpleNamespace(pages=pages),
        origins=SimpleNamespace(places=lambda: ["somewhere"]),
        time=SimpleNamespace(elapsed=lambda: 0.0),
    )
    worker = OrderWorker(cast(Parts, parts), WorkOptions(min_funding=1), lambda order: TypedHandler(lambda job: ""))
    run = asyncio.ensure_future(worker.run())
    await looked.wait()
    # Nothing here waits for anything but other tasks: by then the worker sleeps.
    for _ in range(100):
        await asyncio.sleep(0)
    before = looks
    looked_again.clear()
    ends.set()
    await asyncio.wait_for(looked_again.wait(), 5)
    assert looks > before
    run.cancel()
