"""Purchases that a model repeats: the same arguments continue the order that an earlier call left open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..completion import fresh_id
from ..protocol.hashes import hash_value
from .errors import code_of
from .home import Records
from .service import Service
from .typed import In, Out, input_bytes

if TYPE_CHECKING:
    from .agent import AsyncAgent

#: After these errors, the same order gives no other answer.
OVER = ("ORDER_UNPAID", "RESULT_UNPARSED", "DELIVERABLE_UNMET")
#: After these errors, the order may have been signed.
CUT = ("CALL_TIMEOUT", "AGENT_STOPPED")


class PurchaseError(Exception):
    """The words of a failure, the id of the order, and how to continue it."""


async def buy_once(
    agent: AsyncAgent, service: Service[In, Out], value: In, *, worker: str | None, timeout: float | None
) -> Out:
    """Buys once for these arguments until the order has ended.

    :raises PurchaseError: if the call fails once the order is signed; otherwise the errors of ``call``
    """
    parts = agent._parts
    parts.require_live()
    records = Records(parts.state, "purchase")
    facts = {
        "name": service.name,
        "description": service.description,
        "price": service.price,
        "outputSchema": service.output_schema,
        "worker": worker,
        "input": input_bytes(value).decode(),
    }
    key = hash_value(facts)
    order_id = (records.get(key) or {"id": fresh_id("order")})["id"]
    records.put(key, {"id": order_id})
    name = f"hire/{order_id}"

    def forget() -> None:
        records.delete(key)
        parts.outbox.forget(name)

    try:
        result = await agent.call(service, value, id=order_id, worker=worker, timeout=timeout)
    except Exception as error:
        code = code_of(error)
        # A stopped agent has closed its state.
        is_ordered = code == "AGENT_STOPPED" or parts.outbox.signed(name) is not None
        is_over = code in OVER
        if is_over or (not is_ordered and code not in CUT):
            forget()
        if not is_ordered:
            raise
        after = (
            f"Order {order_id} has ended. Another call pays for another order."
            if is_over
            else f"Order {order_id} stays open. Call this tool again with the same arguments to continue it: "
            "that pays once."
        )
        raise PurchaseError(f"{error} {after}") from error
    forget()
    return result
