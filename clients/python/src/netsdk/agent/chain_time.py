"""The time by the clock that dates the blocks.

On every chain but one that is this machine's. The clock of a laboratory is moved ahead at will, and then every
worker looks again.
"""

from __future__ import annotations

import asyncio
import time
from datetime import datetime, timedelta, timezone

from .._async.client import AsyncNetClient
from ..errors import NetError
from .poller import Poller

#: Seconds between looks at the clock of a laboratory, which is on this machine.
LOOK = 0.2
#: The least step that shows that a clock was moved.
JUMP = timedelta(seconds=1)
#: The least number of heights that come at once only if they were asked for.
JUMP_HEIGHTS = 10


class ChainTime:
    """Now, as blocks are dated."""

    def __init__(self) -> None:
        self._ahead = timedelta(0)

    def now(self) -> datetime:
        """The time, with its zone."""
        return datetime.now(timezone.utc) + self._ahead

    def elapsed(self) -> float:
        """Seconds since some moment, with those that were jumped over."""
        return time.monotonic() + self._ahead.total_seconds()

    async def follow(self, client: AsyncNetClient, poller: Poller) -> None:
        """Follows the clock of a laboratory until it is cancelled.

        Where that goes back to a snapshot, the clock goes with it, and everybody looks again.
        """
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
                pass  # The line to the node says so itself.
            await asyncio.sleep(LOOK)
