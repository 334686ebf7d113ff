"""What the agent does on the chain, each thing once.

The signed envelope is on disk before it is sent, and only ever that one is sent until its fate is known; so whatever
dies in between, nothing happens twice.
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
    """Whether the node itself has spoken: a proxy may answer in its name, and knows nothing of the envelope."""
    return error.problem is not None and error.code in contract("errors")["errors"]


#: Codes with which the chain refuses an envelope under a session that is over.
SESSION_OVER = frozenset(("SESSION_UNKNOWN", "SESSION_EXPIRED"))
#: Acts whose last refusal is remembered.
REFUSED_KEPT = 1_000


class Outbox:
    """Acts by an id that names each for good."""

    def __init__(self, client: RetryingClient, actor: Actor, chain_id: str, state: AgentState, *, reach: Reach) -> None:
        self._client = client
        self._actor = actor
        self._chain_id = chain_id
        self._acts = Records(state, "act")
        self._reach = reach
        #: Hears that the session is over: then nothing more can be done here.
        self.session_ended: Callable[[AgentError], None] = lambda error: None
        #: Nonces of refused envelopes, by the act: its next envelope has the same one. Should a refusal be a lie, the
        #: chain executes only one of them.
        self._refused: dict[str, str] = {}
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    async def act(self, act_id: str, action: str, payload: Mapping[str, Any]) -> JsonObject:
        """Does it, or says that it was done.

        :param act_id: names it until :meth:`forget`: the same id and payload are one thing
        :returns: the receipt
        :raises NetError: with the code of a refusal: it was not done, and the id is free again
        :raises AgentError: SESSION_ENDED where the refusal says that the session is over
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
        """Learns the fate of what was signed and perhaps sent before.

        :returns: the receipt; None where there is nothing of this id, or it was refused
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
        """The envelope that was signed under this id, None where none was."""
        known = self._acts.get(act_id)
        envelope: JsonObject | None = known["envelope"] if known is not None else None
        return envelope

    def forget(self, act_id: str) -> None:
        """The owner knows the outcome: nothing of it is kept."""
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
                # Something else under this id is on its way: its fate first.
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
            # A refusal stands: what comes next is another envelope.
            if _is_refusal(error):
                self._note_refused(act["id"], envelope["nonce"])
                self._acts.delete(act["id"])
            # Under the key of the agent itself, the refusal is about a session that the payload names.
            if error.code in SESSION_OVER and self._actor.session_id is not None:
                end = AgentError("SESSION_ENDED", str(error))
                self.session_ended(end)
                raise end from error
            raise
        self._reach("act.answered", envelope["action"])
        self._acts.put(act["id"], act | {"receipt": receipt})
        self._reach("act.recorded", envelope["action"])
        return receipt
