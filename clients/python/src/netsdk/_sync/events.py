# Generated from _async/events.py by npm run contract; not edited by hand.
"""Follows the event feed over one connection after the other."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import closing
from typing import Any

import httpx_sse

from ..api import Api
from ..events import BROKEN, LAST_INDEX, MAX_REFUSAL, Bounded, Feed, NetEvent, refusal_of, require_unpacked
from ..flow import SyncDriver, sleep


def follow(
    driver: SyncDriver, api: Api, filters: Mapping[str, str | None], *, after: str | None, silence: float
) -> Generator[NetEvent, None, None]:
    """Waits for the next event, for ever; see ``NetClient.events``."""
    feed = Feed(api, filters, after)
    while True:
        try:
            if feed.last is None:
                # "Now" is one height: nothing is missed where the first connection breaks before its first event.
                feed.last = f"{(driver.run(api.network()))['height']}.{LAST_INDEX}"
            with driver.http.stream("GET", feed.url, headers=feed.headers(), timeout=silence) as response:
                require_unpacked(response)
                if response.status_code != 200:
                    content = b""
                    for part in response.iter_raw():
                        content += part
                        if len(content) > MAX_REFUSAL:
                            break
                    raise refusal_of(response, content)
                bounded = Bounded(response.stream)
                response.stream = bounded
                stream: Any = httpx_sse.EventSource(response).iter_sse()
                with closing(stream):
                    for sse in stream:
                        bounded.pending = 0
                        event = feed.event(sse)
                        if event is not None:
                            yield event
                            feed.seen(event)
            wait = feed.wait
        except BROKEN as error:
            wait = feed.broken(error)
        driver.run(sleep(wait))
