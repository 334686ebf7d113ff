"""The event feed, live: server-sent events (HTML Living Standard section 9.2)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import urlencode

import httpx
import httpx_sse

from .api import Api, error_of
from .arguments import EVENT_ID
from .errors import NetError
from .flow import Answer, Flow
from .protocol.hashes import is_hash

#: The highest index that an event of a block can have.
LAST_INDEX = 65_535
#: What a laboratory says where it has taken blocks back: the feed goes on behind those that it kept.
RESET = "LaboratoryReverted"
#: Seconds before a broken connection is taken up again, and the most it grows to.
RETRY = 2.0
#: However soon the stream wants us back.
MIN_RETRY = 0.5
MAX_RETRY = 30.0
#: Seconds of silence after which a connection counts as broken: three heartbeats.
SILENCE = 45.0
#: Bytes without the end of an event; a stream that never ends one is not ours.
MAX_PENDING = 4 * 1024 * 1024
#: Bytes of a refusal that are read.
MAX_REFUSAL = 64 * 1024


class NetEvent(NamedTuple):
    """One event of the chain.

    ``id`` is ``height.index``: pass it as ``after`` to go on behind it. ``block_hash`` is the hash of its block: pass
    it as well, and a reader notices if that block was replaced.
    """

    id: str
    height: int
    type: str
    data: dict[str, Any]
    block_hash: str | None = None


class Cursor(NamedTuple):
    """Where a reader of the feed begins, and on which chain.

    :ivar after: id of the last event seen; None for what happens from now on
    :ivar block_hash: of the block of ``after``
    :ivar genesis_hash: of the chain to follow; None for the one that the node serves at first
    """

    after: str | None
    block_hash: str | None = None
    genesis_hash: str | None = None


class _Endless(Exception):
    """A stream that never ends an event."""


class Bounded(httpx.SyncByteStream, httpx.AsyncByteStream):
    """The bytes of a response, as long as events end."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.pending = 0

    def _take(self, part: bytes) -> bytes:
        self.pending += len(part)
        if self.pending > MAX_PENDING:
            raise _Endless
        return part

    def __iter__(self) -> Iterator[bytes]:
        """The bytes, blocking."""
        for part in self._inner:
            yield self._take(part)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The bytes in asyncio."""
        async for part in self._inner:
            yield self._take(part)

    def close(self) -> None:
        """Closes what it wraps."""
        self._inner.close()

    async def aclose(self) -> None:
        """Closes what it wraps."""
        await self._inner.aclose()


class Feed:
    """Where a reader of the feed is, and how long it waits after a break: what both ways of reading share."""

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
        self._retry = self.wait = RETRY

    @property
    def url(self) -> str:
        """Asks for the events behind the cursor, on this chain."""
        named = {**self._filters, "genesisHash": self._genesis_hash, "blockHash": self._block_hash}
        query = {name: value for name, value in named.items() if value is not None}
        return f"{self._api.url}/v1/events?{urlencode(query)}"

    def begin(self) -> Flow[None]:
        """Checks which chain the node serves, before each connection. "Now" is the height of the first check, so that
        nothing is missed if the first connection breaks before its first event.

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
        """Headers that ask for the stream behind the last event that was handed out."""
        return {
            "accept": "text/event-stream",
            "accept-encoding": "identity",
            "cache-control": "no-store",
            "last-event-id": self.last or "0.0",
        }

    def event(self, sse: httpx_sse.ServerSentEvent) -> NetEvent | None:
        """The event that a message of the stream holds, None where it holds none."""
        if sse.retry is not None:
            self._retry = self.wait = min(max(sse.retry / 1000, MIN_RETRY), MAX_RETRY)
        if not sse.data:
            return None
        try:
            event = _event_of({**json.loads(sse.data), "id": sse.id})
        except (ValueError, TypeError, RecursionError) as error:
            raise NetError(0, None, detail="the stream says something that is no event") from error
        is_further = position(event.id) > position(self.last or "0.0")
        if event.type == RESET:
            if not is_further:
                self.last, self._block_hash = event.id, event.block_hash
            return None
        # A node that says it again is not believed: each event comes once.
        return event if is_further else None

    def seen(self, event: NetEvent) -> None:
        """The next connection begins behind it."""
        self.last, self._block_hash, self.wait = event.id, event.block_hash, self._retry
        self._was_refused = False

    def broken(self, error: Exception) -> float:
        """Seconds to wait before the next connection.

        :raises NetError: where the node refuses the request itself
        :raises AgentError: CHAIN_REPLACED
        """
        is_refusal, self._is_known = self._is_known, False
        if isinstance(error, NetError):
            if error.code == "CURSOR_STALE":
                height = (error.problem or {}).get("height")
                # Never one ahead of the cursor. Any other may be of another chain, which the next connection finds out.
                if type(height) is int and 0 <= height <= position(self.last or "0.0")[0]:
                    # Without a hash nothing can be stale: a node that says so again lies.
                    if self._block_hash is None:
                        raise error
                    # Blocks were replaced: it goes on behind those that were kept.
                    self.last, self._block_hash = f"{height}.{LAST_INDEX}", None
                    return 0.0
            elif (error.is_refusal and error.status != 429) or (
                error.code == "NOT_A_NODE" and self._genesis_hash is None
            ):
                raise error
            # Anything else in place of the stream, such as the page of a proxy, is an outage.
            if is_refusal and self._refused is not None and not self._was_refused and error.status >= 300:
                self._was_refused = True
                self._refused(error)
            if error.retry_after is not None:
                return min(error.retry_after, MAX_RETRY)
        self.wait = min(2 * self.wait, MAX_RETRY)
        return self.wait


def position(event_id: str) -> tuple[int, int]:
    """What the id of an event says, for comparisons: ``10.2`` comes behind ``9.11``."""
    height, index = event_id.split(".")
    return int(height), int(index)


def _event_of(told: Mapping[str, Any]) -> NetEvent:
    """The event, if a reader can go on from it: the next request carries its id and block hash.

    :raises ValueError: if no node has such an event
    """
    event_id, height, block_hash = told.get("id"), told.get("height"), told.get("blockHash")
    is_cursor = (
        isinstance(event_id, str) and EVENT_ID.fullmatch(event_id) and (block_hash is None or is_hash(block_hash))
    )
    kind, data = told.get("type"), told.get("data")
    if not is_cursor or type(height) is not int or not isinstance(kind, str) or not isinstance(data, dict):
        raise ValueError(event_id)
    return NetEvent(str(event_id), height, kind, data, block_hash)


def page_of(document: Mapping[str, Any], after: str) -> tuple[list[NetEvent], str, bool]:
    """The events of a page of ``/v1/events``, the id to go on behind, and whether there are more.

    :param after: the id that the page was asked for behind
    :raises NetError: if the page is out of order, or leads back: such a feed has no end
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
    """Nothing of a stream is unpacked: a kilobyte may stand for gigabytes.

    :raises NetError: where it is packed, which was not asked for
    """
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise NetError(0, None, detail="the stream is packed, which was not asked for")


#: Errors that break a connection, rather than the reader of it.
BROKEN = (NetError, httpx.HTTPError, httpx_sse.SSEError, _Endless)


def refusal_of(response: httpx.Response, content: bytes) -> NetError:
    """The error that an answer without a stream is."""
    headers = {name.lower(): value for name, value in response.headers.items()}
    return error_of(Answer(response.status_code, headers, content))
