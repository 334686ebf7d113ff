"""Completion of payloads from the action's schema and the chain."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from .amount import in_unet
from .exact_value import exact_value
from .flow import Flow
from .paths import Parameter
from .protocol.canonical_json import JsonObject
from .protocol.hashes import hash_value
from .tables import FILLED_IN
from .version import __version__

Read = Callable[[str, Mapping[str, Parameter]], Flow[JsonObject]]

#: Default lifetime in heights of a beacon, message or session.
LIFETIME = 2_000


def fresh_id(kind: str) -> str:
    """Returns an unused id of this kind."""
    return f"{kind}-{secrets.token_hex(12)}"


def complete(read: Read, actor_id: str, action: str, given: Mapping[str, Any], *, height: int) -> Flow[JsonObject]:
    """Adds missing constants, ids, expiries, sequences and hashes to a payload. Converts amounts to unet.

    :raises AgentError: VALUE_NOT_JSON
    :raises AmountError: if an amount is invalid
    """
    payload = in_unet(action, exact_value(dict(given)))
    for name, (source, detail) in FILLED_IN.get(action, {}).items():
        if name in payload:
            continue
        if source == "constant":
            payload[name] = detail
        elif source == "actor":
            payload[name] = actor_id
        elif source == "expiry":
            payload[name] = height + LIFETIME
        elif source == "fresh":
            payload[name] = fresh_id(detail)
    if action == "publishBeacon":
        yield from _complete_beacon(read, actor_id, payload)
    elif action == "sendAgentMessage":
        yield from _complete_message(read, actor_id, payload)
    elif action in ("submitNodeHeartbeat", "submitValidatorHeartbeat"):
        yield from _complete_heartbeat(read, actor_id, action, payload)
    elif action == "commitMemoryCheckpoint":
        yield from _complete_checkpoint(read, actor_id, payload)
    return payload


def _state(read: Read, key: str) -> Flow[JsonObject]:
    proof = yield from read("/v1/state/proof", {"key": key})
    value = proof.get("value")
    return value if isinstance(value, dict) else {}


def _complete_beacon(read: Read, actor_id: str, payload: JsonObject) -> Flow[None]:
    if "metadataHash" not in payload:
        said = {name: payload.get(name) for name in ("endpoint", "capabilities", "protocols")}
        payload["metadataHash"] = hash_value(said)
    if "sequence" not in payload:
        agent = yield from read("/v1/agents/{agentId}", {"agentId": actor_id})
        payload["sequence"] = agent["beaconSequence"] + 1


def _complete_message(read: Read, actor_id: str, payload: JsonObject) -> Flow[None]:
    payload.setdefault("fromAgentId", actor_id)
    payload.setdefault("kind", "REQUEST")
    if "conversationId" not in payload:
        payload["conversationId"] = fresh_id("conversation")
    if "sequence" not in payload:
        place = {"conversationId": payload["conversationId"], "fromAgentId": actor_id}
        conversation = yield from _state(read, f"conversation/{hash_value(place)}")
        payload["sequence"] = conversation.get("lastSequence", 0) + 1


def _complete_heartbeat(read: Read, actor_id: str, action: str, payload: JsonObject) -> Flow[None]:
    payload.setdefault("nodeVersion", __version__)
    if "observedHeight" not in payload and "observedStateRoot" not in payload:
        certificate = yield from read("/v1/consensus/certificates/latest", {})
        payload["observedHeight"] = certificate["height"]
        payload["observedStateRoot"] = certificate["stateRoot"]
    if "sequence" not in payload:
        kind = "node-heartbeat" if action == "submitNodeHeartbeat" else "validator-heartbeat"
        last = yield from _state(read, f"{kind}/{actor_id}")
        payload["sequence"] = last.get("sequence", 0) + 1


def _complete_checkpoint(read: Read, actor_id: str, payload: JsonObject) -> Flow[None]:
    if "generation" not in payload and "parentCheckpointHash" not in payload:
        last = yield from _state(read, f"memory/{actor_id}")
        payload["generation"] = last.get("generation", 0) + 1
        payload["parentCheckpointHash"] = last.get("checkpointHash")
    payload.setdefault("encryption", "AES-256-GCM")
