"""Waiting for events."""

from __future__ import annotations

import asyncio


class Poller:
    """Lets workers wait until an event of the chain or the agent."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()
        #: Number of wakes. Read it before a poll and give it to ``wait``, so that a wake during the poll is not missed.
        self.wakes = 0

    def wake(self) -> None:
        """Ends every wait, so that all workers poll again."""
        self.wakes += 1
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def wait(self, seconds: float, since: int) -> None:
        """Waits for a wake, at most this long.

        :param since: ``wakes`` before the last poll; returns at once if it has changed
        """
        if self.wakes != since:
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            await asyncio.wait([future], timeout=min(seconds, 86_400.0))
        finally:
            self._waiting.discard(future)


def pause_after(attempt: int) -> float:
    """Returns the backoff: 0.5, 1, 2, … up to 30 seconds."""
    return float(min(0.5 * 2 ** min(attempt, 16), 30.0))
