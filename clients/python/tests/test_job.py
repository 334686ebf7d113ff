"""Steps of a job, and the signal of its handler."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from netsdk import AgentError, AsyncJob, Job, NetError, RetryPolicy
from netsdk.agent.emitter import Emitter
from netsdk.agent.handler_call import call
from netsdk.agent.home import FileState, Records
from netsdk.agent.job import JobRun, JobSignal, forget_steps, while_owned
from netsdk.agent.parts import Parts
from netsdk.agent.poller import Poller

pytestmark = pytest.mark.anyio

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
ACCEPTED: dict[str, Any] = {
    "orderId": "o",
    "status": "ACCEPTED",
    "workerId": "ada",
    "acceptedAt": {"height": 7, "index": 0},
    "deadline": {"height": 9, "time": "1970-01-01T00:00:10.000Z"},
    "releasedBy": [],
    "reason": None,
}


class Stage:
    """The parts of an agent that a job uses, with a chain of one order."""

    def __init__(self, keys: Path) -> None:
        self.poller = Poller()
        self.state = FileState(keys, "net-x", "ada")
        self.order: dict[str, Any] | None = ACCEPTED
        self.time = EPOCH
        self.outcomes: list[tuple[str, str, str | None]] = []
        events = Emitter(None)
        events.tap = lambda name, facts: self.outcomes.append((facts["step"], facts["outcome"], facts["reason"]))

        async def order(_: str) -> dict[str, Any] | None:
            return self.order

        parts = SimpleNamespace(
            agent_id="ada",
            id_secret="ab" * 32,
            poller=self.poller,
            state=self.state,
            events=events,
            time=SimpleNamespace(now=lambda: self.time),
            outbox=SimpleNamespace(forget=lambda _: None),
            reach=lambda *_: None,
            client=SimpleNamespace(order=order),
            end=None,
        )
        self.parts = cast(Parts, parts)

    def job(self, order: dict[str, Any] = ACCEPTED) -> AsyncJob[Any]:
        return AsyncJob("o", order, {}, False, 1, {}, None, JobRun(self.parts, order))

    def change(self, order: dict[str, Any] | None, seconds: float = 0) -> None:
        self.order, self.time = order, EPOCH + timedelta(seconds=seconds)
        self.poller.wake()


@pytest.fixture
def stage(tmp_path: Path) -> Any:
    staged = Stage(tmp_path / "keys")
    yield staged
    staged.state.close()


async def code_of(work: Awaitable[Any]) -> str:
    with pytest.raises(AgentError) as refusal:
        await work
    return refusal.value.code


async def test_a_step_is_computed_once_and_returns_its_result_in_later_runs(stage: Stage) -> None:
    calls = []
    value = {"sum": 3, "list": [1, None, "two"]}

    async def add() -> dict[str, Any]:
        calls.append(1)
        return value

    assert await stage.job().step("add", add) == value
    assert await stage.job().step("add", add) == value
    assert len(calls) == 1


async def test_a_step_runs_again_if_it_failed(stage: Stage) -> None:
    def fail() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await stage.job().step("try", fail)
    assert await stage.job().step("try", lambda: "yes") == "yes"
    assert await stage.job().step("try", fail) == "yes"
    assert stage.outcomes == [("try", "failed", "no"), ("try", "recorded", None), ("try", "known", None)]


async def test_a_step_is_called_as_often_as_its_policy_says(stage: Stage) -> None:
    calls: list[str] = []

    def fails(code: str) -> Callable[[], str]:
        def fail() -> str:
            calls.append(code)
            raise AgentError(code)

        return fail

    job, policy = stage.job(), RetryPolicy(attempts=3, backoff=0.001)
    assert await code_of(job.step("thrice", fails("UNEXPECTED"), retry=policy)) == "UNEXPECTED"
    assert await code_of(job.step("once", fails("NOT_RETRYABLE"), retry=policy)) == "NOT_RETRYABLE"
    assert calls == ["UNEXPECTED"] * 3 + ["NOT_RETRYABLE"]


async def test_steps_are_refused_by_name_value_and_number(stage: Stage) -> None:
    job = stage.job()
    await job.step("same", lambda: 1)
    assert await code_of(job.step("same", lambda: 2)) == "STEP_REPEATED"
    with pytest.raises(AgentError, match="step dated") as refusal:
        await job.step("dated", lambda: {"rows": [EPOCH]})
    assert (refusal.value.code, refusal.value.data) == ("VALUE_NOT_JSON", {"path": "/rows/0"})
    assert await code_of(job.step("large", lambda: "x" * 1_048_576)) == "STEP_LIMIT"
    assert await code_of(job.step("n" * 101, lambda: 1)) == "STEP_LIMIT"
    for number in range(199):
        await job.step(str(number), lambda: 1)
    assert await code_of(job.step("more", lambda: pytest.fail("was called"))) == "STEP_LIMIT"


async def test_steps_count_for_one_acceptance_and_are_removed_with_their_order(stage: Stage) -> None:
    await stage.job().step("add", lambda: 1)
    later = stage.job(ACCEPTED | {"acceptedAt": {"height": 8, "index": 0}})
    assert await later.step("add", lambda: 2) == 2
    forget_steps(stage.parts, "o")
    assert [name for name in stage.state.names() if name.startswith("steps")] == []


async def test_a_key_follows_from_a_secret_order_acceptance_and_name(stage: Stage) -> None:
    # packages/sdk/src/agent/job-steps.test.ts expects the same.
    assert stage.job().key("pay") == "job-3d5f80f25f4077b90b01ca4459fbe0ae4221a61a"


async def test_steps_from_before_keys_had_a_secret_keep_their_keys(stage: Stage) -> None:
    records = Records(stage.state, "steps")
    records.put("o", {"orderId": "o", "acceptance": "7.0", "steps": [{"name": "pay", "kind": "own", "result": [1]}]})
    # packages/sdk/src/agent/job-steps.test.ts expects the same.
    key = "job-3f2700bcd038ca99daf23444e1f804e2"
    job = stage.job()
    assert job.key("pay") == key
    await job.step("think", lambda: 1)
    assert stage.job().key("pay") == key
    forgotten: list[str] = []
    stage.parts.outbox = cast(Any, SimpleNamespace(forget=forgotten.append))
    forget_steps(stage.parts, "o")
    assert forgotten == [f"own/{key}"]


async def test_a_plain_handler_has_the_same_steps_on_its_own_thread(stage: Stage) -> None:
    threads: list[int] = []

    def work(job: Job[Any]) -> list[str]:
        threads.append(threading.get_ident())

        def fail() -> str:
            raise ValueError("no")

        def where() -> str:
            threads.append(threading.get_ident())
            return "here"

        with pytest.raises(ValueError, match="no"):
            job.step("try", fail, retry=RetryPolicy(attempts=2, backoff=0.001))
        with pytest.raises(AgentError, match="two steps"):
            job.step("try", where)
        return [job.step("where", where)]

    def plain() -> Job[Any]:
        return Job("o", ACCEPTED, {}, False, 1, {}, None, JobRun(stage.parts, ACCEPTED))

    assert await call(work, plain()) == ["here"]
    assert await call(work, plain()) == ["here"]
    assert threads[0] == threads[1]
    assert len(threads) == 3


async def end_of(stage: Stage, change: Callable[[], None]) -> tuple[str | None, str]:
    """Returns the code of the signal's reason, and of the error that ends a handler that never does."""
    signal = JobSignal()

    async def never() -> None:
        change()
        await asyncio.Event().wait()

    code = await code_of(while_owned(stage.parts, ACCEPTED, signal, never()))
    return signal.reason.code if signal.reason else None, code


async def test_the_signal_fires_at_the_deadline_and_when_the_order_goes_to_others(stage: Stage) -> None:
    assert await end_of(stage, lambda: stage.change(ACCEPTED, 10)) == ("JOB_DEADLINE", "JOB_DEADLINE")
    lost = ACCEPTED | {"status": "OPEN", "workerId": None, "releasedBy": ["ada"]}
    assert await end_of(stage, lambda: stage.change(lost)) == ("JOB_LOST", "JOB_LOST")


async def test_the_signal_fires_when_the_agent_stops(stage: Stage) -> None:
    signal = JobSignal()

    def wait() -> None:
        assert signal.wait(10)

    running = asyncio.ensure_future(while_owned(stage.parts, ACCEPTED, signal, call(wait)))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert signal.reason is not None
    assert signal.reason.code == "AGENT_STOPPED"


async def test_a_step_is_not_called_again_once_the_order_is_lost(stage: Stage) -> None:
    calls = []

    def handler(job: Job[Any]) -> None:
        def fail() -> None:
            calls.append(1)
            raise ValueError("no")

        job.step("charge", fail, retry=RetryPolicy(attempts=3, backoff=0.2))

    run = JobRun(stage.parts, ACCEPTED)
    job = Job("o", ACCEPTED, {}, False, 1, {}, None, run)
    running = asyncio.ensure_future(call(handler, job))
    while not calls:
        await asyncio.sleep(0.01)
    run.signal._abort(AgentError("JOB_LOST", "o"))
    assert await code_of(running) == "JOB_LOST"
    assert calls == [1]


async def test_an_order_that_cannot_be_read_is_not_lost(stage: Stage) -> None:
    async def fail(_: str) -> None:
        raise NetError(500, None)

    stage.parts.client.order = fail  # type: ignore[method-assign, assignment]

    warnings: list[str] = []

    async def work() -> str:
        while not warnings:
            stage.poller.wake()
            await asyncio.sleep(0)
        return "done"

    stage.parts.events.tap = lambda name, facts: warnings.append(name)
    assert await while_owned(stage.parts, ACCEPTED, JobSignal(), work()) == "done"
    assert "warning" in warnings


async def test_a_handler_that_cancels_itself_fails_and_does_not_end_its_worker(stage: Stage) -> None:
    async def work() -> None:
        raise asyncio.CancelledError

    assert await code_of(while_owned(stage.parts, ACCEPTED, JobSignal(), work())) == "HANDLER_FAILED"


async def test_a_step_is_refused_once_the_handler_has_ended(stage: Stage) -> None:
    job = stage.job()

    async def work() -> bool:
        stage.change(dict(ACCEPTED), 9)
        await asyncio.sleep(0)
        return job.signal.aborted

    assert await while_owned(stage.parts, ACCEPTED, job.signal, work()) is False
    assert await code_of(job.step("late", lambda: pytest.fail("was called"))) == "JOB_ENDED"


async def test_pauses_double_up_to_half_a_minute_or_to_the_given_pause() -> None:
    assert [RetryPolicy().pause(failures) for failures in (1, 2, 9)] == [1.0, 2.0, 30.0]
    assert RetryPolicy(backoff=60).pause(3) == 60.0
