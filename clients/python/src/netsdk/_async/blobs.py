"""Stores of blobs: one to write to, several to read from."""

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
    """A client of one store of blobs, in asyncio.

    :param origin: scheme, host and port, for example ``https://blobs.example``
    :param actor_id: who stores, with its ``key``; reading needs neither
    :param timeout: seconds to wait for a whole answer
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
        """Scheme, host and port."""
        return self.api.origin

    def url(self, blob_hash: str) -> str:
        """Where this origin serves a blob."""
        return blob_url(self.origin, blob_hash)

    async def put(self, data: bytes) -> str:
        """Stores bytes under their hash; again changes nothing.

        :param data: at most 8 MiB
        :returns: the hash
        :raises NetError: with the code of a refusal; ``retry_after`` says when a busy or full one may be asked again
        """
        return await self.driver.run(self.api.put(data))

    async def get(self, blob_hash: str) -> bytes | None:
        """The bytes, which have this hash; None where the service does not have them, or sends others.

        :raises NetError: for any other answer
        """
        return await self.driver.run(self.api.get(blob_hash))

    async def has(self, blob_hash: str) -> bool:
        """Whether the service says that it has the blob."""
        return await self.driver.run(self.api.has(blob_hash))

    async def delete(self, blob_hash: str) -> None:
        """Gives up the signer's hold on a blob; it is deleted when no hold is left.

        :raises NetError:
        """
        await self.driver.run(self.api.delete(blob_hash))


async def fetch_blob(blob_hash: str, origins: Sequence[str], *, timeout: float = 60.0) -> bytes | None:
    """The bytes of a hash from the first origin that has them, None where none does. One that does not answer holds the
    others up for a second: the next is asked beside it.

    :param timeout: seconds to wait for each
    :raises EnvironmentVariableError: if the way to them needs a variable that cannot be used
    """
    async with httpx.AsyncClient(transport=AsyncTransport(origins)) as http:
        return await AsyncDriver(http).run(fetch(blob_hash, origins, timeout))
