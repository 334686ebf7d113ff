"""The loop of every worker: poll, do what is there, wait for a wake or until something put off is due."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from .errors import AgentError
from .parts import SLOW_POLL, Parts

SHORTEST_WAIT = 0.1


async def keep_polling(
    parts: Parts, look: Callable[[], Awaitable[None]], put_off: Callable[[], Iterable[float]]
) -> None:
    """Looks again and again until it is cancelled; what a look raises is a warning, unless it ends the agent.

    :param put_off: times by ``parts.time.elapsed`` before which something is not to be looked at; the next look comes
        by then
    """
    while True:
        wakes = parts.poller.wakes
        try:
            await look()
        except Exception as error:
            # Ours only: a node that refuses with this code has compared nothing.
            if isinstance(error, AgentError) and error.code == "CHAIN_REPLACED":
                raise
            parts.events.warn(error)
        now = parts.time.elapsed()
        waits = [until - now for until in put_off() if until > now]
        await parts.poller.wait(max(SHORTEST_WAIT, min([SLOW_POLL, *waits])), wakes)
