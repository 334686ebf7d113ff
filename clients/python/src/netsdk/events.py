"""The live event feed: server-sent events (HTML Living Standard section 9.2)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import urlencode

import httpx
import httpx_sse

from .api import Api, error_of
from .arguments import EVENT_ID, refuse, require_event_id
from .errors import NetError
from .flow import Answer, Flow
from .protocol.hashes import is_hash

LAST_INDEX = 65_535
#: Event of a laboratory that reverted blocks. The feed continues after the last remaining block.
RESET = "LaboratoryReverted"
#: Seconds before the first reconnect.
RETRY = 2.0
#: Bounds of the reconnect delay, in seconds.
MIN_RETRY = 0.5
MAX_RETRY = 30.0
#: Seconds of silence after which a connection counts as broken; three heartbeats.
SILENCE = 45.0
#: Limit in bytes of one event.
MAX_PENDING = 4 * 1024 * 1024
MAX_REFUSAL = 64 * 1024


if TYPE_CHECKING:
    from .event_types import NetEvent as NetEvent
else:

    class NetEvent(NamedTuple):
        """One event of the chain.

        Store its ``cursor``, opaque text that names the chain, the event and its block: ``since`` resumes after it. The
        ``id`` is ``height.index``. ``at`` is the time of its block in ISO 8601, if the node has the block. It is not
        proven: ``header.timestamp`` of a VerifiedReader's ``block(height)`` is certified. For type checkers this is the
        union of all event types of this version, so that comparing ``type`` narrows ``data``. A newer node may send
        other types: compare ``str(event.type)``, and read ``dict(event.data)``.
        """

        id: str
        height: int
        type: str
        data: dict[str, Any]
        block_hash: str | None = None
        cursor: str = ""
        at: str | None = None


class Cursor(NamedTuple):
    """The position of a feed, and the chain that it follows.

    :ivar after: id of the last event seen; None to start now
    :ivar block_hash: hash of the block of ``after``
    :ivar genesis_hash: genesis hash of the chain; None for the node's chain
    :ivar is_resumed: True if the feed ends once the node lacks the blocks since ``after``; otherwise it waits for them
    """

    after: str | None
    block_hash: str | None = None
    genesis_hash: str | None = None
    is_resumed: bool = False


#: A time of the chain.
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
#: Text of a cursor. Both SDKs read the same form.
CURSOR = re.compile(rf"((?:{EVENT_ID.pattern}))\.([a-f0-9]{{64}})(?:\.([a-f0-9]{{64}}))?")


def cursor_of(since: str | None, after: str | None, genesis_hash: str | None) -> Cursor:
    """Returns the start of a feed, from the cursor of an event or from an id.

    :raises AgentError: ARGUMENT_INVALID
    """
    if since is None:
        require_event_id(after)
        return Cursor(after, None, genesis_hash)
    if after is not None or genesis_hash is not None:
        refuse("ARGUMENT_INVALID", "since: it takes the place of after and genesis_hash; leave them out", "/since")
    found = CURSOR.fullmatch(since) if isinstance(since, str) else None
    if found is None:
        detail = f"since: {since!r} is no cursor; pass the cursor of an event unchanged"
        refuse("ARGUMENT_INVALID", detail, "/since")
    return Cursor(found[1], found[5], found[4], is_resumed=True)


class _Endless(Exception):
    """An event exceeds MAX_PENDING."""


class Bounded(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A response stream that limits the bytes of one event, and ends at a monotonic time."""

    def __init__(self, inner: Any, until: float) -> None:
        self._inner = inner
        self._until = until
        self.pending = 0

    def _take(self, part: bytes) -> bytes:
        # Heartbeats end up here too.
        if time.monotonic() >= self._until:
            raise httpx.ReadTimeout("the feed has ended")
        self.pending += len(part)
        if self.pending > MAX_PENDING:
            raise _Endless
        return part

    def __iter__(self) -> Iterator[bytes]:
        """Yields the bytes, blocking."""
        for part in self._inner:
            yield self._take(part)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yields the bytes, in asyncio."""
        async for part in self._inner:
            yield self._take(part)

    def close(self) -> None:
        """Closes the inner stream."""
        self._inner.close()

    async def aclose(self) -> None:
        """Closes the inner stream."""
        await self._inner.aclose()


class Feed:
    """Cursor and reconnect delay of a feed, for both clients."""

    def __init__(
        self,
        api: Api,
        filters: Mapping[str, str | None],
        cursor: Cursor,
        refused: Callable[[NetError], None] | None = None,
    ) -> None:
        self._api = api
        self._filters = filters
        self._refused = refused
        self._was_refused = False
        self._is_known = False
        self.last = cursor.after
        self._block_hash = cursor.block_hash
        self._genesis_hash = cursor.genesis_hash
        self._is_resumed = cursor.is_resumed
        self._retry = self.wait = RETRY

    @property
    def url(self) -> str:
        """The URL of the events after the cursor."""
        named = {**self._filters, "genesisHash": self._genesis_hash, "blockHash": self._block_hash}
        query = {name: value for name, value in named.items() if value is not None}
        return f"{self._api.url}/v1/events?{urlencode(query)}"

    def begin(self) -> Flow[None]:
        """Checks the chain of the node before each connection.

        A feed that starts "now" starts at the height of the first check, so a failed first connection loses no event.

        :raises AgentError: CHAIN_REPLACED
        """
        network = yield from self._api.chain(self._genesis_hash)
        self._genesis_hash = network["genesisHash"]
        self._is_known = True
        if self.last is None:
            block_hash = network.get("blockHash")
            self.last = f"{network['height']}.{LAST_INDEX}"
            self._block_hash = block_hash if is_hash(block_hash) else None

    def headers(self) -> dict[str, str]:
        """Returns headers that request the stream after the last event delivered."""
        return {
            "accept": "text/event-stream",
            "accept-encoding": "identity",
            "cache-control": "no-store",
            "last-event-id": self.last or "0.0",
        }

    def event(self, sse: httpx_sse.ServerSentEvent) -> NetEvent | None:
        """Returns the event in a message of the stream, or None."""
        if sse.retry is not None:
            self._retry = self.wait = min(max(sse.retry / 1000, MIN_RETRY), MAX_RETRY)
        if not sse.data:
            return None
        try:
            event = _event_of({**json.loads(sse.data), "id": sse.id}, self._genesis_hash)
        except (ValueError, TypeError, RecursionError) as error:
            raise NetError(0, None, detail="the stream says something that is no event") from error
        is_further = position(event.id) > position(self.last or "0.0")
        if str(event.type) == RESET:
            if not is_further:
                self.last, self._block_hash = event.id, event.block_hash
            return None
        return event if is_further else None

    def seen(self, event: NetEvent) -> None:
        """Advances the cursor, and resets the reconnect delay."""
        self.last, self._block_hash, self.wait = event.id, event.block_hash, self._retry
        self._was_refused = False

    def broken(self, error: Exception) -> float:
        """Returns the seconds before the next connection.

        :raises NetError: if the node refuses the request itself
        """
        is_refusal, self._is_known = self._is_known, False
        if isinstance(error, NetError):
            if error.code == "CURSOR_STALE":
                height = (error.problem or {}).get("height")
                # A height above the cursor may belong to another chain, which the next connection detects.
                if type(height) is int and 0 <= height <= position(self.last or "0.0")[0]:
                    # A cursor without a block hash cannot be stale, so the node is wrong.
                    if self._block_hash is None:
                        raise error
                    self.last, self._block_hash = f"{height}.{LAST_INDEX}", None
                    return 0.0
            elif (
                (error.is_refusal and error.status != 429)
                or (error.code == "NOT_A_NODE" and self._genesis_hash is None)
                # Waiting in silence would hide that the events since the cursor are elsewhere.
                or (error.code == "HISTORY_NOT_HELD" and self._is_resumed)
            ):
                raise error
            # Any other error, such as the page of a proxy, counts as an outage.
            if is_refusal and self._refused is not None and not self._was_refused and error.status >= 300:
                self._was_refused = True
                self._refused(error)
            if error.retry_after is not None:
                return min(error.retry_after, MAX_RETRY)
        self.wait = min(2 * self.wait, MAX_RETRY)
        return self.wait


def position(event_id: str) -> tuple[int, int]:
    """Parses an event id to compare it: ``10.2`` follows ``9.11``."""
    height, index = event_id.split(".")
    return int(height), int(index)


def _event_of(told: Mapping[str, Any], genesis_hash: str | None = None) -> NetEvent:
    event_id, height, block_hash = told.get("id"), told.get("height"), told.get("blockHash")
    is_cursor = (
        isinstance(event_id, str) and EVENT_ID.fullmatch(event_id) and (block_hash is None or is_hash(block_hash))
    )
    kind, data, at = told.get("type"), told.get("data"), told.get("at")
    is_placed = is_cursor and type(height) is int and (at is None or (isinstance(at, str) and TIME.fullmatch(at)))
    if not is_placed or not isinstance(kind, str) or not isinstance(data, dict):
        raise ValueError(event_id)
    cursor = "" if genesis_hash is None else ".".join(filter(None, (event_id, genesis_hash, block_hash)))
    return cast("Any", NetEvent)(event_id, height, kind, data, block_hash, cursor, at)  # type: ignore[no-any-return]


def page_of(document: Mapping[str, Any], after: str) -> tuple[list[NetEvent], str, bool]:
    """Parses a page of ``/v1/events``: its events, the next ``after``, and whether more follow.

    :param after: the ``after`` of the request
    :raises NetError: if the page is malformed, out of order, or does not advance
    """
    try:
        events = [_event_of(told) for told in document["events"]]
        places = [position(after), *(position(event.id) for event in events)]
        following, more = document["next"], document["more"]
        is_sound = isinstance(following, str) and EVENT_ID.fullmatch(following) and isinstance(more, bool)
        leads_on = is_sound and (not more or position(following) > places[0])
        if leads_on and all(place < later for place, later in pairwise(places)):
            return events, following, more
    except (KeyError, TypeError, AttributeError, ValueError):
        pass
    raise NetError(200, None, detail="the answer is no page of events that leads on")


def require_unpacked(response: httpx.Response) -> None:
    """Refuses compressed streams, because a kilobyte may decompress to gigabytes."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise NetError(0, None, detail="the stream is packed, which was not asked for")


#: Errors that end a connection, but not the feed.
BROKEN = (NetError, httpx.HTTPError, httpx_sse.SSEError, _Endless)


def refusal_of(response: httpx.Response, content: bytes) -> NetError:
    """Returns the error for an answer that is not a stream."""
    headers = {name.lower(): value for name, value in response.headers.items()}
    return error_of(Answer(response.status_code, headers, content))
