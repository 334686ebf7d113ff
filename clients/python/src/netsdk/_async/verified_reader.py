"""Reads that the node must prove: what comes back is certified, whichever node answered."""

from __future__ import annotations

from ..verification import Verification, VerifiedAudit, VerifiedBlock, VerifiedState, VerifiedTransition
from .client import AsyncNetClient


class AsyncVerifiedReader:
    """Reads through a client, and raises ``VerificationError`` for everything that the node could not prove.

    A reader never goes back in height. What it has not seen itself it cannot know to be old: ``min_height`` asks for
    the state after a receipt, ``max_age`` for one that is at most so many seconds old.

    :param genesis_hash: what names the chain, known from somewhere other than the node; or ``validator_set_hash``.
        Without either, a verdict is ``self-consistent`` at best, because a node may make up a whole chain
    """

    def __init__(
        self, client: AsyncNetClient, *, genesis_hash: str | None = None, validator_set_hash: str | None = None
    ) -> None:
        self._client = client
        self._reader = Verification(client.api, genesis_hash, validator_set_hash)

    @property
    def height(self) -> int:
        """The height of the highest block that was certified to it; 0 before the first."""
        return self._reader.highest

    async def read_state(self, key: str, *, min_height: int = 0, max_age: float | None = None) -> VerifiedState:
        """The value of a state key, or that there is none.

        :param key: ``<collection>/<id>``, for example ``account/alice``
        :param min_height: the state must be of this height or above, for example that of the caller's last receipt
        :param max_age: seconds by which the certified block may be older than the clock of this machine; an idle chain
            makes a block every ten seconds
        :raises VerificationError:
        :raises NetError:
        """
        return await self._client.run(self._reader.state(key, min_height, max_age))

    async def read_transition(self, transition_hash: str) -> VerifiedTransition:
        """A committed envelope, and the receipt with every event that it caused.

        :raises VerificationError:
        :raises NetError:
        """
        return await self._client.run(self._reader.transition(transition_hash))

    async def read_block(self, height: int) -> VerifiedBlock:
        """A block: header and certificate, all its transitions and events, none added and none left out.

        :raises VerificationError:
        :raises NetError:
        """
        return await self._client.run(self._reader.block(height))

    async def read_work_audit(
        self, order_id: str, *, min_height: int = 0, max_age: float | None = None
    ) -> VerifiedAudit:
        """A work order as the state has it, no older than the last of its events, and every event of its audit.

        Each event is proven to be in its block, with no other of the order in that block. That no block is left out is
        not proven, and an audit shows a hundred events at most.

        :raises VerificationError:
        :raises NetError:
        """
        return await self._client.run(self._reader.work_audit(order_id, min_height, max_age))
