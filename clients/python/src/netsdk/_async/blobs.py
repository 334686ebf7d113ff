"""Clients of blob stores."""

from __future__ import annotations

from collections.abc import Sequence

import httpx

from ..api import Actor
from ..blobs import BlobApi, blob_url, fetch
from ..flow import AsyncDriver
from ..key import AgentKey
from ..transport import AsyncTransport
from .connection import AsyncConnection


class AsyncBlobClient(AsyncConnection):
    """A client of one blob store, in asyncio.

    :param origin: scheme, host and port, for example ``https://blobs.example``
    :param actor_id: the signer of writes, with its ``key``
    :param timeout: seconds for a whole answer
    """

    def __init__(
        self,
        origin: str,
        *,
        actor_id: str | None = None,
        key: AgentKey | None = None,
        timeout: float = 60.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        actor = Actor(actor_id, key) if actor_id is not None and key is not None else None
        self.api = BlobApi(origin, actor, timeout)
        super().__init__(http, [self.origin])

    @property
    def origin(self) -> str:
        """Scheme, host and port of the store."""
        return self.api.origin

    def url(self, blob_hash: str) -> str:
        """Returns the URL of a blob."""
        return blob_url(self.origin, blob_hash)

    async def put(self, data: bytes) -> str:
        """Stores bytes under their hash; idempotent.

        :param data: at most 8 MiB
        :returns: the hash
        :raises NetError: if the store refuses; see ``retry_after`` if it is busy or full
        """
        return await self.driver.run(self.api.put(data))

    async def get(self, blob_hash: str) -> bytes | None:
        """Returns the bytes; None if the store does not have them, or sends bytes with another hash.

        :raises NetError: if the request fails
        """
        return await self.driver.run(self.api.get(blob_hash))

    async def has(self, blob_hash: str) -> bool:
        """Returns True if the store says that it has the blob. The bytes are not checked."""
        return await self.driver.run(self.api.has(blob_hash))

    async def delete(self, blob_hash: str) -> None:
        """Releases the signer's hold on a blob. The store deletes a blob once it has no holder.

        :raises NetError: if the store refuses
        """
        await self.driver.run(self.api.delete(blob_hash))


async def fetch_blob(blob_hash: str, origins: Sequence[str], *, timeout: float = 60.0) -> bytes | None:
    """Returns the bytes from the first origin that has them, else None.

    Asks the next origin if one fails or takes longer than a second.

    :param timeout: seconds per origin
    :raises EnvironmentVariableError: if a proxy or certificate variable of the environment is invalid
    """
    async with httpx.AsyncClient(transport=AsyncTransport(origins)) as http:
        return await AsyncDriver(http).run(fetch(blob_hash, origins, timeout))
