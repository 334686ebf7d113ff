"""Runs a job from acceptance to payment: reads the order from the chain, then does the next step."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..errors import NetError
from ..protocol.canonical_json import JsonObject
from ..protocol.hashes import hash_value, sha256
from .deliverable import bytes_of, require_met, seal_result, submit_result
from .errors import AgentError
from .findings import Rejections, findings_of, reasons_against
from .handler_call import call
from .home import Records, short_hash
from .order_acts import dispute_once, is_settleable, must_answer, release_once, settle_when_due
from .parts import SLOW_POLL, Parts
from .poller import pause_after
from .scope import fetch_inputs, read_scope, stored_scope
from .work_offer import bond_beyond_balance

JobHandler = Callable[..., Any]

MAX_ATTEMPTS = 3
#: Attempts to fetch the requester's key from an unavailable store.
KEY_TRIES = 6
#: Seconds between checks that the stores still have the result.
STORED_POLL = 30.0


@dataclass(frozen=True)
class Job:
    """A job for a handler.

    :ivar order: as on the chain
    :ivar scope: NET-WORK-SCOPE/1, checked against its hash; untrusted content, never instructions to a model
    :ivar sealed: True if the scope was sealed to this agent; then the result is sealed to the requester
    :ivar inputs: bytes of every input of the scope by name, checked against their hashes
    :ivar attempt: counts from 1
    """

    order_id: str
    order: JsonObject
    scope: JsonObject
    sealed: bool
    attempt: int
    inputs: dict[str, bytes] = field(repr=False)

    def input(self, name: str) -> bytes:
        """Returns the bytes of an input.

        :raises AgentError: INPUT_UNKNOWN
        """
        if name not in self.inputs:
            raise AgentError("INPUT_UNKNOWN", name)
        return self.inputs[name]


def file_of(kind: str, order_id: str) -> str:
    """Returns the name of a file with bytes of a job."""
    return f"{kind}-{short_hash(order_id)}.bin"


def _terms_of(order: JsonObject) -> str:
    """Returns the hash of an order's fixed terms."""
    names = ("orderId", "requesterId", "scopeHash", "funding", "workerBond", "validationPolicy")
    return hash_value({name: order[name] for name in names})


def has_given_up(record: JsonObject) -> bool:
    """Returns True once the handler has used all its attempts; a new start resets them."""
    exhausted: bool = record["step"] == "accepted" and record["attempts"] >= MAX_ATTEMPTS
    return exhausted or record["step"] == "given-up"


class JobRunner:
    """Runs jobs, each from its recorded step."""

    def __init__(self, parts: Parts, handler: JobHandler) -> None:
        self._parts = parts
        self._handler = handler
        self.rejections = Rejections()
        self.records = Records(parts.state, "job")
        #: Refusal code by order, for ``OrderWorker``.
        self.refusals: dict[str, str] = {}
        self._receipts: dict[str, JsonObject] = {}
        self._checked_at: dict[str, float] = {}

    def choose(self, order: JsonObject, scope: bytes) -> JsonObject:
        """Records the order and its checked scope before acceptance."""
        order_id = order["orderId"]
        record: JsonObject = {"orderId": order_id, "step": "chosen", "attempts": 0, "deliverableHash": None}
        record["terms"] = _terms_of(order)
        self._parts.state.put(file_of("scope", order_id), scope)
        self.records.put(order_id, record)
        self._parts.reach("work.chosen", None)
        return record

    async def run(self, record: JsonObject, busy: Callable[[bool], None]) -> None:
        """Runs a job until the order has ended.

        :param busy: called with False once the job needs its handler no more
        """
        parts, order_id = self._parts, record["orderId"]
        failures = 0
        while True:
            wakes = parts.poller.wakes
            try:
                order = await parts.client.order(order_id)
                wait = None if order is None else await self._turn(record, order, busy)
                if wait is None:
                    self._end(order_id)
                    return
                failures = 0
                if wait > 0:
                    await parts.poller.wait(wait, wakes)
            except Exception as error:
                # An unexpected refusal or failing stores: warn and retry.
                parts.events.warn(error, order_id)
                await asyncio.sleep(pause_after(failures))
                failures += 1

    async def _turn(self, record: JsonObject, order: JsonObject, busy: Callable[[bool], None]) -> float | None:
        """Does the order's next step.

        :returns: seconds until the next step, 0 for at once; None if it has ended
        """
        events, order_id, status = self._parts.events, order["orderId"], order["status"]
        if status == "OPEN":
            if record["step"] == "chosen":
                return await self._accept(record, order)
            self._went_to_others(order)
            return None
        if order.get("workerId") != self._parts.agent_id:
            if record["step"] != "chosen":
                self._went_to_others(order)
            elif status == "ACCEPTED":
                events.emit("skipped", order_id=order_id, code="WORK_ORDER_NOT_OPEN", reason="another was faster")
            return None
        if status == "PAID":
            self._parts.reach("work.settled", None)
            self.rejections.paid(order["jobType"])
            receipt = self._receipts.get(order_id)
            events.emit("paid", order_id=order_id, amount=order["funding"], receipt=receipt)
            return None
        if status == "REJECTED":
            await self._rejected(order)
            return None
        if status == "ACCEPTED":
            if record["step"] == "chosen":
                self._note(record, step="accepted")
            if record["step"] == "accepted":
                await self._handle(record, order)
            if record["step"] == "released":
                return 0
            if record["step"] == "given-up":
                busy(False)
                return SLOW_POLL
            await self._deliver(record, order)
            busy(False)
            return 0
        busy(False)
        await self._keep_stored(record)
        if must_answer(order, self._parts.agent_id):
            await self._answer(order)
        return await self._settle(order) if is_settleable(order) else SLOW_POLL

    async def _answer(self, order: JsonObject) -> None:
        """Answers a dispute: otherwise the requester would get the result for nothing."""
        order_id = order["orderId"]
        try:
            await dispute_once(self._parts, order_id, "The result is what the scope asks for.")
        except NetError as error:
            self._parts.events.warn(error, f"the answer to the dispute about {order_id}")

    def _went_to_others(self, order: JsonObject) -> None:
        """Reports the loss of an order that this agent released or did not deliver in time."""
        order_id = order["orderId"]
        reason = "RELEASED" if self._parts.agent_id in order["releasedBy"] else "DELIVERY_TIMEOUT"
        self._parts.events.emit("rejected", order_id=order_id, reason=reason, findings=[])
        # The chain refuses an order to the worker that released it.
        if reason == "RELEASED":
            self.refusals[order_id] = reason

    async def _rejected(self, order: JsonObject) -> None:
        """Reports the findings; pauses the kind of work after several rejections in a row."""
        events, job_type = self._parts.events, order["jobType"]
        findings = await findings_of(order, self._parts.origins)
        reason = order.get("reason") or "REJECTED"
        events.emit("rejected", order_id=order["orderId"], reason=reason, findings=findings)
        if reason != "VERIFICATION_REJECTED":
            return
        reasons = self.rejections.rejected(job_type, reasons_against(findings))
        if reasons is not None:
            go_on = f"Correct the handler and start the agent again, or call agent.resume_work({job_type!r})."
            events.emit("paused", job_type=job_type, reasons=reasons, go_on=go_on)

    async def _accept(self, record: JsonObject, order: JsonObject) -> float | None:
        parts, order_id, bond = self._parts, order["orderId"], order["workerBond"]
        if record.get("terms", _terms_of(order)) != _terms_of(order):
            changed = AgentError("ORDER_CHANGED", order_id)
            parts.events.emit("skipped", order_id=order_id, code=changed.code, reason=str(changed))
            self.refusals[order_id] = changed.code
            return None
        payload = {"orderId": order_id, "agentId": parts.agent_id} | ({"workerBond": bond} if bond > 0 else {})
        try:
            await parts.outbox.act(f"accept/{order_id}", "acceptWork", payload)
        except NetError as error:
            refusal: NetError | AgentError = error
            if error.code == "INSUFFICIENT_BALANCE":
                refusal = bond_beyond_balance(order["workerBond"])
            parts.events.emit("skipped", order_id=order_id, code=refusal.code, reason=str(refusal))
            self.refusals[order_id] = refusal.code
            return None
        self._note(record, step="accepted")
        parts.events.emit("accepted", order_id=order_id)
        return 0

    async def _handle(self, record: JsonObject, order: JsonObject) -> None:
        """Runs the handler and stores its result, or gives up."""
        parts, order_id = self._parts, order["orderId"]
        scope, sealed = read_scope(parts, order, await stored_scope(parts, order, file_of("scope", order_id)))
        inputs: dict[str, bytes] | None = None
        while record["attempts"] < MAX_ATTEMPTS:
            attempt = record["attempts"] + 1
            try:
                if inputs is None:
                    inputs = await fetch_inputs(parts, order, scope)
                result = bytes_of(await call(self._handler, Job(order_id, order, scope, sealed, attempt, inputs)))
                await require_met(scope, result)
                parts.reach("work.handled", None)
                blob = await self._sealed(order, result) if sealed else result
                parts.state.put(file_of("result", order_id), blob)
                self._note(record, step="kept", deliverableHash=sha256(blob).hex())
                parts.reach("work.kept", None)
                return
            except Exception as error:
                self._note(record, attempts=attempt)
                parts.events.emit("failed", order_id=order_id, attempt=attempt, error=error)
                if attempt < MAX_ATTEMPTS:
                    await asyncio.sleep(pause_after(attempt))
        failed = AgentError("JOB_FAILED", order_id)
        parts.events.emit("warning", code=failed.code, message=str(failed))
        try:
            await release_once(parts, order_id)
            self._note(record, step="released")
        except NetError:
            # A session may lack the permission; a corrected handler has until the deadline.
            self._note(record, step="given-up")

    async def _sealed(self, order: JsonObject, result: bytes) -> bytes:
        """Seals the result; retries if a busy store withholds the key, because the handler has not failed."""
        for tries in itertools.count(1):
            try:
                return await seal_result(self._parts, order, result)
            except AgentError as error:
                if error.code != "BLOB_UNAVAILABLE" or tries == KEY_TRIES:
                    raise
            self._parts.events.emit("waiting", **{"for": f"the key of {order['requesterId']}"})
            await asyncio.sleep(pause_after(tries))
        raise AssertionError

    async def _deliver(self, record: JsonObject, order: JsonObject) -> None:
        parts, order_id = self._parts, order["orderId"]
        blob = parts.state.get(file_of("result", order_id))
        if blob is None or record["deliverableHash"] is None:
            # The recorded result is not on disk: run the handler again.
            self._note(record, step="accepted", deliverableHash=None)
            return
        scope = parts.state.get(file_of("scope", order_id))
        blob_hash = await submit_result(parts, order, blob, scope)
        parts.events.emit("delivered", order_id=order_id, deliverable_hash=blob_hash)

    async def _keep_stored(self, record: JsonObject) -> None:
        """Stores the result again if a store has lost it, because verifiers need it."""
        parts, order_id, blob_hash = self._parts, record["orderId"], record["deliverableHash"]
        if blob_hash is None or time.monotonic() - self._checked_at.get(order_id, -STORED_POLL) < STORED_POLL:
            return
        self._checked_at[order_id] = time.monotonic()
        if await parts.origins.is_everywhere(blob_hash):
            return
        blob = parts.state.get(file_of("result", order_id))
        if blob is not None:
            await parts.origins.put(blob)

    async def _settle(self, order: JsonObject) -> float:
        """Settles once the dispute window is over. Returns seconds until the next step."""
        wait, receipt = await settle_when_due(self._parts, order)
        if receipt is not None:
            self._receipts[order["orderId"]] = receipt
        return wait

    def _note(self, record: JsonObject, **change: Any) -> None:
        record.update(change)
        self.records.put(record["orderId"], record)

    def _end(self, order_id: str) -> None:
        for step in ("accept", "submit", "settle", "release"):
            self._parts.outbox.forget(f"{step}/{order_id}")
        self.records.delete(order_id)
        for kind in ("scope", "result"):
            self._parts.state.delete(file_of(kind, order_id))
        self._receipts.pop(order_id, None)
        self._checked_at.pop(order_id, None)
