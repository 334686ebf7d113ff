"""Waits that something can end early: an event of the chain, or a change of the agent's own."""

from __future__ import annotations

import asyncio


class Poller:
    """Waiting that something can end: an event of the chain, or a change in hand."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()
        #: Counts wakes. Taken before a look: what happens during the look is then not slept over.
        self.wakes = 0

    def wake(self) -> None:
        """Everybody looks again."""
        self.wakes += 1
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def wait(self, seconds: float, since: int) -> None:
        """Waits for a wake, at most so long.

        :param since: the beat before the look that found nothing to do
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
    """0.5, 1, 2, … up to 30 seconds."""
    return float(min(0.5 * 2 ** min(attempt, 16), 30.0))
