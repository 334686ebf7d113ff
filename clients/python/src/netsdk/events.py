"""The event feed, live: server-sent events (HTML Living Standard section 9.2)."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

import httpx
import httpx_sse

from .api import Api, error_of
from .errors import NetError
from .flow import Answer, AsyncDriver, SyncDriver, sleep

#: The highest index that an event of a block can have.
LAST_INDEX = 65_535
#: Seconds before a broken connection is taken up again, and the most it grows to.
RETRY = 2.0
MAX_RETRY = 30.0
#: Bytes without the end of an event; a stream that never ends one is not ours.
MAX_PENDING = 4 * 1024 * 1024
#: Bytes of a refusal that are read.
MAX_REFUSAL = 64 * 1024


class NetEvent(NamedTuple):
    """One event of the chain.

    ``id`` is ``height.index``: pass it as ``after`` to go on behind it.
    """

    id: str
    height: int
    type: str
    data: dict[str, Any]


class _Endless(Exception):
    """A stream that never ends an event."""


class _Bounded(httpx.SyncByteStream, httpx.AsyncByteStream):
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
        for part in self._inner:
            yield self._take(part)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._inner:
            yield self._take(part)

    def close(self) -> None:
        self._inner.close()

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Feed:
    """Where a reader of the feed is, and how long it waits after a break: what both ways of reading share."""

    def __init__(self, api: Api, filters: Mapping[str, str | None], after: str | None) -> None:
        query = {name: value for name, value in filters.items() if value is not None}
        self.url = f"{api.url}/v1/events" + (f"?{urlencode(query)}" if query else "")
        self.last = after
        self._retry = self.wait = RETRY

    def headers(self) -> dict[str, str]:
        """What asks for the stream behind the last event that was handed out."""
        return {"accept": "text/event-stream", "cache-control": "no-store", "last-event-id": self.last or "0.0"}

    def event(self, sse: httpx_sse.ServerSentEvent) -> NetEvent | None:
        """What the stream says, None where it is no event."""
        if sse.retry is not None:
            self._retry = self.wait = min(sse.retry / 1000, MAX_RETRY)
        if not sse.data:
            return None
        try:
            told = json.loads(sse.data)
            return NetEvent(sse.id, told["height"], told["type"], told["data"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise NetError(0, None, detail="the stream says something that is no event") from error

    def seen(self, event: NetEvent) -> None:
        """The next connection begins behind it."""
        self.last, self.wait = event.id, self._retry

    def broken(self, error: Exception) -> float:
        """Seconds to wait before the next connection.

        :raises NetError: where the node refuses the request itself
        """
        if isinstance(error, NetError):
            if 400 <= error.status < 500 and error.status != 429:
                raise error
            if error.retry_after is not None:
                return min(error.retry_after, MAX_RETRY)
        self.wait = min(2 * self.wait, MAX_RETRY)
        return self.wait


_BROKEN = (NetError, httpx.HTTPError, httpx_sse.SSEError, _Endless)


def follow(
    driver: SyncDriver, api: Api, filters: Mapping[str, str | None], after: str | None, silence: float
) -> Generator[NetEvent, None, None]:
    """Blocks for the next event, for ever; see ``NetClient.events``."""
    feed = _Feed(api, filters, after)
    while True:
        try:
            if feed.last is None:
                # "Now" is one height: nothing is missed where the first connection breaks before its first event.
                feed.last = f"{driver.run(api.network())['height']}.{LAST_INDEX}"
            with driver.http.stream("GET", feed.url, headers=feed.headers(), timeout=silence) as response:
                if response.status_code != 200:
                    raise _refusal(response, b"".join(_some(response.iter_bytes())))
                bounded = _Bounded(response.stream)
                response.stream = bounded
                for sse in httpx_sse.EventSource(response).iter_sse():
                    bounded.pending = 0
                    event = feed.event(sse)
                    if event is not None:
                        yield event
                        feed.seen(event)
            wait = feed.wait
        except _BROKEN as error:
            wait = feed.broken(error)
        driver.run(sleep(wait))


async def follow_async(
    driver: AsyncDriver, api: Api, filters: Mapping[str, str | None], after: str | None, silence: float
) -> AsyncGenerator[NetEvent, None]:
    """Awaits the next event, for ever; see ``NetClient.events``."""
    feed = _Feed(api, filters, after)
    while True:
        try:
            if feed.last is None:
                feed.last = f"{(await driver.run(api.network()))['height']}.{LAST_INDEX}"
            async with driver.http.stream("GET", feed.url, headers=feed.headers(), timeout=silence) as response:
                if response.status_code != 200:
                    raise _refusal(response, (await response.aread())[:MAX_REFUSAL])
                bounded = _Bounded(response.stream)
                response.stream = bounded
                stream = httpx_sse.EventSource(response).aiter_sse()
                try:
                    async for sse in stream:
                        bounded.pending = 0
                        event = feed.event(sse)
                        if event is not None:
                            yield event
                            feed.seen(event)
                finally:
                    await stream.aclose()
            wait = feed.wait
        except _BROKEN as error:
            wait = feed.broken(error)
        await driver.run(sleep(wait))


def _some(parts: Iterator[bytes]) -> Iterator[bytes]:
    length = 0
    for part in parts:
        length += len(part)
        yield part
        if length > MAX_REFUSAL:
            return


def _refusal(response: httpx.Response, content: bytes) -> NetError:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return error_of(Answer(response.status_code, headers, content))
