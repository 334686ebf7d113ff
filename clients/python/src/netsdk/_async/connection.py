"""Connections, and who closes them."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING

import httpx

from ..flow import AsyncDriver
from ..transport import AsyncTransport

if TYPE_CHECKING:
    from typing_extensions import Self


class AsyncConnection:
    """Keeps connections open, and closes them at the end of its block, in asyncio.

    :param http: an ``httpx.AsyncClient`` of the caller's own, who then closes it
    :param urls: addresses that it will ask
    :raises EnvironmentVariableError: if the way to them needs a variable that cannot be used
    """

    def __init__(self, http: httpx.AsyncClient | None, urls: Sequence[str]) -> None:
        self._own = http is None
        self.driver = AsyncDriver(http or httpx.AsyncClient(transport=AsyncTransport(urls)))

    async def close(self) -> None:
        """Closes its connections."""
        if self._own:
            await self.driver.http.aclose()

    async def __aenter__(self) -> Self:
        """Itself; its connections close at the end of the block."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes its connections."""
        await self.close()
