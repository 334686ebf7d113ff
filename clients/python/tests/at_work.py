"""An agent that runs beside a test and ends with it, however that ends: a thread that runs on holds the whole run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from netsdk import Agent
from tests.node import HANGS


@contextmanager
def at_work(agent: Agent, run: Callable[[], None] | None = None) -> Iterator[threading.Thread]:
    """Runs an agent, or what is given in its place, until the block ends."""
    running = threading.Thread(target=run or agent.run, daemon=True)
    running.start()
    try:
        while running.is_alive() and not agent.is_running:
            time.sleep(0.01)
        yield running
    finally:
        agent.stop()
        running.join(HANGS)
    assert not running.is_alive(), "it did not stop"
