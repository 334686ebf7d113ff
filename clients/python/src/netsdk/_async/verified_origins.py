"""Verified reads from several origins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import httpx

from ..api import Actor
from ..origins import Origins, OriginStatus
from ..verification import VerifiedAudit, VerifiedState, VerifiedTransition
from .connection import AsyncConnection

if TYPE_CHECKING:
    from ..documents import Receipt


class AsyncVerifiedOrigins(AsyncConnection):
    """Verified reads from several origins, in asyncio.

    Asks the fastest origin that is up to date, and bans origins whose proofs fail. The height of answers never
    decreases.

    :param origins: base URLs; duplicates count once
    :param genesis_hash: trust anchor, not obtained from the origins; or use ``validator_set_hash``
    :param timeout: seconds per origin
    :param max_lag: heights that an origin may lag before others are preferred
    :param http: an ``httpx.AsyncClient`` that the caller closes
    """

    def __init__(
        self,
        origins: Sequence[str],
        *,
        genesis_hash: str | None = None,
        validator_set_hash: str | None = None,
        timeout: float = 10.0,
        max_lag: int = 10,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._origins = Origins(
            origins,
            genesis_hash=genesis_hash,
            validator_set_hash=validator_set_hash,
            timeout=timeout,
            max_lag=max_lag,
        )
        super().__init__(http, origins)

    @property
    def origins(self) -> list[OriginStatus]:
        """Status of each origin, in the order of use."""
        return self._origins.statuses()

    @property
    def height(self) -> int:
        """The highest proven height."""
        return self._origins.height

    async def read_state(self, key: str, *, min_height: int = 0, max_age: float | None = None) -> VerifiedState:
        """Reads a key like :meth:`AsyncVerifiedReader.read_state`.

        :raises VerificationError: if all origins are banned
        :raises StaleStateError: if no origin has a recent enough state
        :raises NetError: if no origin answers, or one refuses
        """
        return await self.driver.run(self._origins.state(key, min_height, max_age))

    async def read_transition(self, transition_hash: str) -> VerifiedTransition:
        """Reads a transition like :meth:`AsyncVerifiedReader.read_transition`."""
        return await self.driver.run(self._origins.transition(transition_hash))

    async def read_work_audit(
        self, order_id: str, *, min_height: int = 0, max_age: float | None = None
    ) -> VerifiedAudit:
        """Reads an audit like :meth:`AsyncVerifiedReader.read_work_audit`."""
        return await self.driver.run(self._origins.work_audit(order_id, min_height, max_age))

    async def act(self, actor: Actor, action: str, payload: Mapping[str, Any] | None = None) -> Receipt:
        """Performs an action at a node that accepts writes: an origin, or a node that a follower names.

        The envelope is signed for the chain of the trust anchor only.

        :raises NetError: if the node refuses
        :raises LostAnswerError: if no answer came; retry safely with ``send``
        """
        return await self.driver.run(self._origins.act(actor, action, payload or {}))

    async def send(self, path: str, envelope: Mapping[str, Any]) -> Receipt:
        """Sends a signed envelope to a node that accepts writes."""
        return await self.driver.run(self._origins.send(path, envelope))
