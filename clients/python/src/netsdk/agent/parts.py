"""What the workers of an agent share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from ..events import NetEvent
from ..formats.encryption_key import Keyring
from ..protocol.canonical_json import JsonObject
from .chain_time import ChainTime
from .emitter import Emitter
from .errors import AgentError
from .failpoints import Reach
from .home import AgentState
from .origins import Origins
from .outbox import Outbox
from .peers import Peers
from .poller import Poller
from .retrying_client import RetryingClient

#: Seconds between polls if no event wakes the worker earlier.
SLOW_POLL = 60.0


T = TypeVar("T")
P = ParamSpec("P")


@dataclass
class Parts:
    """What the workers of one agent share."""

    agent_id: str
    chain_id: str
    genesis_hash: str
    #: None for a session that reads nothing sealed.
    encryption: Keyring | None
    capabilities: Sequence[str]
    #: The runtime that this process is, where memories are handed over to one.
    runtime: str | None
    client: RetryingClient
    outbox: Outbox
    origins: Origins
    peers: Peers
    poller: Poller
    time: ChainTime
    state: AgentState
    events: Emitter
    reach: Reach
    #: Begins to watch the feed: from then on, an event that concerns the agent ends every wait.
    watch: Callable[[], None]
    #: Readers of the events of one order each, out of the feed of the agent.
    order_feeds: set[tuple[str, asyncio.Queue[NetEvent]]] = field(default_factory=set)
    #: Tasks in the background, until the agent ends.
    background: set[asyncio.Task[None]] = field(default_factory=set)
    #: Extensions of the agent's capabilities in flight, by action.
    extending: dict[str, asyncio.Future[bool]] = field(default_factory=dict)

    #: Calls of the agent's owner that are under way.
    calls: set[asyncio.Future[Any]] = field(default_factory=set)
    #: Why the agent does nothing more.
    end: AgentError | None = None

    def require_live(self) -> None:
        """Refuses what an agent that has ended cannot do.

        :raises AgentError: AGENT_STOPPED, or why the agent has ended
        """
        if self.end is not None:
            raise AgentError(self.end.code, self.end.detail)

    async def live(self, begin: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Runs a call of the agent's owner.

        :raises AgentError: AGENT_STOPPED, or why the agent has ended
        """
        self.require_live()
        call = asyncio.ensure_future(begin())
        self.calls.add(call)
        try:
            await asyncio.wait([call])
        except asyncio.CancelledError:
            # Whoever waits is cancelled, such as a handler as the agent stops: that is no error of the call.
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            raise
        finally:
            self.calls.discard(call)
        if call.cancelled() and self.end is not None:
            raise AgentError(self.end.code, self.end.detail)
        return call.result()

    def in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Goes on beside, until it is done or the agent ends."""
        task = asyncio.get_running_loop().create_task(work)
        self.background.add(task)
        task.add_done_callback(self.background.discard)

    def require_keyring(self) -> Keyring:
        """The keys that open what is sealed to the agent, the newest first.

        :raises AgentError: SESSION_READS_NOTHING
        """
        if self.encryption is None:
            raise AgentError("SESSION_READS_NOTHING")
        return self.encryption

    def require_secret(self) -> JsonObject:
        """The key that others seal to now.

        :raises AgentError: SESSION_READS_NOTHING
        """
        return self.require_keyring()[0]


class _HasParts(Protocol):
    _parts: Parts


Owner = TypeVar("Owner", bound=_HasParts)


def ends_with_agent(
    method: Callable[Concatenate[Owner, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Owner, P], Coroutine[Any, Any, T]]:
    """A method for the agent's owner, which raises AGENT_STOPPED during and after ``stop``."""

    @wraps(method)
    async def call(self: Owner, /, *arguments: P.args, **options: P.kwargs) -> T:
        return await self._parts.live(lambda: method(self, *arguments, **options))

    return call
