"""The lease of a state, renewed until the agent stops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from .errors import AgentError
from .handler_call import in_thread
from .home import AgentState, Lease

#: Seconds.
SHORTEST = 0.1


class KeptState:
    """An opened state. If it has a lease, renews it until ``close``, and ends the agent with HOME_FENCED once another
    process holds it.

    :param warn: receives other errors of a renewal, such as a store that does not answer
    """

    def __init__(self, state: AgentState, warn: Callable[[Exception], None]) -> None:
        self.place = state.place
        self.lease = state.lease
        self.get = state.get
        self.names = state.names
        self._state = state
        self._warn = warn
        self._loop = asyncio.get_running_loop()
        self._fenced: AgentError | None = None
        self._end: Callable[[AgentError], None] = lambda error: None
        self._renewing = None if self.lease is None else asyncio.ensure_future(self._renew(self.lease))

    def bind_to(self, end: Callable[[AgentError], None]) -> None:
        """Calls ``end`` once another process holds the state; immediately if one does already."""
        self._end = end
        if self._fenced is not None:
            end(self._fenced)

    def put(self, name: str, data: bytes) -> None:
        """Writes a file durably and atomically."""
        self._or_end(lambda: self._state.put(name, data))

    def delete(self, name: str) -> None:
        """Deletes a file if it exists."""
        self._or_end(lambda: self._state.delete(name))

    def close(self) -> None:
        """Lets another process use the state."""
        if self._renewing is not None:
            self._renewing.cancel()
        self._state.close()

    def _or_end(self, write: Callable[[], None]) -> None:
        try:
            write()
        except AgentError as error:
            if error.code == "HOME_FENCED":
                self._tell(error)
            raise

    def _tell(self, error: AgentError) -> None:
        """Ends the agent from any thread, because a handler's thread may have changed the memory."""
        try:
            self._loop.call_soon_threadsafe(self._fence, error)
        except RuntimeError:
            pass  # The loop has ended, and the agent with it.

    def _fence(self, error: AgentError) -> None:
        if self._fenced is None:
            self._fenced = error
            self._end(error)

    async def _renew(self, lease: Lease) -> None:
        while self._fenced is None:
            await asyncio.sleep(max(SHORTEST, lease.seconds / 3))
            try:
                # If the store does not answer, go on: the agent sends nothing that it could not write. Use a thread
                # apart from the loop's own, because handlers can occupy all of those for longer than the lease.
                await in_thread(self._or_end, lease.renew)
            except Exception as error:
                if self._fenced is None:
                    self._warn(error)
