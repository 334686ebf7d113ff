"""A service between two agents, typed from the buyer's input to the result."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from netsdk import Agent, AgentError, Job, define_service
from netsdk.agent import hired
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
        buyer.hire(**terms, id="tw-wrong", returns=Loose, input={"text": "why"})
        assert seen.wait(HANGS)
        assert [(each["code"], "/words: it is missing" in each["reason"]) for each in skipped] == [
            ("INPUT_INVALID", True)
        ]
    buyer.stop()


def test_a_requester_learns_that_no_worker_takes_its_order(
    world: World, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hired, "PATIENCE", 0.5)
    buyer = Agent.open("twlone", **options)
    warned: list[Any] = []
    buyer.on("warning")(warned.append)
    buyer.act("faucet", {"amount": 90 * NET}, id="money")
    with pytest.raises(AgentError, match="no agent has accepted tw-lone yet") as late:
        buyer.call(
            define_service(name="tw-none", input=Question, output=Loose, price="5 NET"),
            Question("why", 3),
            id="tw-lone",
            timeout=4,
        )
    assert late.value.code == "CALL_TIMEOUT"
    [untaken] = [each for each in warned if each["code"] == "ORDER_UNTAKEN"]
    assert "tw-none, 5000000 unet" in untaken["message"]
    buyer.stop()


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
    assert 'the price of "tw-echo" is 5000000' in reasons["tw-cheap"]
    assert 'its type is "tw-other", which this agent does not serve' in reasons["tw-other"]
    buyer.stop()
