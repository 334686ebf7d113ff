"""The base class of objects that own HTTP connections."""

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
    """Owns HTTP connections, and closes them at the end of an ``async with`` block.

    :param http: an ``httpx.AsyncClient`` that the caller closes
    :param urls: addresses that will be requested
    :raises EnvironmentVariableError: if a proxy or certificate variable of the environment is invalid
    """

    def __init__(self, http: httpx.AsyncClient | None, urls: Sequence[str]) -> None:
        self._own = http is None
        self.driver = AsyncDriver(http or httpx.AsyncClient(transport=AsyncTransport(urls)))

    async def close(self) -> None:
        """Closes the connections, unless they belong to the caller's ``http``."""
        if self._own:
            await self.driver.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
