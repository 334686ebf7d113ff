"""Acts of either party on an order."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, Literal

from ..errors import NetError
from ..formats import judge_in_time, proof_of
from ..protocol.canonical_json import JsonObject
from .amount import unet_of
from .own_acts import act_extended
from .parts import SLOW_POLL, Parts


async def require_order(parts: Parts, order_id: str) -> JsonObject:
    """Returns the current order. Raises NetError if there is none."""
    order = await parts.client.order(order_id)
    if order is None:
        order = (await parts.client.read("/v1/work-orders/{orderId}", orderId=order_id))["order"]
    return dict(order or {})


async def release_once(parts: Parts, order_id: str) -> JsonObject:
    """Releases an accepted order before delivery."""
    return await _once(parts, "release", "releaseWork", {"orderId": order_id})


async def cancel_once(parts: Parts, order_id: str) -> JsonObject:
    """Cancels the agent's own order while no worker has it."""
    return await _once(parts, "cancel", "cancelWorkOrder", {"orderId": order_id})


async def dispute_once(parts: Parts, order_id: str, reason: str, bond: str | int | None = None) -> JsonObject:
    """Stores the reason, and opens or answers a dispute.

    :param bond: exact bond, ``'1 NET'`` or unet; default: half the funding, or the network's bond before version 2 of
        the rules
    """
    reason_hash, _ = await parts.origins.put(reason.encode())
    asked = dispute_bond_of(await require_order(parts, order_id)) if bond is None else unet_of(bond, "bond")
    agreed: JsonObject = {} if asked is None else {"bond": asked}
    payload: JsonObject = {"orderId": order_id, "reasonHash": reason_hash, **agreed}
    return await _once(parts, "dispute", "openDispute", payload)


def contest_bond_of(funding: int) -> int:
    """Returns the bond of a dispute from version 2 of the rules on: half the funding, rounded up."""
    return -(-funding // 2)


def dispute_bond_of(order: JsonObject) -> int | None:
    """Returns the bond that a dispute must name; None if the network sets the bond."""
    return contest_bond_of(order["funding"]) if order.get("rulesVersion", 1) >= 2 else None


def must_answer(order: JsonObject, agent_id: str) -> bool:
    """Returns True if this agent must answer a dispute, because otherwise the order ends against it."""
    return order.get("phase") == "CONTESTED" and (order.get("dispute") or {}).get("openedBy") != agent_id


async def settle_once(parts: Parts, order_id: str) -> JsonObject:
    """Settles a verified order after its dispute window."""
    return await _once(parts, "settle", "settleVerifiedWork", {"orderId": order_id})


async def prove_once(parts: Parts, order: JsonObject, scope: JsonObject, result: bytes) -> bool:
    """Proves the verdict on a result that this agent has judged.

    :returns: False if the order or its conditions cannot be proven, or the chain refuses the proof
    :raises NetError: PROOF_BLOCK_FULL if only a later block has room for the proof
    """
    if "acceptanceHash" not in order or order["status"] != "VERIFYING":
        return False
    proof = proof_of(scope, result)
    if proof is None:
        return False
    try:
        await _once(parts, "prove", "proveVerdict", {"orderId": order["orderId"], **proof})
    except NetError as error:
        if error.code == "PROOF_BLOCK_FULL":
            raise
        parts.events.warn(error, order["orderId"])
        return False
    return True


async def disprove_once(parts: Parts, order: JsonObject, scope: JsonObject, result: bytes) -> bool:
    """Proves that a result is unmet.

    A proof judges the conditions and not the size, so that it would pay for a result that is only too large.

    :returns: as ``prove_once``; False too if the result meets the conditions
    """
    unlimited = {**scope, "deliverable": {**scope["deliverable"], "maxBytes": len(result)}}
    judgement = await judge_in_time(unlimited, result)
    is_unmet = judgement is not None and judgement.verdict == "unmet"
    return is_unmet and await prove_once(parts, order, scope, result)


def observed(parts: Parts, order: JsonObject) -> JsonObject:
    """Returns the facts of an order that its state machine needs."""
    until, worker_id = (order.get("disputableUntil") or {}).get("time"), order.get("workerId")
    due = 0.0
    if until is not None:
        over = datetime.strptime(until, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
        left = (over - parts.time.now()).total_seconds()
        due = min(left + 0.1, SLOW_POLL) * 1000 if left > 0 else 0
    worker = "me" if worker_id == parts.agent_id else worker_id and "other"
    facts = {name: order.get(name) for name in ("orderId", "status", "phase", "reason", "jobType")}
    return {
        **facts,
        "due": due,
        "worker": worker,
        "released": parts.agent_id in order.get("releasedBy", []),
        "disputed": bool(order.get("dispute")),
        "provable": "acceptanceHash" in order,
        "mustAnswer": must_answer(order, parts.agent_id),
    }


Step = Literal["release", "cancel", "dispute", "settle", "prove"]


async def _once(parts: Parts, step: Step, action: str, payload: dict[str, Any]) -> JsonObject:
    return await act_extended(parts, f"{step}/{payload['orderId']}", action, payload)
