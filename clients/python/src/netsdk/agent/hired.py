"""An order of this agent: its events, its result, and its requester's actions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any, NamedTuple

from ..arguments import require_seconds
from ..events import LAST_INDEX, NetEvent, page_of, position
from ..formats import judge_in_time
from ..protocol.canonical_json import JsonObject
from .agent_events import HireListening
from .emitter import Emitter
from .errors import AgentError
from .findings import words_of
from .order_acts import cancel_once, dispute_once, is_settleable, require_order, settle_when_due
from .parts import Parts, ends_with_agent

#: Seconds between polls for the result without an event.
LOOK = 5.0
#: Reasons of orders that a timeout ended.
TIMED_OUT = frozenset(["ACCEPTANCE_TIMEOUT", "DELIVERY_TIMEOUT", "VERIFICATION_TIMEOUT", "UNVERIFIED"])


class HireResult(NamedTuple):
    """An accepted result: untrusted content that met the acceptance as far as programs can judge.

    :ivar data: checked against the hash on the chain
    :ivar text: the data as text, None if it is not UTF-8
    """

    order_id: str
    worker_id: str
    deliverable_hash: str
    data: bytes
    text: str | None


class AsyncHired(HireListening):
    """An order to follow; made by ``AsyncAgent.hire`` and ``AsyncAgent.hired``.

    :ivar scope: scope of the order
    :ivar receipt: receipt of the escrow; None if an earlier run created the order and its receipt is not kept
    """

    def __init__(
        self, parts: Parts, order_id: str, scope: JsonObject, *, since: int, receipt: JsonObject | None = None
    ) -> None:
        self.order_id = order_id
        self.scope = scope
        self.receipt = receipt
        self._parts = parts
        self._since = since
        self._events = Emitter(None)
        #: Past events, replayed to later listeners.
        self._told: list[tuple[str, dict[str, Any]]] = []
        self._is_hearing = False
        self._releasing = False

    def _on(self, name: str) -> Callable[[Any], Any]:
        def listen(listener: Any) -> Any:
            self._add(name, listener)
            return listener

        return listen

    def _add(self, name: str, listener: Callable[[Any], Any]) -> None:
        """Adds a listener; must run in the agent's loop."""
        for past, facts in self._told:
            if past == name:
                self._events.tell(name, listener, facts)
        self._events.on(name, listener)
        if not self._is_hearing:
            self._is_hearing = True
            self._parts.in_background(self._hear())

    @ends_with_agent
    async def order(self) -> JsonObject:
        """Returns the current order.

        :raises AgentError: ANSWER_NOT_PROVEN
        :raises NetError: if there is none
        """
        return await require_order(self._parts, self.order_id)

    async def result(self, *, timeout: float | None = None) -> HireResult:
        """Waits for the accepted result, and checks it against its hash and the scope.

        :param timeout: seconds; default: until the order ends
        :raises AgentError: ORDER_UNPAID with orderId, reason and refund in unet if the order ended without a result,
            ORDER_DISPUTED with the deadline of the operator's decision, DELIVERABLE_UNMET if it does not meet the
            acceptance (dispute it), AGENT_STOPPED, RESULT_TIMEOUT, BLOB_NOT_FOUND, BLOB_UNAVAILABLE
        """
        if timeout is not None:
            require_seconds("timeout", timeout)
        try:
            return await self._parts.live(lambda: asyncio.wait_for(self._result(timeout), timeout))
        except asyncio.TimeoutError:
            raise AgentError("RESULT_TIMEOUT", f"{self.order_id}, {timeout} s") from None

    async def _result(self, timeout: float | None) -> HireResult:
        order = await self._until_accepted(timeout)
        worker_id, result = order.get("workerId"), order.get("result")
        if not worker_id or not result:
            raise AgentError("ANSWER_MISMATCHED", f"order {self.order_id}")
        blob_hash, parts = result["deliverableHash"], self._parts
        data = await parts.peers.blob_of(blob_hash, worker_id)
        if data is None:
            raise AgentError("BLOB_NOT_FOUND", blob_hash)
        judgement = await judge_in_time(self.scope, data)
        if judgement is not None and judgement.verdict == "unmet":
            why = [condition.reason for condition in judgement.conditions if condition.verdict == "unmet"]
            raise AgentError("DELIVERABLE_UNMET", "; ".join(why))
        return HireResult(self.order_id, worker_id, blob_hash, data, _text_of(data))

    @ends_with_agent
    async def accept(self) -> JsonObject:
        """Accepts the result: waits for the end of the dispute window, then pays the worker.

        :returns: the paid order
        :raises AgentError: ORDER_UNPAID if the order ends otherwise
        """
        poller, settles = self._parts.poller, 0
        while True:
            order = await self._until_accepted(None, even_disputed=True)
            if order["status"] == "PAID":
                return order
            wakes = poller.wakes
            wait, _ = await settle_when_due(self._parts, order)
            settles += wait <= 0
            # A node that still shows it unpaid after a settlement lags or lies.
            if wait > 0 or settles > 1:
                await poller.wait(wait if wait > 0 else LOOK, wakes)

    @ends_with_agent
    async def dispute(self, reason: str, *, bond: str | int | None = None) -> JsonObject:
        """Disputes the result within the dispute window. An operator decides; your bond is locked until then. Repeated
        calls dispute once.

        :param reason: public, for the operator
        :param bond: exact bond, ``'1 NET'`` or unet; default: what the network asks
        :raises NetError: WORK_NOT_VERIFIED, DISPUTE_WINDOW_CLOSED and the other refusals of openDispute
        """
        return await dispute_once(self._parts, self.order_id, reason, bond)

    @ends_with_agent
    async def cancel(self) -> JsonObject:
        """Cancels the order and refunds it, while no worker has accepted.

        :raises NetError: WORK_ORDER_NOT_OPEN if one has
        """
        return await cancel_once(self._parts, self.order_id)

    async def _until_accepted(self, timeout: float | None, *, even_disputed: bool = False) -> JsonObject:
        poller, end = self._parts.poller, None if timeout is None else time.monotonic() + timeout
        self._parts.watch()
        while True:
            wakes = poller.wakes
            order = await self.order()
            if order["status"] == "REJECTED":
                raise _unpaid(order)
            if order.get("dispute") and order["status"] == "VERIFYING" and not even_disputed:
                raise _disputed(order)
            if order["status"] == "PAID" or is_settleable(order):
                return order
            left = LOOK if end is None else end - time.monotonic()
            if left <= 0:
                raise AgentError("RESULT_TIMEOUT", f"{self.order_id}, {timeout} s")
            await poller.wait(min(left, LOOK), wakes)

    async def _hear(self) -> None:
        """Emits past events page by page, then those of the agent's feed until the order ends."""
        parts = self._parts
        feed: tuple[str, asyncio.Queue[NetEvent]] = (self.order_id, asyncio.Queue())
        parts.order_feeds.add(feed)
        parts.watch()
        try:
            after, more = f"{self._since - 1}.{LAST_INDEX}", True
            while more:
                events, after, more = await self._page(after)
                for event in events:
                    if await self._tell_checked(event):
                        return
            seen = position(after)
            while True:
                event = await feed[1].get()
                if position(event.id) > seen and await self._tell_checked(event):
                    return
        except Exception as error:
            parts.events.warn(error, f"the events of {self.order_id}")
        finally:
            parts.order_feeds.discard(feed)

    async def _page(self, after: str) -> tuple[list[NetEvent], str, bool]:
        """Reads a page of events; retries if it is malformed."""
        client = self._parts.client

        async def ask() -> tuple[list[NetEvent], str, bool]:
            return page_of(await client.read("/v1/events", order=self.order_id, after=after), after)

        return await client.persist(ask)

    async def _tell_checked(self, event: NetEvent) -> bool:
        """Emits an event; only warns if it is malformed, so that later events are not lost."""
        try:
            return await self._tell(event)
        except Exception as error:
            self._parts.events.warn(error, f"event {event.id} of {self.order_id}")
            return False

    def _emit(self, name: str, **facts: Any) -> None:
        told = {"order_id": self.order_id, **facts}
        self._told.append((name, told))
        self._events.emit(name, **told)

    async def _tell(self, event: NetEvent) -> bool:
        """Emits an event. Returns True if it ends the order."""
        was_released, self._releasing = self._releasing, event.type == "WorkReleased"
        if event.type == "WorkAccepted":
            self._emit("accepted", worker_id=event.data["workerId"])
        elif event.type == "WorkResultSubmitted":
            delivered = event.data
            self._emit("delivered", worker_id=delivered["workerId"], deliverable_hash=delivered["deliverableHash"])
        elif event.type == "WorkVoted":
            data = event.data
            reason = words_of(await self._parts.origins.fetch(data["evidenceHash"]))
            self._emit("voted", verifier_id=data["verifierId"], vote=data["vote"], reason=reason, untrusted=True)
        elif event.type == "WorkVerified":
            until = _time_text(event.data["disputableUntil"]["time"])
            self._emit("verified", worker_id=event.data["workerId"], disputable_until=until)
        elif event.type == "WorkUnjudged":
            left = event.data
            until = _time_text(left["disputableUntil"]["time"])
            self._emit("unjudged", worker_id=left["workerId"], reason=left["reason"], disputable_until=until)
        elif event.type == "DisputeOpened":
            self._emit("disputed", opened_by=event.data["actorId"])
        elif event.type == "WorkOrderReopened":
            worker_id, why = event.data["workerId"], "RELEASED" if was_released else "DELIVERY_TIMEOUT"
            if not was_released:
                self._emit("timed_out", reason=why, worker_id=worker_id, refund=None)
            self._emit("reopened", worker_id=worker_id, reason=why)
        elif event.type == "WorkOrderPaid":
            self._emit("paid", worker_id=event.data["workerId"], amount=event.data["paid"])
        elif event.type == "WorkOrderRejected":
            end = event.data
            reason, refund = end["reason"], end["refund"]
            if reason == "CANCELLED":
                self._emit("cancelled", refund=refund)
            else:
                name = "timed_out" if reason in TIMED_OUT else "rejected"
                self._emit(name, reason=reason, worker_id=end["workerId"], refund=refund)
        return event.type in ("WorkOrderPaid", "WorkOrderRejected")


#: Reasons with which verifiers keep their fee.
FEE_EARNED = ("VERIFICATION_REJECTED", "SCOPE_UNJUDGEABLE")


def _unpaid(order: JsonObject) -> AgentError:
    order_id, reason, funding = order["orderId"], order["reason"], order["funding"]
    # The fee of an order without a verdict went back, or to the verifiers, before.
    is_shared = reason in FEE_EARNED or order.get("unjudged") is not None
    refund = -(-funding // 2) if reason == "SPLIT" else funding + (0 if is_shared else order["verificationFee"])
    detail = f"{order_id}, {reason}, refund of {refund} unet"
    return AgentError("ORDER_UNPAID", detail, {"orderId": order_id, "reason": reason, "refund": refund})


def _disputed(order: JsonObject) -> AgentError:
    deadline, opened_by = order.get("deadline") or {}, (order.get("dispute") or {}).get("openedBy")
    until = deadline.get("time")
    data = {"orderId": order["orderId"], "openedBy": opened_by, "deadline": until, "height": deadline.get("height")}
    return AgentError("ORDER_DISPUTED", f"{order['orderId']}, by {opened_by}, until {until}", data)


def _time_text(told: int) -> str:
    """Formats a time in milliseconds as ISO 8601."""
    return datetime.fromtimestamp(told / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + f"{told % 1000:03d}Z"


def _text_of(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
