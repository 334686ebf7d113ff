"""State shared by the workers of an agent."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar, cast

from ..arguments import SHORTEST, require_seconds
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
from .telemetry import Instruments

#: Seconds between polls if no event wakes the worker earlier.
SLOW_POLL = 60.0


T = TypeVar("T")
P = ParamSpec("P")


class Bound(NamedTuple):
    """The timeout of one call."""

    name: str
    #: Seconds for the whole call; None for no bound.
    timeout: float | None
    #: Members that let the caller continue, such as the id of an act.
    data: Mapping[str, Any] | None = None
    #: Says what the call was waiting for.
    why: Callable[[], str] = lambda: ""


@dataclass
class Parts:
    """State shared by the workers of one agent."""

    agent_id: str
    chain_id: str
    genesis_hash: str
    #: None for a session that cannot read sealed content.
    encryption: Keyring | None
    #: Makes ids that no stranger can guess; see ``own_ids``.
    id_secret: str
    capabilities: Sequence[str]
    #: Name of this process as a runtime, for memories handed over to it.
    runtime: str | None
    client: RetryingClient
    outbox: Outbox
    origins: Origins
    peers: Peers
    poller: Poller
    time: ChainTime
    state: AgentState
    events: Emitter
    telemetry: Instruments
    reach: Reach
    #: Starts the event feed. From then on, the agent's events end every wait.
    watch: Callable[[], None]
    order_feeds: set[tuple[str, asyncio.Queue[NetEvent]]] = field(default_factory=set)
    background: set[asyncio.Task[None]] = field(default_factory=set)
    #: Running extensions of the agent's capabilities, by action.
    extending: dict[str, asyncio.Future[bool]] = field(default_factory=dict)

    #: Calls that wait for a purchase, by its key; None before the first purchase.
    purchases: Counter[str] | None = None

    calls: set[asyncio.Future[Any]] = field(default_factory=set)
    end: AgentError | None = None

    def require_live(self) -> None:
        """Raises AGENT_STOPPED, or the error that ended the agent."""
        if self.end is not None:
            raise AgentError(self.end.code, self.end.detail)

    async def live(self, begin: Callable[[], Coroutine[Any, Any, T]], bound: Bound | None = None) -> T:
        """Runs a call of the owner. If the agent ends, cancels the call and raises the error that ended the agent.

        :raises AgentError: CALL_TIMEOUT
        """
        if bound is not None and bound.timeout is not None:
            require_seconds("timeout", bound.timeout, least=SHORTEST)
        self.require_live()
        call = asyncio.ensure_future(begin())
        self.calls.add(call)
        try:
            _, late = await asyncio.wait([call], timeout=None if bound is None else bound.timeout)
            if late and bound is not None:
                call.cancel()
                await asyncio.gather(call, return_exceptions=True)
                if call.cancelled() and self.end is None:
                    why = f"{bound.why()}{self.client.outage()}"
                    raise AgentError("CALL_TIMEOUT", f"{bound.name}, {bound.timeout} s{why}", bound.data)
        except asyncio.CancelledError:
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            raise
        finally:
            self.calls.discard(call)
        if call.cancelled() and self.end is not None:
            raise AgentError(self.end.code, self.end.detail)
        return call.result()

    def in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs a task until it is done or the agent ends."""
        task = asyncio.get_running_loop().create_task(work)
        self.background.add(task)
        task.add_done_callback(self.background.discard)

    def require_keyring(self) -> Keyring:
        """Returns the agent's decryption keys, newest first. Raises SESSION_READS_NOTHING if it has none."""
        if self.encryption is None:
            raise AgentError("SESSION_READS_NOTHING")
        return self.encryption

    def require_secret(self) -> JsonObject:
        """Returns the newest key, to which others seal. Raises SESSION_READS_NOTHING if there is none."""
        return self.require_keyring()[0]


class _HasParts(Protocol):
    _parts: Parts


Owner = TypeVar("Owner", bound=_HasParts)


def ends_with_agent(
    method: Callable[Concatenate[Owner, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Owner, P], Coroutine[Any, Any, T]]:
    """Decorates a method of the owner so that it raises AGENT_STOPPED during and after ``stop``, and CALL_TIMEOUT if it
    takes longer than its ``timeout``."""

    @wraps(method)
    async def call(self: Owner, /, *arguments: P.args, **options: P.kwargs) -> T:
        bound = Bound(method.__name__, cast("float | None", options.get("timeout")))
        return await self._parts.live(lambda: method(self, *arguments, **options), bound)

    return call
