"""Executes each act of an agent on the chain once.

A signed envelope is written to disk before it is sent, and no other is signed for the act until its outcome is known.
A crash therefore never executes an act twice.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from ..api import INTENT_LIFETIME, Actor
from ..contracts import contract
from ..errors import NetError
from ..protocol.canonical_json import JsonObject, canonicalize
from .errors import AgentError
from .failpoints import Reach
from .home import AgentState, Records
from .retrying_client import RetryingClient


def _is_refusal(error: NetError) -> bool:
    """Returns True if the node itself refused, rather than a proxy."""
    return error.problem is not None and error.code in contract("errors")["errors"]


#: Refusals of an envelope whose session has ended.
SESSION_OVER = frozenset(("SESSION_UNKNOWN", "SESSION_EXPIRED"))
#: Limit of remembered refusals.
REFUSED_KEPT = 1_000


class Outbox:
    """Executes acts by unique id."""

    def __init__(self, client: RetryingClient, actor: Actor, chain_id: str, state: AgentState, *, reach: Reach) -> None:
        self._client = client
        self._actor = actor
        self._chain_id = chain_id
        self._acts = Records(state, "act")
        self._reach = reach
        #: Called once the session has ended.
        self.session_ended: Callable[[AgentError], None] = lambda error: None
        #: Nonce of the refused envelope by act, reused by the next: even if a refusal was false, only one can execute.
        self._refused: dict[str, str] = {}
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    async def act(self, act_id: str, action: str, payload: Mapping[str, Any]) -> JsonObject:
        """Executes an act, or returns the receipt of an earlier execution.

        :param act_id: idempotency key until :meth:`forget`, together with the payload
        :returns: the receipt
        :raises NetError: with the code of a refusal; then the act was not executed, and the id is free
        :raises AgentError: SESSION_ENDED if the session has ended
        """
        lock, users = self._locks.get(act_id, (asyncio.Lock(), 0))
        self._locks[act_id] = (lock, users + 1)
        try:
            async with lock:
                return await self._do_once(act_id, action, dict(payload))
        finally:
            lock, users = self._locks.pop(act_id)
            if users > 1:
                self._locks[act_id] = (lock, users - 1)

    async def settle(self, act_id: str) -> JsonObject | None:
        """Resolves the outcome of an act that was signed earlier.

        :returns: the receipt; None if the id is unknown or the act was refused
        """
        known = self._acts.get(act_id)
        if known is None:
            return None
        if known["receipt"] is not None:
            receipt: JsonObject = known["receipt"]
            return receipt
        try:
            return await self._send(known)
        except NetError as error:
            if not _is_refusal(error):
                raise
            return None

    def signed(self, act_id: str) -> JsonObject | None:
        """Returns the envelope signed under this id, or None."""
        known = self._acts.get(act_id)
        envelope: JsonObject | None = known["envelope"] if known is not None else None
        return envelope

    def forget(self, act_id: str) -> None:
        """Deletes the record of an act whose outcome the caller knows."""
        self._refused.pop(act_id, None)
        self._acts.delete(act_id)

    async def _do_once(self, act_id: str, action: str, payload: JsonObject) -> JsonObject:
        known = self._acts.get(act_id)
        if known is not None:
            same = canonicalize(known["envelope"]["payload"]) == canonicalize(payload)
            if known["receipt"] is not None:
                if same:
                    receipt: JsonObject = known["receipt"]
                    return receipt
            elif same:
                return await self._send(known)
            else:
                # Another payload is in flight under this id: resolve it first.
                await self.settle(act_id)
        act = {"id": act_id, "envelope": await self._sign(act_id, action, payload), "receipt": None}
        self._acts.put(act_id, act)
        self._reach("act.signed", action)
        return await self._send(act)

    async def _sign(self, act_id: str, action: str, payload: JsonObject) -> JsonObject:
        envelope: JsonObject = {
            "actorId": self._actor.actor_id,
            "nonce": self._refused.get(act_id) or secrets.token_hex(16),
            "expiresAtHeight": await self._client.height() + INTENT_LIFETIME,
            "action": action,
            "payload": payload,
            "chainId": self._chain_id,
        }
        if self._actor.session_id is not None:
            envelope["sessionId"] = self._actor.session_id
        return self._actor.key.sign(envelope)

    def _note_refused(self, act_id: str, nonce: str) -> None:
        self._refused[act_id] = nonce
        if len(self._refused) > REFUSED_KEPT:
            del self._refused[next(iter(self._refused))]

    async def _send(self, act: JsonObject) -> JsonObject:
        envelope = act["envelope"]
        try:
            receipt = await self._client.submit("/v1/intents", envelope)
        except NetError as error:
            # A refusal is final for this envelope.
            if _is_refusal(error):
                self._note_refused(act["id"], envelope["nonce"])
                self._acts.delete(act["id"])
            # Under the agent's own key, the refusal concerns a session in the payload.
            if error.code in SESSION_OVER and self._actor.session_id is not None:
                end = AgentError("SESSION_ENDED", str(error))
                self.session_ended(end)
                raise end from error
            raise
        self._reach("act.answered", envelope["action"])
        self._acts.put(act["id"], act | {"receipt": receipt})
        self._reach("act.recorded", envelope["action"])
        return receipt
