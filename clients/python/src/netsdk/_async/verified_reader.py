"""Verified reads from one node."""

from __future__ import annotations

from collections.abc import Iterable

from ..verification import Verification, VerifiedAudit, VerifiedBlock, VerifiedHeader, VerifiedState, VerifiedTransition
from .client import AsyncNetClient


class AsyncVerifiedReader:
    """Verified reads through a client. Raises VerificationError if a proof fails, and NetError if a request fails.

    The height of answers never decreases. Use ``min_height`` or ``max_age`` to require newer state.

    :param genesis_hash: trust anchor, not obtained from the node; or use ``validator_set_hash``. Without either, the
        verdict is ``self-consistent`` at best, because a node can fabricate a whole chain
    """

    def __init__(
        self, client: AsyncNetClient, *, genesis_hash: str | None = None, validator_set_hash: str | None = None
    ) -> None:
        self._client = client
        self._reader = Verification(client.api, genesis_hash, validator_set_hash)

    @property
    def height(self) -> int:
        """The highest proven height; 0 at first."""
        return self._reader.highest

    async def read_state(self, key: str, *, min_height: int = 0, max_age: float | None = None) -> VerifiedState:
        """Reads the value of a state key, or proves its absence.

        :param key: ``<collection>/<id>``, for example ``account/alice``
        :param min_height: least height, for example of your last receipt
        :param max_age: limit in seconds of the block's age, by the local clock; idle chains make a block every 10 s
        """
        return await self._client.run(self._reader.state(key, min_height, max_age))

    async def read_head(self) -> VerifiedHeader:
        """Reads the header of the newest block that the node proves. A node may hide newer ones, so check its time."""
        return await self._client.run(self._reader.head())

    async def read_transition(self, transition_hash: str) -> VerifiedTransition:
        """Reads a committed envelope, and its receipt with all its events."""
        return await self._client.run(self._reader.transition(transition_hash))

    async def read_block(self, height: int) -> VerifiedBlock:
        """Reads a block: header, certificate, and exactly its transitions and events."""
        return await self._client.run(self._reader.block(height))

    async def read_blocks(self, heights: Iterable[int]) -> list[VerifiedBlock]:
        """Reads the blocks of these heights, each once and in their order, with as few requests as the node allows."""
        return await self._client.run(self._reader.blocks(heights))

    async def read_work_audit(
        self, order_id: str, *, min_height: int = 0, max_age: float | None = None
    ) -> VerifiedAudit:
        """Reads a work order, no older than its last event, with the events of its audit: at most a hundred.

        Proves that each block contains exactly these events of the order, but not that no block is missing.
        """
        return await self._client.run(self._reader.work_audit(order_id, min_height, max_age))
