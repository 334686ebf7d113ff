"""Waiting for events."""

from __future__ import annotations

import asyncio
import math
import time


class Poller:
    """Lets workers wait until an event of the chain or the agent."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()
        #: Number of wakes. Read it before a poll and give it to ``wait``, so that a wake during the poll is not missed.
        self.wakes = 0
        #: True in a tick, whose loops return once they would wait.
        self.ticks = False
        self._left = math.inf
        #: First time at which a loop of a tick wants to continue, in seconds since 1970.
        self.next_at = math.inf

    def begin_tick(self, jobs: int) -> None:
        """Lets each loop return once it would wait, and at most ``jobs`` handlers begin."""
        self.ticks = True
        self._left = jobs

    @property
    def is_spent(self) -> bool:
        """True if a tick may begin no further handler."""
        return self._left <= 0

    def take(self) -> bool:
        """Counts a job or message whose handler begins. Returns False if it must wait for the next tick."""
        if self.is_spent:
            return False
        self._left -= 1
        return True

    async def rest(self, seconds: float, since: int) -> bool:
        """Waits as ``wait`` does, and returns True.

        In a tick without a wake, notes the time for the next tick instead, and returns False: the loop must return.
        """
        if self.ticks and self.wakes == since:
            self.next_at = min(self.next_at, time.time() + seconds)
            return False
        await self.wait(seconds, since)
        return True

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
