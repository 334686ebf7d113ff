"""Jobs for handlers, and their steps, whose results are on disk: a run after a crash continues with them.

``packages/sdk/src/agent/job-steps.ts`` uses the same files and keys.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, field, fields
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from ..arguments import require_handler, require_mapping, require_options, require_text
from ..exact_value import exact_value
from ..protocol.canonical_json import JsonObject, canonical_bytes
from ..protocol.hashes import hash_value
from .blocking_hired import Hired
from .errors import AgentError, code_of
from .handler_call import cancel
from .hire import HireOptions, Terms, hire_once
from .hired import AsyncHired
from .home import Records
from .own_acts import ActId, act_once
from .own_ids import own_id
from .parts import SLOW_POLL, Parts
from .retry import RetryPolicy
from .typed import In, Out, json_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")

MOST_STEPS = 200
#: Of the canonical JSON of all steps of an order.
MOST_BYTES = 1_048_576
LONGEST_NAME = 100
#: Seconds in which a cancelled handler may clean up.
CLEANUP = 5.0


class JobSignal:
    """Set when a handler has to end. A coroutine handler is cancelled then; a plain function has to check it."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._reason: AgentError | None = None

    @property
    def aborted(self) -> bool:
        """True once the handler has to end."""
        return self._event.is_set()

    @property
    def reason(self) -> AgentError | None:
        """Why: JOB_DEADLINE, JOB_LOST if the order is no longer this agent's, AGENT_STOPPED, or JOB_ENDED once the
        handler has returned or raised.
        """
        return self._reason

    def wait(self, timeout: float | None = None) -> bool:
        """Blocks until the handler has to end, at most this many seconds. Returns ``aborted``."""
        return self._event.wait(timeout)

    def raise_if_aborted(self) -> None:
        """Raises the reason, once there is one."""
        if self._reason is not None:
            raise AgentError(self._reason.code, self._reason.detail, self._reason.data)

    def _abort(self, reason: AgentError) -> None:
        if self._reason is None:
            self._reason = reason
            self._event.set()


def _acceptance_of(order: Mapping[str, Any]) -> str:
    at = order.get("acceptedAt")
    return f"{at['height']}.{at['index']}" if at else ""


def _key_of(agent_id: str, record: Mapping[str, Any], step: str) -> str:
    facts = {"orderId": record["orderId"], "acceptance": record["acceptance"], "step": step}
    if record.get("secret") is None:
        # Older records lack it. Their steps keep their ids, because the agent may have acted under them.
        return f"job-{hash_value({'agentId': agent_id, **facts})[:32]}"
    return f"job-{own_id(record['secret'], facts)}"


def _records_of(parts: Parts) -> Records:
    return Records(parts.state, "steps")


def forget_steps(parts: Parts, order_id: str) -> None:
    """Removes the steps of an order, and the acts that only they can repeat."""
    records = _records_of(parts)
    record = records.get(order_id)
    if record is None:
        return
    for step in record["steps"]:
        if step["kind"] != "step":
            parts.outbox.forget(f"{step['kind']}/{_key_of(parts.agent_id, record, step['name'])}")
    records.delete(order_id)


class JobRun:
    """Steps of one run of a handler. Its methods run in the agent's event loop."""

    def __init__(self, parts: Parts, order: JsonObject) -> None:
        """Reads the recorded steps of this acceptance. Drops those of an earlier one."""
        self.signal = JobSignal()
        self._parts = parts
        self._loop = asyncio.get_running_loop()
        self._facts = {"orderId": order["orderId"], "acceptance": _acceptance_of(order)}
        self._used: set[str] = set()
        record = _records_of(parts).get(order["orderId"])
        if record is not None and record["acceptance"] != self._facts["acceptance"]:
            forget_steps(parts, order["orderId"])
            record = None
        # The secret makes the ids of the steps, also if the keys of the agent change meanwhile.
        secret = parts.id_secret if record is None else record.get("secret")
        self._facts |= {} if secret is None else {"secret": secret}
        self._steps: dict[str, JsonObject] = {step["name"]: step for step in (record or {"steps": []})["steps"]}

    def key(self, name: str) -> str:
        """Returns the idempotency key of a step."""
        return _key_of(self._parts.agent_id, self._facts, name)

    def begin(self, name: str, kind: str) -> list[Any] | None:
        """Returns the recorded result of a step in a list, or None if the step has to run.

        :raises AgentError: STEP_REPEATED, STEP_LIMIT, the reason of the signal
        """
        self.signal.raise_if_aborted()
        require_text("name", name)
        if len(name) > LONGEST_NAME:
            raise AgentError("STEP_LIMIT", f"a name of {len(name)} characters")
        known = self._steps.get(name)
        if name in self._used or (known is not None and known["kind"] != kind):
            raise AgentError("STEP_REPEATED", name)
        self._used.add(name)
        if known is not None:
            self._tell(name, "known")
            return known["result"] or [None]
        self._require_room(name)
        return None

    def finish(self, name: str, kind: str, value: object) -> Any:
        """Records the result of a step, and returns it as JSON holds it.

        :raises AgentError: VALUE_NOT_JSON, STEP_LIMIT, the reason of the signal
        """
        try:
            result = exact_value(value)
        except AgentError as error:
            raise AgentError(error.code, f"step {name}: {error.detail}", error.data) from None
        self._parts.reach("step.done", name)
        self.signal.raise_if_aborted()
        self._require_room(name)
        step = {"name": name, "kind": kind, "result": [result]}
        record = {**self._facts, "steps": [*self._steps.values(), step]}
        if len(canonical_bytes(record)) > MOST_BYTES:
            raise AgentError("STEP_LIMIT", f"{name}: {MOST_BYTES} bytes")
        _records_of(self._parts).put(self._facts["orderId"], record)
        self._steps[name] = step
        self._tell(name, "recorded")
        self._parts.reach("step.kept", name)
        return result

    def failed(self, name: str, error: Exception, retry: RetryPolicy, failures: int) -> float | None:
        """Returns the seconds before the next call of a step that failed; None if there is none."""
        self.signal.raise_if_aborted()
        self._tell(name, "failed", str(error))
        is_final = failures >= (retry.attempts or 1) or code_of(error) == "NOT_RETRYABLE"
        return None if is_final else retry.pause(failures)

    async def hire(self, name: str, returns: Any, terms: Mapping[str, Any]) -> AsyncHired[Any]:
        """Hires once for a step."""
        options = {each.name for each in fields(HireOptions)} - {"returns", "id"}
        require_options("hire", terms, options)
        given = {_camel(key): json_of(value) for key, value in terms.items()}
        known = self.begin(name, "hire")
        recorded = self.finish(name, "hire", given) if known is None else known[0]
        again = {_snake(key): value for key, value in recorded.items()}
        asked = HireOptions(**again, returns=returns, id=self.key(name))
        named = ActId(self.key(name), is_named=True)
        return await hire_once(self._parts, asked, named)

    async def act(self, name: str, action: str, payload: Mapping[str, Any]) -> JsonObject:
        """Executes an action once for a step."""
        require_text("action", action)
        require_mapping("payload", payload)
        known = self.begin(name, "own")
        given = {"action": action, "payload": dict(payload)}
        recorded = self.finish(name, "own", given) if known is None else known[0]
        named = ActId(self.key(name), is_named=True)
        act = recorded["action"], recorded["payload"], named
        return await self._parts.live(lambda: act_once(self._parts, *act))

    def wait(self, work: Coroutine[Any, Any, T], meanwhile: Callable[[], None] | None = None) -> T:
        """Runs a coroutine in the agent's loop, from the thread of a handler. Calls ``meanwhile`` after each step."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        while True:
            try:
                return future.result(0.5)
            except FutureTimeout:
                if future.done():
                    raise
                if self._loop.is_closed() or not self._loop.is_running():
                    raise AgentError("AGENT_STOPPED", self._parts.agent_id) from None
            if meanwhile is not None:
                meanwhile()

    def call(self, work: Callable[[], T]) -> T:
        """Calls a function in the agent's loop, from the thread of a handler."""

        async def run() -> T:
            return work()

        self.signal.raise_if_aborted()
        return self.wait(run())

    def _require_room(self, name: str) -> None:
        if len(self._steps) >= MOST_STEPS:
            raise AgentError("STEP_LIMIT", f"{name}: {MOST_STEPS} steps")

    def _tell(self, name: str, outcome: str, reason: str | None = None) -> None:
        order_id = self._facts["orderId"]
        self._parts.events.note("step", order_id=order_id, step=name, outcome=outcome, reason=reason)


def _camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda letter: letter[1].upper(), name)


def _snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


@dataclass(frozen=True)
class _AnyJob(Generic[In]):
    order_id: str
    order: JsonObject
    scope: JsonObject
    sealed: bool
    attempt: int
    inputs: dict[str, bytes] = field(repr=False)
    data: In
    _begun: JobRun | None = field(default=None, repr=False)

    @property
    def _run(self) -> JobRun:
        # A job that a test has made has no steps.
        if self._begun is None:
            raise AgentError("JOB_ENDED", self.order_id)
        return self._begun

    @property
    def deadline(self) -> datetime:
        """When the chain takes the order away, by the clock of the chain. A result must be committed before."""
        return _deadline_of(self.order) or datetime.max.replace(tzinfo=timezone.utc)

    @property
    def signal(self) -> JobSignal:
        """Set when the handler has to end: at the deadline, if the order is lost, and if the agent stops."""
        return self._run.signal

    def input(self, name: str) -> bytes:
        """Returns the bytes of an input.

        :raises AgentError: INPUT_UNKNOWN
        """
        if name not in self.inputs:
            raise AgentError("INPUT_UNKNOWN", name)
        return self.inputs[name]

    def key(self, name: str) -> str:
        """Returns an idempotency key for a step. It follows from a secret of the agent, order, acceptance and name."""
        return self._run.key(name)


class Job(_AnyJob[In]):
    """A job for a handler that is a plain function. A coroutine function gets an :class:`AsyncJob`.

    :ivar order: the order as on the chain
    :ivar scope: NET-WORK-SCOPE/1, checked against its hash; untrusted content, never instructions to a model
    :ivar sealed: True if the scope was sealed to this agent; the result is then sealed to the requester
    :ivar inputs: bytes of every input of the scope by name, checked against their hashes
    :ivar attempt: number of this attempt, from 1
    :ivar data: the input named ``input`` as the type of a handler of ``Job[In]``; None for other handlers
    """

    def step(self, name: str, work: Callable[[], T], *, retry: RetryPolicy | None = None) -> T:
        """Calls a function once and records its result, a JSON value. After a crash, a restart or a failed attempt it
        returns the recorded result. A step that a crash interrupts runs again.

        :param name: unique within the handler
        :param retry: default: one call
        :raises AgentError: STEP_REPEATED, STEP_LIMIT, VALUE_NOT_JSON with the path of the fault; the reason of
            ``signal``
        """
        run, policy, failures = self._run, retry or RetryPolicy(), 0
        require_handler("step", work, takes=0)
        known = run.call(lambda: run.begin(name, "step"))
        if known is not None:
            return cast("T", known[0])
        while True:
            try:
                returned = work()
                break
            except Exception as error:
                failures += 1
                failure = error
                pause = run.call(lambda: run.failed(name, failure, policy, failures))  # noqa: B023
                if pause is None:
                    raise
            run.signal.wait(pause)
            run.signal.raise_if_aborted()
        return cast("T", run.call(lambda: run.finish(name, "step", returned)))

    if TYPE_CHECKING:

        @overload
        def hire(self, name: str, *, returns: type[Out], **terms: Unpack[Terms]) -> Hired[Out]: ...

        @overload
        def hire(self, name: str, **terms: Unpack[Terms]) -> Hired[None]: ...

    def hire(self, name: str, *, returns: Any = None, **terms: Any) -> Any:
        """Hires another agent once for this step, as ``agent.hire`` does. Later runs of the handler get the same order,
        whatever terms they give.

        :raises AgentError: as ``step`` and ``agent.hire``
        """
        self.signal.raise_if_aborted()
        return Hired(self._run.wait(self._run.hire(name, returns, terms)), self._run.wait)

    def act(self, name: str, action: str, payload: Mapping[str, Any]) -> JsonObject:
        """Executes an action once for this step, such as a payment: ``job.act("tip", "transfer", {…})``. Later runs of
        the handler get the same receipt, whatever payload they give.

        :raises AgentError: as ``step`` and ``agent.act``
        """
        self.signal.raise_if_aborted()
        return self._run.wait(self._run.act(name, action, payload))


class AsyncJob(_AnyJob[In]):
    """A job for a handler that is a coroutine function: a :class:`Job` whose methods are coroutines."""

    @overload
    async def step(self, name: str, work: Callable[[], Awaitable[T]], *, retry: RetryPolicy | None = None) -> T: ...

    @overload
    async def step(self, name: str, work: Callable[[], T], *, retry: RetryPolicy | None = None) -> T: ...

    async def step(self, name: str, work: Callable[[], Any], *, retry: RetryPolicy | None = None) -> Any:
        """Calls a function or coroutine function once and records its result, a JSON value. After a crash, a restart or
        a failed attempt it returns the recorded result. A step that a crash interrupts runs again.

        :param name: unique within the handler
        :param retry: default: one call
        :raises AgentError: STEP_REPEATED, STEP_LIMIT, VALUE_NOT_JSON with the path of the fault; the reason of
            ``signal``
        """
        run, policy, failures = self._run, retry or RetryPolicy(), 0
        require_handler("step", work, takes=0)
        known = run.begin(name, "step")
        if known is not None:
            return known[0]
        while True:
            try:
                returned = work()
                returned = await returned if isinstance(returned, Awaitable) else returned
                break
            except Exception as error:
                failures += 1
                pause = run.failed(name, error, policy, failures)
                if pause is None:
                    raise
            await asyncio.sleep(pause)
            run.signal.raise_if_aborted()
        return run.finish(name, "step", returned)

    if TYPE_CHECKING:

        @overload
        async def hire(self, name: str, *, returns: type[Out], **terms: Unpack[Terms]) -> AsyncHired[Out]: ...

        @overload
        async def hire(self, name: str, **terms: Unpack[Terms]) -> AsyncHired[None]: ...

    async def hire(self, name: str, *, returns: Any = None, **terms: Any) -> Any:
        """Hires another agent once for this step, as ``agent.hire`` does. Later runs of the handler get the same order,
        whatever terms they give.

        :raises AgentError: as ``step`` and ``agent.hire``
        """
        return await self._run.hire(name, returns, terms)

    async def act(self, name: str, action: str, payload: Mapping[str, Any]) -> JsonObject:
        """Executes an action once for this step, such as a payment: ``job.act("tip", "transfer", {…})``. Later runs of
        the handler get the same receipt, whatever payload they give.

        :raises AgentError: as ``step`` and ``agent.act``
        """
        return await self._run.act(name, action, payload)


def _deadline_of(order: Mapping[str, Any]) -> datetime | None:
    deadline = order.get("deadline")
    if not deadline:
        return None
    return datetime.strptime(deadline["time"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)


async def while_owned(parts: Parts, order: JsonObject, signal: JobSignal, work: Coroutine[Any, Any, T]) -> T:
    """Runs a handler until it ends, the deadline passes, the order is lost or the agent stops.

    :raises AgentError: the reason of the signal
    """
    order_id = order["orderId"]
    call = asyncio.ensure_future(work)
    watches = [asyncio.ensure_future(watch(parts, order)) for watch in (_until_due, _until_lost)]
    try:
        await asyncio.wait([call, *watches], return_when=asyncio.FIRST_COMPLETED)
        if call.cancelled():
            # The handler cancelled itself. Raised as it is, this would cancel the worker too.
            raise AgentError("HANDLER_FAILED", f"{order_id}: the handler was cancelled")
        if call.done():
            return call.result()
        reason = next(watch.result() for watch in watches if watch.done())
        signal._abort(reason)
        call.cancel()
        await asyncio.wait([call], timeout=CLEANUP)
        if call.done() and not call.cancelled():
            call.exception()
        raise reason
    except asyncio.CancelledError:
        signal._abort(parts.end or AgentError("AGENT_STOPPED", parts.agent_id))
        call.cancel()
        await asyncio.wait([call], timeout=CLEANUP)
        raise
    finally:
        signal._abort(AgentError("JOB_ENDED", order_id))
        await cancel(watches)


async def _until_due(parts: Parts, order: JsonObject) -> AgentError:
    due = _deadline_of(order)
    while True:
        wakes = parts.poller.wakes
        left = SLOW_POLL if due is None else (due - parts.time.now()).total_seconds()
        if left <= 0:
            return AgentError("JOB_DEADLINE", order["orderId"])
        await parts.poller.wait(left, wakes)


async def _until_lost(parts: Parts, order: JsonObject) -> AgentError:
    order_id, began = order["orderId"], parts.poller.wakes
    while True:
        await parts.poller.wait(SLOW_POLL, began)
        began = parts.poller.wakes
        try:
            now = await parts.client.order(order_id) or {}
        except Exception as error:
            parts.events.warn(error, order_id)
            continue
        is_held = now.get("status") == "ACCEPTED" and now.get("workerId") == parts.agent_id
        if is_held and _acceptance_of(now) == _acceptance_of(order):
            continue
        released = "RELEASED" if parts.agent_id in (now.get("releasedBy") or []) else None
        reason = now.get("reason") or released or now.get("status") or "UNKNOWN"
        return AgentError("JOB_LOST", f"{order_id}: {reason}", {"reason": reason})
