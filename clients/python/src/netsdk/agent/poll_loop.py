"""The poll loop of every worker."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from .errors import AgentError
from .parts import SLOW_POLL, Parts

SHORTEST_WAIT = 0.1


async def keep_polling(
    parts: Parts,
    look: Callable[[], Awaitable[None]],
    put_off: Callable[[], Iterable[float]],
    tasks: Callable[[], Iterable[asyncio.Task[None]]] = tuple,
) -> None:
    """Polls until canceled; in a tick, until there is nothing more to do now.

    Errors become warnings, except CHAIN_REPLACED, which ends the agent.

    :param put_off: due times of postponed items, by ``parts.time.elapsed``
    :param tasks: everything that ``look`` began
    """
    while True:
        wakes = parts.poller.wakes
        try:
            await look()
        except Exception as error:
            # Only the agent's own check ends it, not a node's refusal with this code.
            if isinstance(error, AgentError) and error.code == "CHAIN_REPLACED":
                raise
            parts.events.warn(error)
        if parts.poller.ticks:
            await asyncio.gather(*tasks(), return_exceptions=True)
        now = parts.time.elapsed()
        waits = [until - now for until in put_off() if until > now]
        if not await parts.poller.rest(max(SHORTEST_WAIT, min([SLOW_POLL, *waits])), wakes):
            return
