"""Jobs from acceptance to payment. Each step reads the order from the chain first."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import time
from collections.abc import Callable
from typing import Any

from ..errors import NetError
from ..formats import judge_in_time
from ..protocol.canonical_json import JsonObject
from ..protocol.hashes import hash_value, sha256
from ..tables import MACHINES
from .advance import Facts, advance, emit_from
from .deliverable import bytes_of, require_met, seal_result, submit_result
from .errors import AgentError, code_of
from .findings import Rejections, findings_of, reasons_against
from .handler_call import call
from .home import Records, short_hash
from .job import AsyncJob, Job, JobRun, forget_steps, while_owned
from .order_acts import contest_bond_of, dispute_once, observed, prove_once, release_once, settle_once
from .parts import Parts
from .poller import pause_after
from .retry import RetryPolicy
from .scope import fetch_inputs, read_scope, stored_scope
from .telemetry import describe_job
from .typed import INPUT, HandlerOf, read_input
from .work_offer import bond_beyond_balance

JobHandler = Callable[..., Any]

HANDLER_ATTEMPTS = 3
#: Events that end a job.
OUTCOMES = frozenset(["paid", "rejected", "skipped"])
#: Attempts to fetch the requester's key from an unavailable store.
KEY_TRIES = 6
#: Says that a tick has left a job to the next one.
RESTING = "resting"
STORED_POLL = 30.0


def file_of(kind: str, order_id: str) -> str:
    """Returns the name of a file for bytes of a job."""
    return f"{kind}-{short_hash(order_id)}.bin"


def _terms_of(order: JsonObject) -> str:
    names = ("orderId", "requesterId", "scopeHash", "acceptanceHash", "funding", "workerBond", "validationPolicy")
    return hash_value({name: order[name] for name in names if name in order})


class JobRunner:
    """Runs jobs, each from its recorded step. The methods ``_do_…`` are effects of the machine."""

    def __init__(self, parts: Parts, handler_of: HandlerOf, retry: RetryPolicy | None = None) -> None:
        self._parts = parts
        self._retry = retry or RetryPolicy()
        self._handler_of = handler_of
        self.rejections = Rejections()
        self.records = Records(parts.state, "job")

    def _retry_of(self, order: JsonObject | None) -> RetryPolicy:
        handler = None if order is None else self._handler_of(order)
        return self._retry if handler is None or handler.retry is None else handler.retry

    def _attempts_of(self, order: JsonObject | None) -> int:
        return self._retry_of(order).attempts or HANDLER_ATTEMPTS

    def choose(self, order: JsonObject, scope: bytes) -> JsonObject:
        """Records the order and its checked scope before acceptance."""
        order_id = order["orderId"]
        record: JsonObject = {"orderId": order_id, "step": "chosen", "attempts": 0, "deliverableHash": None}
        record["terms"] = _terms_of(order)
        self._parts.state.put(file_of("scope", order_id), scope)
        self.records.put(order_id, record)
        self._parts.reach("work.chosen", None)
        return record

    async def run(self, record: JsonObject, busy: Callable[[bool], None]) -> str | None:
        """Runs a job until the order has ended, within a span.

        :param busy: called with False once the job no longer needs its handler
        :returns: ``next`` of the machine; None if a slot is free; RESTING if the next tick continues
        """
        facts: Facts = {"receipt": None, "outcome": "interrupted"}
        with self._parts.telemetry.span("job", {"netsdk.order.id": record["orderId"]}) as span:
            try:
                return await self._continue(record, busy, facts)
            finally:
                if span is not None:
                    describe_job(span, facts)

    async def _continue(self, record: JsonObject, busy: Callable[[bool], None], facts: Facts) -> str | None:
        parts, order_id = self._parts, record["orderId"]
        failures = 0
        is_counted = False
        # Each tick is a start, so it changes nothing.
        is_first = not parts.poller.ticks
        while True:
            wakes = parts.poller.wakes
            try:
                order = await parts.client.order(order_id)
                # The handler may have been corrected since the last start.
                if is_first and record["step"] != "released" and record["attempts"] >= self._attempts_of(order):
                    record.update(step="accepted", attempts=0)
                is_first = False
                is_due = order is not None and order["status"] == "ACCEPTED" and record["step"] == "accepted"
                if is_due and not is_counted:
                    if not parts.poller.take():
                        return RESTING
                    is_counted = True
                facts |= {"status": None} if order is None else observed(parts, order)
                facts |= {**record, "record": record, "order": order, "busy": busy, "kept": None}
                facts["spent"] = record["attempts"] >= self._attempts_of(order) or None
                wait = await advance(MACHINES["job"], facts, self, emit=self._emit, note=self._note)
                if wait is None:
                    self._end(order_id)
                    self._measure(facts)
                    return facts.get("next")
                failures = 0
                if wait > 0 and not await parts.poller.rest(wait, wakes):
                    return RESTING
            except Exception as error:
                parts.events.warn(error, order_id)
                await asyncio.sleep(pause_after(failures))
                failures += 1

    def _measure(self, facts: Facts) -> None:
        """Counts a job that has ended. An interrupted job counts once a later start ends it."""
        ended, order = facts.get("ended", "lost"), facts["order"]
        facts["outcome"] = "failed" if ended == "rejected" and facts.get("reason") == "RELEASED" else ended
        skill = {"netsdk.skill": "unknown" if order is None else order["jobType"]}
        self._parts.telemetry.count("jobs", 1, {"netsdk.outcome": facts["outcome"]} | skill)
        if facts["outcome"] == "paid":
            self._parts.telemetry.count("earned", order["funding"], skill)

    def _emit(self, event: str, facts: Facts) -> None:
        if event in OUTCOMES:
            facts["ended"] = event
        message = f"{facts['orderId']}: {facts.get('reason')}"
        emit_from(self._parts.events, "agent", event, facts | {"message": message})

    def _note(self, record: JsonObject, **change: Any) -> None:
        record.update(change)
        self.records.put(record["orderId"], record)

    async def _do_accept(self, facts: Facts) -> None:
        parts, order = self._parts, facts["order"]
        order_id, bond = order["orderId"], order["workerBond"]
        if facts["record"].get("terms", _terms_of(order)) != _terms_of(order):
            raise AgentError("ORDER_CHANGED", order_id)
        payload = {"orderId": order_id, "agentId": parts.agent_id} | ({"workerBond": bond} if bond > 0 else {})
        try:
            await parts.outbox.act(f"accept/{order_id}", "acceptWork", payload)
        except NetError as error:
            if error.code == "INSUFFICIENT_BALANCE":
                raise bond_beyond_balance(bond) from error
            raise

    def _do_paid(self, facts: Facts) -> Facts:
        self._parts.reach("work.settled", None)
        self.rejections.paid(facts["jobType"])
        return {"amount": facts["order"]["funding"]}

    async def _do_rejected(self, facts: Facts) -> Facts:
        job_type, reason = facts["jobType"], facts.get("reason") or "REJECTED"
        findings = await findings_of(facts["order"], self._parts.origins)
        is_judged = reason == "VERIFICATION_REJECTED"
        reasons = self.rejections.rejected(job_type, reasons_against(findings)) if is_judged else None
        go_on = f"Correct the handler and start the agent again, or call agent.resume_work({job_type!r})."
        return {"findings": findings, "reason": reason, "reasons": reasons, "goOn": go_on}

    async def _do_read(self, facts: Facts) -> Facts:
        parts, order = self._parts, facts["order"]
        return {"offer": read_scope(parts, order, await stored_scope(parts, order, file_of("scope", order["orderId"])))}

    async def _do_handle(self, facts: Facts) -> Facts:
        facts["attempt"] = facts["attempts"] + 1
        try:
            return {"deliverableHash": await self._handled(facts)}
        except Exception as error:
            most = self._attempts_of(facts["order"])
            used = most if code_of(error) == "NOT_RETRYABLE" else facts["attempt"]
            facts.update(used=used, spent=used >= most or None)
            raise

    async def _handled(self, facts: Facts) -> str:
        """Calls the handler, and returns the hash of its result once that is on disk."""
        parts, order, (scope, sealed) = self._parts, facts["order"], facts["offer"]
        if facts["attempts"] > 0:
            await asyncio.sleep(self._retry_of(order).pause(facts["attempts"]))
        if "inputs" not in facts:
            facts["inputs"] = await fetch_inputs(parts, order, scope)
        handler = self._handler_of(order)
        if handler is None:
            raise AgentError("ORDER_UNSUITABLE", f"this agent no longer serves {order['jobType']!r}")
        function, asked, promised = handler[:3]
        data = None if asked is None else read_input(asked, facts["inputs"].get(INPUT))
        run = JobRun(parts, order)
        kind = AsyncJob if inspect.iscoroutinefunction(function) else Job
        job: Any = kind(order["orderId"], order, scope, sealed, facts["attempt"], facts["inputs"], data, run)
        returned = await while_owned(parts, order, run.signal, call(function, job))
        result = bytes_of(returned if promised is None else promised.write(returned, "RESULT_INVALID"))
        await require_met(scope, result)
        parts.reach("work.handled", None)
        blob = await self._sealed(order, result) if sealed else result
        parts.state.put(file_of("result", order["orderId"]), blob)
        return sha256(blob).hex()

    async def _do_release(self, facts: Facts) -> None:
        self._parts.events.warn(AgentError("JOB_FAILED", facts["orderId"]))
        await release_once(self._parts, facts["orderId"])

    async def _sealed(self, order: JsonObject, result: bytes) -> bytes:
        """Seals the result. Retries if a busy store withholds the key, because that is no failure of the handler."""
        for tries in itertools.count(1):
            try:
                return await seal_result(self._parts, order, result)
            except AgentError as error:
                if error.code != "BLOB_UNAVAILABLE" or tries == KEY_TRIES:
                    raise
            self._parts.events.emit("waiting", **{"for": f"the key of {order['requesterId']}"})
            await asyncio.sleep(pause_after(tries))
        raise AssertionError

    async def _do_deliver(self, facts: Facts) -> Facts:
        parts, order_id = self._parts, facts["orderId"]
        blob = parts.state.get(file_of("result", order_id))
        if blob is None or facts["deliverableHash"] is None:
            return {"deliverableHash": None}
        parts.reach("work.kept", None)
        scope = parts.state.get(file_of("scope", order_id))
        blob_hash = await submit_result(parts, facts["order"], blob, scope)
        facts["busy"](False)
        return {"deliverableHash": blob_hash}

    def _do_free(self, facts: Facts) -> None:
        facts["busy"](False)

    async def _do_keep(self, facts: Facts) -> None:
        parts, blob_hash = self._parts, facts["deliverableHash"]
        facts["busy"](False)
        if blob_hash is None or time.monotonic() - facts.get("checkedAt", -STORED_POLL) < STORED_POLL:
            return
        facts["checkedAt"] = time.monotonic()
        if await parts.origins.is_everywhere(blob_hash):
            return
        blob = parts.state.get(file_of("result", facts["orderId"]))
        if blob is not None:
            await parts.origins.put(blob)

    async def _do_verdict(self, facts: Facts) -> Facts:
        order = facts["order"]
        return {
            "findings": await findings_of(order, self._parts.origins),
            "disputableUntil": (order.get("disputableUntil") or {}).get("time", ""),
            "bond": contest_bond_of(order["funding"]),
        }

    async def _do_prove(self, facts: Facts) -> Facts:
        """Proves a good result that the jury or the requester calls bad."""
        parts, order = self._parts, facts["order"]
        blob = parts.state.get(file_of("result", order["orderId"]))
        scope, sealed = (await self._do_read(facts))["offer"]
        if blob is None or sealed:
            return {"proven": False}
        judgement = await judge_in_time(scope, blob)
        is_met = judgement is not None and judgement.verdict == "met"
        return {"proven": is_met and await prove_once(parts, order, scope, blob)}

    async def _do_answer(self, facts: Facts) -> None:
        # Without an answer, the requester would get the result for nothing.
        await dispute_once(self._parts, facts["orderId"], "The result is what the scope asks for.")

    async def _do_settle(self, facts: Facts) -> Facts:
        return {"receipt": await settle_once(self._parts, facts["orderId"])}

    def _end(self, order_id: str) -> None:
        for step in ("accept", "submit", "dispute", "prove", "settle", "release"):
            self._parts.outbox.forget(f"{step}/{order_id}")
        forget_steps(self._parts, order_id)
        self.records.delete(order_id)
        for kind in ("scope", "result"):
            self._parts.state.delete(file_of(kind, order_id))
