"""An order that this agent gave: its events, its result, and its requester's actions."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Generic

from ..arguments import require_seconds
from ..events import LAST_INDEX, NetEvent, page_of, position
from ..formats import judge_in_time
from ..protocol.amount import net_text
from ..protocol.canonical_json import JsonObject
from ..tables import MACHINES
from .advance import Facts, advance, emit_from
from .agent_events import HireListening
from .cells import LOOK, progress_line
from .emitter import Emitter
from .errors import AgentError, code_of
from .findings import words_of
from .order_acts import cancel_once, contest_bond_of, disprove_once, dispute_once, observed, require_order, settle_once
from .parts import Parts, ends_with_agent
from .poller import pause_after
from .table import table_of
from .typed import Codec, MistypedError, Out

#: Seconds after which a waiting requester learns that no worker has accepted the order.
PATIENCE = 20.0
#: Seconds between two reads of an order if no call waits for its result.
CHECK_PAUSE = 1.0
#: Attempts to fetch such a result, in about two minutes.
READ_TRIES = 8
UNREAD = ("BLOB_UNAVAILABLE", "BLOB_NOT_FOUND")
ENDS = ("ORDER_UNPAID", "ORDER_DISPUTED", "AGENT_STOPPED")


@dataclass(frozen=True)
class HireResult(Generic[Out]):
    """An accepted result: untrusted content that met the acceptance as far as programs can judge.

    :ivar data: bytes, checked against the hash on the chain
    :ivar text: the data as text, None if it is not UTF-8
    :ivar value: the data as the type of ``returns``; None without one
    """

    order_id: str
    worker_id: str
    deliverable_hash: str
    data: bytes = field(repr=False)
    text: str | None
    value: Out

    def _repr_html_(self) -> str:
        members = {"worker": self.worker_id, "hash": self.deliverable_hash, "bytes": len(self.data)}
        shown = self.text if self.value is None else self.value
        return table_of(f"Result of {self.order_id}", members | {"result": shown})


class AsyncHired(HireListening, Generic[Out]):
    """An order to follow, from ``AsyncAgent.hire`` or ``AsyncAgent.hired``.

    :ivar scope: scope of the order
    :ivar receipt: receipt of the escrow; None if an earlier run created the order and its receipt is not kept
    """

    def __init__(
        self,
        parts: Parts,
        order_id: str,
        scope: JsonObject,
        *,
        since: int,
        receipt: JsonObject | None = None,
        returns: Codec | None = None,
    ) -> None:
        self._returns = returns
        self.order_id = order_id
        self.scope = scope
        self.receipt = receipt
        self._parts = parts
        self._since = since
        self._events = Emitter(None)
        #: Past events, replayed to later listeners.
        self._told: list[tuple[str, dict[str, Any]]] = []
        self._is_hearing = False
        self._has_warned = False
        self._before: str | None = None
        self._has_hinted = False
        #: The order as a waiting call last read it.
        self._latest: JsonObject | None = None

    def __repr__(self) -> str:
        return f"<AsyncHired {self.order_id}: {self.scope['title']!r}>"

    def _repr_html_(self) -> str:
        told = ", ".join(dict.fromkeys(name for name, _ in self._told)) or "nothing yet"
        return table_of(f"Order {self.order_id}", {"title": self.scope["title"], "events": told})

    def _on(self, name: str) -> Callable[[Any], Any]:
        def listen(listener: Any) -> Any:
            self._add(name, listener)
            return listener

        return listen

    def _add(self, name: str, listener: Callable[[Any], Any]) -> None:
        """Adds a listener. Must run in the agent's event loop."""
        for past, facts in self._told:
            if past == name:
                self._events.tell(name, listener, facts)
        self._events.on(name, listener)
        if not self._is_hearing:
            self._is_hearing = True
            self._parts.in_background(self._hear())

    def _watched(self) -> AsyncHired[Out]:
        """Parses the result once a jury has accepted it, and warns if ``returns`` refuses it.

        The requester can then dispute it, even if no call waits for the result.
        """
        if self._returns is not None:
            self._parts.in_background(self._check_type())
        return self

    async def _check_type(self) -> None:
        """Parses the result. Warns if ``returns`` refuses it, or if it cannot be read."""
        for tries in itertools.count(1):
            try:
                self._parsed((await self._delivered(None, CHECK_PAUSE))[2])
                return
            except Exception as error:
                code = code_of(error)
                # _parsed has warned. Other ends of the order are for those who wait for the result.
                if self._has_warned or self._parts.end is not None or code in ENDS:
                    return
                is_unread = code in UNREAD
                if not is_unread or tries == READ_TRIES:
                    self._parts.events.warn(AgentError("RESULT_UNREAD", code) if is_unread else error, self.order_id)
                    return
            await asyncio.sleep(pause_after(tries))

    @ends_with_agent
    async def order(self, *, timeout: float | None = None) -> JsonObject:
        """Returns the current order.

        :param timeout: seconds for the whole call; default none
        :raises AgentError: ANSWER_NOT_PROVEN
        :raises NetError: if there is none
        """
        return await require_order(self._parts, self.order_id)

    async def result(self, *, timeout: float | None = None) -> HireResult[Out]:
        """Waits for the accepted result, and checks it against its hash and the scope.

        :param timeout: seconds; default: until the order ends
        :raises AgentError: ORDER_UNPAID with orderId, reason and refund in unet if the order ended without a result,
            ORDER_DISPUTED with the deadline of the operator's decision, DELIVERABLE_UNMET if it does not meet the
            acceptance (dispute it), RESULT_UNPARSED if ``returns`` refuses it, AGENT_STOPPED, RESULT_TIMEOUT,
            BLOB_NOT_FOUND, BLOB_UNAVAILABLE
        """
        if timeout is not None:
            require_seconds("timeout", timeout)
        with self._parts.telemetry.wait({"netsdk.order.id": self.order_id}):
            try:
                return await self._parts.live(lambda: asyncio.wait_for(self._result(timeout), timeout))
            except asyncio.TimeoutError:
                raise self._late(timeout) from None

    async def _delivered(self, timeout: float | None, least: float = 0.0) -> tuple[JsonObject, str, bytes]:
        """Returns the order, its worker and the bytes of the result, once there is one."""
        order = await self._until("result", timeout, least)
        worker_id, result = order.get("workerId"), order.get("result")
        if not worker_id or not result:
            raise AgentError("ANSWER_MISMATCHED", f"order {self.order_id}")
        data = await self._parts.peers.blob_of(result["deliverableHash"], worker_id)
        if data is None:
            raise AgentError("BLOB_NOT_FOUND", result["deliverableHash"])
        return order, worker_id, data

    async def _result(self, timeout: float | None) -> HireResult[Out]:
        async with self._shown():
            order, worker_id, data = await self._delivered(timeout)
        blob_hash, parts = order["result"]["deliverableHash"], self._parts
        judgement = await judge_in_time(self.scope, data)
        if judgement is not None and judgement.verdict == "unmet":
            if await disprove_once(parts, order, self.scope, data):
                raise _unpaid({**order, "reason": "DISPROVEN"})
            why = [condition.reason for condition in judgement.conditions if condition.verdict == "unmet"]
            raise AgentError("DELIVERABLE_UNMET", "; ".join(why))
        return HireResult(self.order_id, worker_id, blob_hash, data, _text_of(data), self._parsed(data))

    def _parsed(self, data: bytes) -> Any:
        if self._returns is None:
            return None
        try:
            return self._returns.read(data)
        except MistypedError as error:
            unparsed = AgentError("RESULT_UNPARSED", f"{self.order_id}: {error}")
            if not self._has_warned:
                self._parts.events.warn(unparsed, self.order_id)
            self._has_warned = True
            raise unparsed from error

    @ends_with_agent
    async def accept(self, *, timeout: float | None = None) -> JsonObject:
        """Accepts the result: waits for the end of the dispute window, then pays the worker.

        :param timeout: seconds for the whole call; default none
        :returns: the paid order
        :raises AgentError: ORDER_UNPAID if the order ends in another way
        """
        async with self._shown():
            return await self._until("accept", None)

    @asynccontextmanager
    async def _shown(self) -> AsyncGenerator[None, None]:
        """Shows a progress line in a notebook."""
        line = progress_line(self.order_id, lambda: self._latest)
        if line is None:
            yield
            return

        async def keep() -> None:
            while True:
                await asyncio.sleep(LOOK)
                line.update()

        keeping = asyncio.ensure_future(keep())
        try:
            yield
        finally:
            keeping.cancel()
            line.update()

    @ends_with_agent
    async def dispute(self, reason: str, *, bond: str | int | None = None, timeout: float | None = None) -> JsonObject:
        """Disputes the result within the window, once. A second jury or an operator decides; your bond is locked until
        then.

        :param reason: public
        :param bond: exact bond, ``'1 NET'`` or unet; default: the bond that the order requires, half its funding
        :param timeout: seconds for the whole call; default none
        :raises NetError: WORK_NOT_VERIFIED, DISPUTE_WINDOW_CLOSED and the other refusals of openDispute
        """
        return await dispute_once(self._parts, self.order_id, reason, bond)

    @ends_with_agent
    async def cancel(self, *, timeout: float | None = None) -> JsonObject:
        """Cancels the order and refunds it, while no worker has accepted it.

        :param timeout: seconds for the whole call; default none
        :raises NetError: WORK_ORDER_NOT_OPEN if a worker has accepted it
        """
        return await cancel_once(self._parts, self.order_id)

    async def _until(self, machine: str, timeout: float | None, least: float = 0.0) -> JsonObject:
        """Follows the order to its end.

        :param least: seconds between two reads of the order, however many events wake the agent
        """
        poller, began = self._parts.poller, time.monotonic()
        end = None if timeout is None else began + timeout
        hint_at = began + (PATIENCE if timeout is None else min(PATIENCE, timeout / 2))
        facts: Facts = {}
        self._parts.watch()
        while True:
            wakes = poller.wakes
            order = self._latest = await self.order()
            facts |= observed(self._parts, order) | {"order": order}
            wait = await advance(MACHINES[machine], facts, self, emit=self._emit)
            if wait is None:
                return order
            now = time.monotonic()
            if now >= hint_at:
                self._hint(order)
            if end is not None and now >= end:
                raise self._late(timeout)
            ends = [wait] if end is None else [wait, end - now]
            if order["status"] == "OPEN" and not self._has_hinted:
                ends.append(hint_at - now)
            if wait > 0:
                await poller.wait(min(ends), wakes)
            if least > 0:
                await asyncio.sleep(least)

    def _hint(self, order: JsonObject) -> None:
        """Warns once if no worker has the order."""
        if order["status"] == "OPEN" and not self._has_hinted:
            self._has_hinted = True
            untaken = AgentError("ORDER_UNTAKEN", f"{order['jobType']}, {net_text(order['funding'])}{self._untaken()}")
            self._parts.events.warn(untaken, self.order_id)

    def _late(self, timeout: float | None) -> AgentError:
        return AgentError("RESULT_TIMEOUT", f"{self.order_id}, {timeout} s{self._untaken()}")

    def _untaken(self) -> str:
        """Returns an addition to a timeout's error: the order has no worker. Empty if it has one."""
        if self._latest is None or self._latest["status"] != "OPEN":
            return ""
        returned = self._latest.get("releasedBy") or []
        if returned:
            return f"; {returned[-1]} has given {self.order_id} back, and no other agent has accepted it yet"
        return f"; no agent has accepted {self.order_id} yet"

    def _do_unpaid(self, facts: Facts) -> None:
        raise _unpaid(facts["order"])

    def _do_disputed(self, facts: Facts) -> None:
        raise _disputed(facts["order"])

    async def _do_settle(self, facts: Facts) -> None:
        await settle_once(self._parts, self.order_id)

    async def _hear(self) -> None:
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
        client = self._parts.client

        async def ask() -> tuple[list[NetEvent], str, bool]:
            return page_of(await client.read("/v1/events", order=self.order_id, after=after), after)

        return await client.persist(ask)

    async def _tell_checked(self, event: NetEvent) -> bool:
        """Emits an event. If the event is malformed, only warns, so that later events are not lost."""
        try:
            return await self._tell(event)
        except Exception as error:
            self._parts.events.warn(error, f"event {event.id} of {self.order_id}")
            return False

    def _emit(self, event: str, facts: Facts) -> None:
        self._told.append(emit_from(self._events, "hire", event, facts))

    async def _tell(self, event: NetEvent) -> bool:
        """Emits an event. Returns True if it ends the order."""
        facts = {**event.data, "orderId": self.order_id, "type": event.type, "before": self._before, "untrusted": True}
        self._before = event.type
        return await advance(MACHINES["hireEvents"], facts, self, emit=self._emit) is None

    async def _do_words(self, facts: Facts) -> Facts:
        return {"reason": words_of(await self._parts.origins.fetch(facts["evidenceHash"]))}

    def _do_until(self, facts: Facts) -> Facts:
        return {"disputableUntil": _time_text(facts["disputableUntil"]["time"])}


#: Reasons of a failed order for which verifiers keep their fee.
FEE_EARNED = ("VERIFICATION_REJECTED", "SCOPE_UNJUDGEABLE")


def _unpaid(order: JsonObject) -> AgentError:
    order_id, reason, funding = order["orderId"], order["reason"], order["funding"]
    # If the order ended without a verdict, the fee has already been paid out.
    is_shared = reason in FEE_EARNED or order.get("unjudged") is not None
    refund = contest_bond_of(funding) if reason == "SPLIT" else funding + (0 if is_shared else order["verificationFee"])
    detail = f"{order_id}, {reason}, refund of {net_text(refund)}"
    return AgentError("ORDER_UNPAID", detail, {"orderId": order_id, "reason": reason, "refund": refund})


def _disputed(order: JsonObject) -> AgentError:
    deadline, opened_by = order.get("deadline") or {}, (order.get("dispute") or {}).get("openedBy")
    until = deadline.get("time")
    data = {"orderId": order["orderId"], "openedBy": opened_by, "deadline": until, "height": deadline.get("height")}
    return AgentError("ORDER_DISPUTED", f"{order['orderId']}, by {opened_by}, until {until}", data)


def _time_text(told: int) -> str:
    return datetime.fromtimestamp(told / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + f"{told % 1000:03d}Z"


def _text_of(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
