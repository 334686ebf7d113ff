"""The event feed, with reconnects."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Any

import httpx_sse

from ..api import Api
from ..errors import NetError
from ..events import BROKEN, MAX_REFUSAL, SILENCE, Bounded, Cursor, Feed, NetEvent, refusal_of, require_unpacked
from ..flow import AsyncDriver, sleep


async def follow(
    driver: AsyncDriver,
    api: Api,
    filters: Mapping[str, str | None],
    *,
    cursor: Cursor,
    silence: float = SILENCE,
    refused: Callable[[NetError], None] | None = None,
    timeout: float | None = None,
    streaming: Callable[[bool], None] = lambda is_open: None,
) -> AsyncGenerator[NetEvent, None]:
    """Yields events until the client is closed; see ``AsyncNetClient.events``."""
    feed = Feed(api, filters, cursor, refused)
    until = math.inf if timeout is None else time.monotonic() + timeout
    while not driver.http.is_closed and (left := until - time.monotonic()) > 0:
        try:
            await driver.run(feed.begin())
            silent = min(silence, left)
            async with driver.http.stream("GET", feed.url, headers=feed.headers(), timeout=silent) as response:
                require_unpacked(response)
                if response.status_code != 200:
                    content = b""
                    async for part in response.aiter_raw():
                        content += part
                        if len(content) > MAX_REFUSAL:
                            break
                    raise refusal_of(response, content)
                streaming(True)
                bounded = Bounded(response.stream, until)
                response.stream = bounded
                stream: Any = httpx_sse.EventSource(response).aiter_sse()
                async with aclosing(stream):
                    async for sse in stream:
                        bounded.pending = 0
                        event = feed.event(sse)
                        if event is not None:
                            yield event
                            feed.seen(event)
            streaming(False)
            wait = feed.wait
        except (*BROKEN, RuntimeError) as error:
            streaming(False)
            # Once the client is closed, httpx raises RuntimeError.
            if driver.http.is_closed:
                return
            if not isinstance(error, BROKEN):
                raise
            wait = feed.broken(error)
        await driver.run(sleep(min(wait, max(0.0, until - time.monotonic()))))
