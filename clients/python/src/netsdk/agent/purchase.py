"""Purchases that a model repeats: the same arguments continue the order that an earlier call left open."""

from __future__ import annotations

import asyncio
from collections import Counter
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
    if parts.purchases is None:
        parts.purchases = Counter()
        # Earlier processes may have ended before they signed. Records of old versions do not have their key.
        for known in records.all():
            if "key" in known and not parts.outbox.holds(f"hire/{known['id']}"):
                records.delete(known["key"])
    running = parts.purchases
    order_id = (records.get(key) or {"id": fresh_id("order")})["id"]
    records.put(key, {"id": order_id, "key": key})
    name = f"hire/{order_id}"

    def forget() -> None:
        # Calls at the same time with the same arguments share the order.
        if running[key] == 1:
            records.delete(key)
            parts.outbox.forget(name)

    again = "Call this tool again with the same arguments to continue it: that pays once."
    running[key] += 1
    try:
        result = await agent.call(service, value, id=order_id, worker=worker, timeout=timeout)
    except Exception as error:
        # The state of an agent that ends may be closed, so that the envelope cannot be looked up.
        if parts.end is not None:
            raise PurchaseError(f"{error} If order {order_id} was signed, it stays open. {again}") from error
        is_ordered = parts.outbox.signed(name) is not None
        is_over = code_of(error) in OVER
        is_cut = code_of(error) == "CALL_TIMEOUT"
        if is_over or not (is_ordered or (is_cut and parts.outbox.holds(name))):
            forget()
        if not is_ordered:
            raise
        after = "has ended. Another call pays for another order." if is_over else f"stays open. {again}"
        raise PurchaseError(f"{error} Order {order_id} {after}") from error
    except asyncio.CancelledError:
        if parts.end is None and not parts.outbox.holds(name):
            forget()
        raise
    else:
        forget()
        return result
    finally:
        running[key] -= 1
        if running[key] == 0:
            del running[key]
