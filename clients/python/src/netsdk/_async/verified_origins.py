"""Reads from several origins, all verified against one anchor."""

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
    """Proven reads from several origins, in asyncio: followers, and the nodes that take writes.

    The nearest that keeps up is asked. One that is away or behind is passed over, one that cannot prove what it says is
    banned, and no answer is older than what any of them has proven before.

    :param origins: base addresses; one named twice counts once
    :param genesis_hash: the anchor, known from somewhere other than the origins; or ``validator_set_hash``
    :param timeout: seconds to wait for an answer of one origin
    :param max_lag: heights that an origin may be behind the furthest one; beyond it is asked last
    :param http: an ``httpx.AsyncClient`` of the caller's own, who then closes it
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
        """The status of each origin, in the order in which they would be asked."""
        return self._origins.statuses()

    @property
    def height(self) -> int:
        """The highest block that any of them has proven."""
        return self._origins.height

    async def read_state(self, key: str, *, min_height: int = 0, max_age: float | None = None) -> VerifiedState:
        """As :meth:`AsyncVerifiedReader.read_state`.

        :raises VerificationError: where no origin is left to be believed
        :raises StaleStateError: where no origin has a state recent enough
        :raises NetError: where no origin answers, or the nearest refuses
        """
        return await self.driver.run(self._origins.state(key, min_height, max_age))

    async def read_transition(self, transition_hash: str) -> VerifiedTransition:
        """As :meth:`AsyncVerifiedReader.read_transition`."""
        return await self.driver.run(self._origins.transition(transition_hash))

    async def read_work_audit(
        self, order_id: str, *, min_height: int = 0, max_age: float | None = None
    ) -> VerifiedAudit:
        """As :meth:`AsyncVerifiedReader.read_work_audit`."""
        return await self.driver.run(self._origins.work_audit(order_id, min_height, max_age))

    async def act(self, actor: Actor, action: str, payload: Mapping[str, Any] | None = None) -> Receipt:
        """As ``act`` of a client, sent to the origin that takes writes: one of the list, or where a follower says.
        Whatever is signed is signed for the chain of the anchor.

        :raises NetError: with the code of a refusal
        :raises LostAnswerError: where no answer came; ``send`` asks again, safely
        """
        return await self.driver.run(self._origins.act(actor, action, payload or {}))

    async def send(self, path: str, envelope: Mapping[str, Any]) -> Receipt:
        """As ``send`` of a client, to the origin that takes writes."""
        return await self.driver.run(self._origins.send(path, envelope))
