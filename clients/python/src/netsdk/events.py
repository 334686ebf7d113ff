"""The event feed, live: server-sent events (HTML Living Standard section 9.2)."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

import httpx
import httpx_sse

from .api import Api, error_of, require_height
from .errors import NetError
from .flow import Answer

#: As nodes check it.
_EVENT_ID = re.compile(r"(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,4})")
_HASH = re.compile("[0-9a-f]{64}")
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

    def begin(self, network: Mapping[str, Any]) -> None:
        """Checks which chain the node serves, before each connection.

        :param network: ``/v1/network``; "now" is its height, so that nothing is missed if the first connection breaks
            before its first event
        :raises AgentError: CHAIN_REPLACED
        """
        genesis = network.get("genesisHash")
        if self._genesis_hash is not None and genesis != self._genesis_hash:
            raise _replaced(self._api.url, str(genesis))
        self._genesis_hash = genesis
        self._is_known = True
        if self.last is None:
            self.last = f"{require_height(network.get('height'))}.{LAST_INDEX}"
            self._block_hash = network.get("blockHash")

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
            told = json.loads(sse.data)
            _require_cursor(sse.id, told.get("blockHash"))
            if told["type"] == RESET:
                self.last, self._block_hash = sse.id, told.get("blockHash")
                return None
            return NetEvent(sse.id, told["height"], told["type"], told["data"], told.get("blockHash"))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise NetError(0, None, detail="the stream says something that is no event") from error

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
                at = int((self.last or "0.0").partition(".")[0])
                # Never one ahead of the cursor.
                if not isinstance(height, int) or isinstance(height, bool) or not 0 <= height <= at:
                    raise _replaced(self._api.url, "another one") from error
                # Without a hash nothing can be stale: a node that says so again lies.
                if self._block_hash is None:
                    raise error
                # Blocks were replaced: it goes on behind those that were kept.
                self.last, self._block_hash = f"{height}.{LAST_INDEX}", None
                return 0.0
            if is_refusal and self._refused is not None and not self._was_refused and error.status in (429, 503):
                self._was_refused = True
                self._refused(error)
            if 400 <= error.status < 500 and error.status != 429:
                raise error
            if error.retry_after is not None:
                return min(error.retry_after, MAX_RETRY)
        self.wait = min(2 * self.wait, MAX_RETRY)
        return self.wait


def _require_cursor(event_id: str, block_hash: Any) -> None:
    """Checks what the next request would carry.

    :raises ValueError: if no node has such an id or hash
    """
    if _EVENT_ID.fullmatch(event_id) is None or (block_hash is not None and _HASH.fullmatch(block_hash) is None):
        raise ValueError(event_id)


def _replaced(url: str, genesis: str) -> Exception:
    # Agents import this module.
    from .agent.errors import AgentError

    return AgentError("CHAIN_REPLACED", f"{url}, genesis {genesis}")


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
