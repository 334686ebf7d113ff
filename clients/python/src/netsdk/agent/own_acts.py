"""What the owner of an agent has it do by name: each once, whatever dies in between."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from ..amount import in_unet
from ..completion import complete
from ..errors import AmountError, NetError
from ..protocol.canonical_json import JsonObject, canonicalize
from .errors import AgentError
from .parts import Parts
from .scope import require_scope


async def act_once(parts: Parts, action: str, payload: Mapping[str, Any], id: str | None) -> JsonObject:
    """Does one action; see ``AsyncAgent.act``."""
    outbox, name = parts.outbox, f"own/{id or secrets.token_hex(16)}"
    whole = await _completed(parts, name, action, _in_unet(action, payload))
    receipt = await act_extended(parts, name, action, whole)
    if id is None:
        outbox.forget(name)
    return receipt


def _in_unet(action: str, payload: Mapping[str, Any]) -> JsonObject:
    try:
        return in_unet(action, payload)
    except AmountError as error:
        raise AgentError("AMOUNT_INVALID", f"{error.path}: {error.given!r}") from None


async def act_extended(parts: Parts, name: str, action: str, payload: Mapping[str, Any]) -> JsonObject:
    """Does it under this name; an action that agents get on request is asked for first where it is missing."""
    try:
        return await parts.outbox.act(name, action, payload)
    except NetError as error:
        if error.code != "CAPABILITY_MISSING" or not await extend(parts, action):
            raise
    return await parts.outbox.act(name, action, payload)


async def _completed(parts: Parts, name: str, action: str, given: JsonObject) -> JsonObject:
    """The payload as it was completed the first time, where this very act is known: fresh ids stay what they were."""
    known = parts.outbox.signed(name)
    if known is not None:
        payload: JsonObject = known["payload"]
        is_same = known["action"] == action and all(
            member in payload and canonicalize(payload[member]) == canonicalize(value)
            for member, value in given.items()
        )
        if not is_same:
            raise AgentError("ACT_ID_USED", name.removeprefix("own/"))
        return payload
    if action == "acceptWork":
        await require_scope(parts, given.get("orderId"))
    client = parts.client
    height = await client.height()
    api = client.net_client.api
    return await client.persist(
        lambda: client.net_client.run(complete(api.read, parts.agent_id, action, given, height=height))
    )


async def extend(parts: Parts, action: str) -> bool:
    """Adds an action of the policy set to what the agent may do. False where it is none of those."""
    act_id = f"extend/{action}"
    try:
        payload = {"agentId": parts.agent_id, "actions": [action]}
        await parts.outbox.act(act_id, "extendAgentCapabilities", payload)
    except NetError:
        return False
    parts.outbox.forget(act_id)
    return True
