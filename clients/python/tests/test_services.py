"""A service between two agents, typed from the buyer's input to the result."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from netsdk import Agent, AgentError, Job, RetryPolicy, Service, define_service
from netsdk.agent import hired
from netsdk.agent.errors import code_of
from netsdk.agent.hired import AsyncHired
from netsdk.agent.poller import Poller
from netsdk.agent.typed import codec_of
from netsdk.services import crew_service, fastapi_service, function_service, graph_service
from tests.node import HANGS
from tests.world import NET, World


@dataclass
class Question:
    text: str
    words: int


class Answer(BaseModel):
    text: str
    words: int

    @field_validator("text")
    @classmethod
    def is_no_shout(cls, text: str) -> str:
        """A refinement that no JSON Schema has."""
        if text.isupper():
            raise ValueError("do not shout")
        return text


@dataclass
class Loose:
    text: str
    words: int


def echo(job: Job[Question]) -> Loose:
    return Loose(job.data.text, job.data.words)


echoes = define_service(name="tw-echo", input=Question, output=Loose, price="5 NET", handler=echo)
answers = define_service(name="tw-echo", input=Question, output=Answer, price="5 NET")


@contextmanager
def running(agent: Agent) -> Iterator[Agent]:
    thread = threading.Thread(target=agent.run)
    thread.start()
    try:
        yield agent
    finally:
        agent.stop()
        thread.join(HANGS)


@pytest.fixture
def options(world: World, tmp_path: Path) -> dict[str, Any]:
    return {"url": world.url, "keys": tmp_path / "keys", "blobs": world.origins, "memory": False, "log": None}


def test_a_service_is_called_and_its_result_has_a_type(world: World, options: dict[str, Any]) -> None:
    worker, buyer = Agent.open("twwork", **options), Agent.open("twbuy", **options)
    skipped: list[Any] = []
    seen = threading.Event()

    @worker.on("skipped")
    def hear(event: Any) -> None:
        if event["order_id"] == "tw-wrong":
            skipped.append(event)
            seen.set()

    worker.serve(echoes)
    buyer.act("faucet", {"amount": 90 * NET}, id="money")
    with running(worker):
        called = buyer.call(echoes, Question("why", 3), timeout=HANGS)
        assert called == Loose("why", 3)
        typed = buyer.call(answers, Question("how", 2), id="tw-typed", timeout=HANGS)
        assert typed == Answer(text="how", words=2)
        # A worker without a filter leaves it to those that serve it.
        assert world.order_at("tw-typed")["requirements"] == ["tw-echo"]
        assert buyer.hired("tw-typed", returns=Answer).result().value == typed
        mistyped: Any = Question("why", "three")  # type: ignore[arg-type]
        with pytest.raises(AgentError, match="words") as refused:
            buyer.call(echoes, mistyped, id="tw-mistyped")
        assert refused.value.code == "INPUT_INVALID"
        with pytest.raises(AgentError, match="do not shout") as unparsed:
            buyer.call(answers, Question("HO", 1), timeout=HANGS)
        assert unparsed.value.code == "RESULT_UNPARSED"
        terms: Any = {"title": "tw-echo", "instructions": "", "funding": "5 NET", "job_type": "tw-echo"}
        warned = threading.Event()
        buyer.on("warning")(lambda event: warned.set() if event["code"] == "RESULT_UNPARSED" else None)
        # Nobody waits for this result.
        buyer.hire(**terms, returns=Answer, input=Question("HO", 1))
        assert warned.wait(HANGS)
        wrong = buyer.hire(**terms, id="tw-wrong", returns=Loose, input={"text": "why"})
        try:
            assert seen.wait(HANGS)
            assert [(each["code"], "/words: it is missing" in each["reason"]) for each in skipped] == [
                ("INPUT_INVALID", True)
            ]
        finally:
            # It requires nothing, so the workers of other tests would take it.
            wrong.cancel()
    buyer.stop()


def test_a_requester_learns_that_no_worker_takes_its_order(
    world: World, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hired, "PATIENCE", 0.5)
    buyer = Agent.open("twlone", **options)
    warned: list[Any] = []
    buyer.on("warning")(warned.append)
    buyer.act("faucet", {"amount": 90 * NET}, id="money")
    try:
        with pytest.raises(AgentError, match="no agent has accepted tw-lone yet") as late:
            buyer.call(
                define_service(name="tw-none", input=Question, output=Loose, price="5 NET"),
                Question("why", 3),
                id="tw-lone",
                timeout=10,
            )
        assert late.value.code == "CALL_TIMEOUT"
        [untaken] = [each for each in warned if each["code"] == "ORDER_UNTAKEN"]
        assert "tw-none, 5 NET; no agent has accepted tw-lone yet" in untaken["message"]
        stranger = Agent.open("twother", **options)
        for order_id, code, words in (
            ("tw-lone", "ACT_ID_USED", "order of twlone"),
            ("a b", "ARGUMENT_INVALID", "id: 'a b'"),
        ):
            with pytest.raises(AgentError, match=words) as refused:
                stranger.call(echoes, Question("why", 3), id=order_id)
            assert refused.value.code == code
        stranger.stop()
    finally:
        # It requires nothing, so the workers of other tests would take it.
        buyer.hired("tw-lone").cancel()
    buyer.stop()


def test_the_error_of_a_timeout_names_the_worker_that_gave_the_order_back() -> None:
    order: Any = object.__new__(AsyncHired)
    for returned, words in (
        ([], "no agent has accepted o-1 yet"),
        (["ada", "bo"], "bo has given o-1 back, and no other"),
    ):
        vars(order).update(order_id="o-1", _latest={"status": "OPEN", "releasedBy": returned})
        assert words in order._untaken()
    for latest in (None, {"status": "ACCEPTED", "releasedBy": ["ada"]}):
        vars(order).update(_latest=latest)
        assert order._untaken() == ""


def test_a_worker_names_the_service_and_the_reason_of_a_skip(world: World, options: dict[str, Any]) -> None:
    worker, buyer = Agent.open("twskip", **options), Agent.open("twcheap", **options)
    reasons: dict[str, str] = {}
    both = threading.Event()

    @worker.on("skipped")
    def hear(event: Any) -> None:
        reasons[event["order_id"]] = event["reason"]
        if {"tw-cheap", "tw-other"} <= reasons.keys():
            both.set()

    worker.serve(echoes)
    buyer.act("faucet", {"amount": 90 * NET}, id="money")
    terms: Any = {"title": "t", "instructions": "", "worker": "twskip", "returns": Loose, "input": Question("why", 3)}
    with running(worker):
        buyer.hire(**terms, id="tw-cheap", job_type="tw-echo", funding="4 NET")
        buyer.hire(**terms, id="tw-other", job_type="tw-other", funding="5 NET")
        assert both.wait(HANGS)
    assert 'the price of "tw-echo" is 5 NET' in reasons["tw-cheap"]
    assert 'its type is "tw-other", which this agent does not serve' in reasons["tw-other"]
    buyer.stop()


def test_a_service_is_called_as_often_as_its_own_retry_policy_says(world: World, options: dict[str, Any]) -> None:
    attempts: list[tuple[str, int]] = []

    def service(name: str, retry: RetryPolicy) -> Service[Any, Any]:
        def fail(job: Job[Question]) -> Loose:
            attempts.append((name, job.attempt))
            raise RuntimeError("never")

        return define_service(name=name, input=Question, output=Loose, price="1 NET", handler=fail, retry=retry)

    worker, buyer = Agent.open("twstubborn", **options), Agent.open("twhopes", **options)
    lost: list[str] = []
    both = threading.Event()

    @worker.on("rejected")
    def hear(event: Any) -> None:
        lost.append(event["order_id"])
        if len(lost) == 2:
            both.set()

    worker.serve(service("once", RetryPolicy(attempts=1)), service("often", RetryPolicy(attempts=4, backoff=0.001)))
    buyer.act("faucet", {"amount": 90 * NET}, id="money")
    terms: Any = {"title": "t", "instructions": "", "worker": "twstubborn", "returns": Loose, "funding": "10 NET"}
    with running(worker):
        for job_type in ("once", "often"):
            buyer.hire(**terms, input=Question("why", 3), job_type=job_type)
        assert both.wait(HANGS)
    assert sorted(attempts) == [("often", 1), ("often", 2), ("often", 3), ("often", 4), ("once", 1)]
    buyer.stop()


def test_the_wrappers_of_frameworks_take_a_retry_policy() -> None:
    policy = RetryPolicy(attempts=5)

    def count(question: Question) -> Loose:
        return Loose(question.text, question.words)

    class Works:
        def copy(self) -> Works:
            return self

        async def ainvoke(self, state: Any) -> Any:
            return state

        kickoff_async = ainvoke

    types: Any = {"name": "n", "input": Question, "output": Loose, "price": "1 NET", "retry": policy}
    made: list[Service[Any, Any]] = [
        function_service(price="1 NET", retry=policy)(count),
        fastapi_service(Works().ainvoke, "POST /count", price="1 NET", retry=policy)(count),
        graph_service(Works(), **types),
        crew_service(Works(), **types),
    ]
    assert [each.retry for each in made] == 4 * [policy]


class _Reading:
    """The parts of an agent that the check of a result uses, for an order and bytes that the test gives."""

    agent_id = "rosa"
    end = None

    def __init__(self, order: dict[str, Any], found: list[Any]) -> None:
        self.poller = Poller()
        self.warned: list[str] = []
        self.reads = self.asked = 0
        self.order, self.found = order, found
        self.client = self.peers = self.events = self.time = self
        self.elapsed = lambda: 0.0

    def watch(self) -> None:
        """Follows nothing."""

    def warn(self, error: Exception, about: str = "") -> None:
        self.warned.append(code_of(error))

    async def blob_of(self, blob_hash: str, owner: str) -> bytes:
        self.asked += 1
        found = self.found[min(self.asked, len(self.found)) - 1]
        if isinstance(found, Exception):
            raise found
        return bytes(found)


async def _checked(
    monkeypatch: pytest.MonkeyPatch, found: list[Any], status: str = "VERIFYING", phase: str = "VERIFIED"
) -> tuple[_Reading, asyncio.Task[None]]:
    monkeypatch.setattr(hired, "pause_after", lambda tries: 0.001)
    order = {"orderId": "o-1", "status": status, "phase": phase, "workerId": "walt"}
    reading = _Reading(order | {"result": {"deliverableHash": "c" * 64}, "jobType": "t", "funding": 1}, found)

    async def read(parts: Any, order_id: str) -> Any:
        reading.reads += 1
        return reading.order

    monkeypatch.setattr(hired, "require_order", read)
    monkeypatch.setattr(hired, "observed", lambda parts, order: {**order, "disputed": False, "due": 0})
    parts: Any = reading
    following: AsyncHired[Any] = AsyncHired(parts, "o-1", {"title": "t"}, since=5, returns=codec_of(Loose, "returns"))
    monkeypatch.setattr(following, "order", lambda: read(parts, "o-1"))
    return reading, asyncio.create_task(following._check_type())


@pytest.mark.anyio
async def test_a_result_that_no_store_gives_is_fetched_a_few_times_and_then_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hired, "CHECK_PAUSE", 0.001)
    reading, check = await _checked(monkeypatch, [AgentError("BLOB_UNAVAILABLE", "c")])
    await check
    assert (reading.asked, reading.warned) == (hired.READ_TRIES, ["RESULT_UNREAD"])
    late, check = await _checked(monkeypatch, [AgentError("BLOB_NOT_FOUND", "c"), b"no json"])
    await check
    assert (late.asked, late.warned) == (2, ["RESULT_UNPARSED"])


@pytest.mark.anyio
async def test_events_of_other_orders_do_not_make_the_check_read_its_order_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, check = await _checked(monkeypatch, [b""], status="ACCEPTED", phase="WORK")
    for _ in range(40):
        reading.poller.wake()
        await asyncio.sleep(0.01)
    check.cancel()
    await asyncio.gather(check, return_exceptions=True)
    assert reading.reads <= 4
