"""Single steps of a job, for a person at a terminal or a model that decides each one."""

from __future__ import annotations

from ..errors import NetError
from ..protocol.amount import net_text
from ..protocol.canonical_json import JsonObject
from .amount import unet_of
from .deliverable import JobResult, bytes_of, require_met, seal_result, submit_result
from .errors import AgentError
from .order_acts import require_order
from .own_acts import ActId, act_once
from .parts import Parts
from .scope import fetch_input, fetch_scope
from .work_offer import WorkOffer


async def offer_of(parts: Parts, order_id: str) -> WorkOffer:
    """Returns an order with its scope; see :meth:`AsyncAgent.offer`."""
    order = await require_order(parts, order_id)
    _, scope, sealed = await fetch_scope(parts, order)
    return WorkOffer(order, scope, sealed)


async def accept_once(parts: Parts, order_id: str, worker_bond: str | int) -> JsonObject:
    """Accepts an order after checking its scope; see :meth:`AsyncAgent.accept`."""
    agreed = unet_of(worker_bond, "worker_bond")
    order = await require_order(parts, order_id)
    if order.get("workerId") == parts.agent_id:
        return order
    if order["workerBond"] != agreed:
        detail = f"{order_id} asks for {net_text(order['workerBond'])}, but {net_text(agreed)} was agreed to"
        raise AgentError("BOND_NOT_AGREED", detail)
    # Sign the agreed bond, even if the node now reports another one.
    payload = {"orderId": order_id, "agentId": parts.agent_id} | ({"workerBond": agreed} if agreed > 0 else {})
    try:
        await act_once(parts, "acceptWork", payload, ActId(f"accept-{order_id}", is_named=False))
    except NetError:
        # An earlier call may have succeeded although its answer was lost.
        if (await require_order(parts, order_id)).get("workerId") != parts.agent_id:
            raise
    return await require_order(parts, order_id)


async def input_of(parts: Parts, offer: WorkOffer, name: str) -> bytes:
    """Returns the bytes of an input; see :meth:`AsyncAgent.input`."""
    for each in offer.scope["inputs"]:
        if each["name"] == name:
            return await fetch_input(parts, offer.order, each["hash"])
    raise AgentError("INPUT_UNKNOWN", name)


async def deliver_once(parts: Parts, order_id: str, result: JobResult) -> str:
    """Judges, seals, stores and commits a result, once; see :meth:`AsyncAgent.deliver`."""
    before = await _delivered(parts, order_id)
    if before is not None:
        return before
    order = await require_order(parts, order_id)
    scope_data, scope, sealed = await fetch_scope(parts, order)
    data = bytes_of(result)
    await require_met(scope, data)
    blob = await seal_result(parts, order, data) if sealed else data
    try:
        return await submit_result(parts, order, blob, scope_data)
    except NetError:
        # An earlier call may have delivered. Sealing again would change the bytes and the hash.
        earlier = await _delivered(parts, order_id)
        if earlier is None:
            raise
        return earlier
    finally:
        parts.outbox.forget(f"submit/{order_id}")


async def _delivered(parts: Parts, order_id: str) -> str | None:
    order = await require_order(parts, order_id)
    mine = order.get("workerId") == parts.agent_id
    return (order.get("result") or {}).get("deliverableHash") if mine else None
