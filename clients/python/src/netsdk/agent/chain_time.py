"""The clock of the chain: this machine's clock, except in a laboratory, whose clock can be moved."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime, timedelta, timezone

from .._async.client import AsyncNetClient
from ..errors import NetError
from .poller import Poller

#: Seconds.
LOOK = 0.2
#: Smallest step that counts as a moved clock.
JUMP = timedelta(seconds=1)
#: If the height rises by more than this between two polls, the laboratory has skipped time.
JUMP_HEIGHTS = 10


class ChainTime:
    """The time that the chain gives its blocks."""

    def __init__(self) -> None:
        self._ahead = timedelta(0)
        #: Set unless the clock of a laboratory has yet to be read.
        self.known = asyncio.Event()
        self.known.set()

    def now(self) -> datetime:
        """Returns the time in UTC."""
        return datetime.now(timezone.utc) + self._ahead

    def elapsed(self) -> float:
        """Returns monotonic seconds, plus those that a laboratory skipped."""
        return time.monotonic() + self._ahead.total_seconds()

    async def follow(self, client: AsyncNetClient, poller: Poller) -> None:
        """Follows a laboratory's clock, also back to a snapshot. Wakes all workers if the clock jumps."""
        self.known.clear()
        seen: int | None = None
        reverts: int | None = None
        while True:
            try:
                lab = await client.get("/v1/lab")
                clock = datetime.strptime(lab["clock"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
                ahead = max(timedelta(0), clock - datetime.now(timezone.utc))
                returned = reverts is not None and lab["reverts"] != reverts
                jumped = ahead - self._ahead > JUMP or (seen is not None and lab["height"] - seen > JUMP_HEIGHTS)
                self._ahead = ahead if returned else max(self._ahead, ahead)
                seen, reverts = lab["height"], lab["reverts"]
                if jumped or returned:
                    poller.wake()
            except (NetError, ValueError, KeyError, TypeError):
                pass  # RetryingClient reports outages.
            self.known.set()
            await asyncio.sleep(LOOK)
