"""Signed acts of an agent, each of which the chain executes once.

An envelope is written to disk before it is sent, and no other is signed for the act until its outcome is known. So a
crash never causes a second execution. A refusal may be a lie, so later envelopes of the act have the same nonce, and
never a lower expiry.
"""

from __future__ import annotations

import asyncio
import re
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
    """Returns True if the node itself refused. A proxy's refusal does not count."""
    return error.problem is not None and error.code in contract("errors")["errors"]


#: Refusals of an envelope whose session has ended.
SESSION_OVER = frozenset(("SESSION_UNKNOWN", "SESSION_EXPIRED"))
REFUSED_KEPT = 1_000
EARLIER_KEPT = 8
#: The chain would execute these acts twice under two nonces. The payloads of all other acts carry an id.
REPEATABLE = re.compile(r"(?:own|hire)/")


class Outbox:
    """Executes acts by unique id."""

    def __init__(self, client: RetryingClient, actor: Actor, chain_id: str, state: AgentState, *, reach: Reach) -> None:
        self._client = client
        self._actor = actor
        self._chain_id = chain_id
        self._acts = Records(state, "act")
        self._reach = reach
        self.session_ended: Callable[[AgentError], None] = lambda error: None
        #: Ids of refused acts, oldest first; None until they are needed.
        self._refused: dict[str, None] | None = None
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    async def act(self, act_id: str, action: str, payload: Mapping[str, Any]) -> JsonObject:
        """Executes an act, or returns the receipt of an earlier execution.

        :param act_id: idempotency key until :meth:`forget`, together with the payload
        :raises NetError: with the code of a refusal; the act was not executed, and the id is free
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
        if known.get("refused"):
            return None
        try:
            return await self._send(known)
        except NetError as error:
            if not _is_refusal(error):
                raise
            return None

    def signed(self, act_id: str) -> JsonObject | None:
        """Returns the envelope signed under this id, or None if there is none or it was refused."""
        known = self._acts.get(act_id)
        if known is None or known.get("refused"):
            return None
        envelope: JsonObject = known["envelope"]
        return envelope

    def holds(self, act_id: str) -> bool:
        """Returns True if there is an envelope with this id, refused or not: the refusal may be a lie."""
        return self._acts.get(act_id) is not None

    def forget(self, act_id: str) -> None:
        """Deletes the record of an act whose outcome the caller knows."""
        if self._refused is not None:
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
                if known.pop("refused", False):
                    self._acts.put(act_id, known)
                try:
                    return await self._send(known)
                except NetError as error:
                    if error.code != "INTENT_EXPIRED":
                        raise
            else:
                # Another payload is in flight under this id, so resolve that first.
                await self.settle(act_id)
        before = self._acts.get(act_id)
        open_act = before if before is not None and before["receipt"] is None else None
        act = await self._sign(act_id, action, payload, open_act)
        self._acts.put(act_id, act)
        self._reach("act.signed", action)
        return await self._send(act)

    async def _sign(self, act_id: str, action: str, payload: JsonObject, before: JsonObject | None) -> JsonObject:
        """Returns an act with a new envelope.

        :param before: a refused act with this id. Its refusal may be a lie, so the new envelope has the same nonce and
            expires at the same height: the chain blocks a nonce until the executed envelope expires
        """
        height, genesis_hash = await self._client.tip()
        refused: JsonObject = before["envelope"] if before is not None else {}
        last = refused.get("expiresAtHeight", 0)
        envelope: JsonObject = {
            "actorId": self._actor.actor_id,
            "nonce": refused.get("nonce") or secrets.token_hex(16),
            "expiresAtHeight": last if last > height else height + INTENT_LIFETIME,
            "action": action,
            "payload": payload,
            "chainId": self._chain_id,
        }
        if genesis_hash is not None:
            envelope["genesisHash"] = genesis_hash
        if self._actor.session_id is not None:
            envelope["sessionId"] = self._actor.session_id
        act: JsonObject = {"id": act_id, "envelope": self._actor.key.sign(envelope), "receipt": None}
        if before is not None:
            act["earlier"] = [refused, *before.get("earlier", [])][:EARLIER_KEPT]
        return act

    def _note_refused(self, act: JsonObject, code: str) -> None:
        if self._refused is None:
            self._refused = {known["id"]: None for known in self._acts.all() if known.get("refused")}
        act_id = act["id"]
        self._refused.pop(act_id, None)
        # A false height must not block an act until the chain comes near its expiry.
        if code == "EXPIRY_TOO_FAR" and not REPEATABLE.match(act_id):
            self._acts.delete(act_id)
            return
        self._acts.put(act_id, act | {"refused": True})
        self._refused[act_id] = None
        if len(self._refused) > REFUSED_KEPT:
            self.forget(next(iter(self._refused)))

    async def _executed_earlier(self, act: JsonObject) -> JsonObject | None:
        """If an earlier envelope of the act was executed, records and returns it with its receipt."""
        for envelope in act.get("earlier", []):
            try:
                receipt = await self._client.submit("/v1/intents", envelope)
            except NetError as error:
                if not _is_refusal(error):
                    raise
                continue
            executed: JsonObject = {"id": act["id"], "envelope": envelope, "receipt": receipt}
            self._acts.put(act["id"], executed)
            return executed
        return None

    async def _send(self, act: JsonObject) -> JsonObject:
        envelope = act["envelope"]
        # Later refusals must not delete an act in flight, because the chain could then execute it again.
        if self._refused is not None:
            self._refused.pop(act["id"], None)
        try:
            receipt = await self._client.submit("/v1/intents", envelope)
        except NetError as error:
            if _is_refusal(error):
                executed = await self._executed_earlier(act) if error.code == "NONCE_REPLAYED" else None
                if executed is None:
                    self._note_refused(act, error.code)
                elif canonicalize(executed["envelope"]["payload"]) == canonicalize(envelope["payload"]):
                    earlier: JsonObject = executed["receipt"]
                    return earlier
            # Under the agent's own key, such a refusal is about a session in the payload.
            if error.code in SESSION_OVER and self._actor.session_id is not None:
                end = AgentError("SESSION_ENDED", str(error))
                self.session_ended(end)
                raise end from error
            raise
        self._reach("act.answered", envelope["action"])
        self._acts.put(act["id"], {"id": act["id"], "envelope": envelope, "receipt": receipt})
        self._reach("act.recorded", envelope["action"])
        return receipt
