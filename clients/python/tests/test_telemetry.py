"""Spans and metrics of agents, as the SDK of OpenTelemetry exports them."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.metrics import Meter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

import netsdk
from netsdk import Agent, AgentError, AsyncJob, Job, NetError, RetryPolicy, Telemetry, define_service
from netsdk.agent import Hired, WorkOffer
from netsdk.agent.telemetry import Instruments
from tests.at_work import at_work
from tests.node import HANGS
from tests.world import NET, POLICY, World

TERMS: dict[str, Any] = {
    "title": "t",
    "instructions": "i",
    "funding": "5 NET",
    "acceptance": [{"kind": "json-schema", "schema": {"type": "string"}}],
    "validation_policy": POLICY,
}


class Exported:
    """A tracer and a meter, and what they have exported."""

    def __init__(self) -> None:
        self._spans, self._metrics = InMemorySpanExporter(), InMemoryMetricReader()
        traces = TracerProvider()
        traces.add_span_processor(SimpleSpanProcessor(self._spans))
        self.tracer = traces.get_tracer("test")
        meter: Meter = MeterProvider([self._metrics]).get_meter("test")
        self.telemetry = Telemetry(tracer=self.tracer, meter=meter)

    def span(self, name: str, order_id: str | None = None) -> ReadableSpan:
        """Returns the only finished span of a name, and of an order. It may end after the event that tells so."""
        deadline = time.monotonic() + HANGS
        while not (found := self._finished(name, order_id)) and time.monotonic() < deadline:
            time.sleep(0.05)
        (only,) = found
        return only

    def _finished(self, name: str, order_id: str | None) -> list[ReadableSpan]:
        named = [span for span in self._spans.get_finished_spans() if span.name == name]
        return [span for span in named if order_id in (None, (span.attributes or {}).get("netsdk.order.id"))]

    def measured(self, name: str) -> list[tuple[dict[str, Any], int]]:
        """Returns the points of a metric with their attributes; a histogram counts."""
        data = self._metrics.get_metrics_data()
        scopes = [scope for resource in data.resource_metrics for scope in resource.scope_metrics] if data else []
        points = [
            point for scope in scopes for each in scope.metrics if each.name == name for point in each.data.data_points
        ]
        return [
            (dict(each.attributes or {}), getattr(each, "value", 0) or getattr(each, "count", 0)) for each in points
        ]


def test_counts_the_skills_of_strangers_as_one(exported: Exported) -> None:
    instruments = Instruments(exported.telemetry)
    for number in [*range(150), 3]:
        instruments.count("jobs", 1, {"netsdk.outcome": "skipped", "netsdk.skill": f"skill-{number}"})
    counted = {labels["netsdk.skill"]: value for labels, value in exported.measured("netsdk.jobs")}
    assert len(counted) == 101
    assert (counted["skill-3"], counted["other"]) == (2, 50)


@pytest.fixture
def exported() -> Exported:
    return Exported()


@pytest.fixture
def options(world: World, exported: Exported, tmp_path: Path) -> dict[str, Any]:
    keys = str(tmp_path / "keys")
    places = {"url": world.url, "keys": keys, "blobs": world.origins}
    return {**places, "memory": False, "log": None, "telemetry": exported.telemetry}


def only(order_id: str) -> Callable[[WorkOffer], bool]:
    """Accepts one order, because other tests leave some open."""
    return lambda offer: bool(offer.order["orderId"] == order_id)


def is_child(child: ReadableSpan, parent: ReadableSpan) -> bool:
    above = parent.get_span_context()
    return None not in (above, child.parent) and child.parent == above


@pytest.mark.scenario
def test_a_job_its_order_and_the_wait_for_it_are_spans_and_its_money_is_counted(
    world: World, exported: Exported, options: dict[str, Any]
) -> None:
    paid = threading.Event()
    with Agent.open("ttess", **options) as requester, Agent.open("ttim", **options) as worker:
        requester.act("faucet", {"amount": 20 * NET})
        worker.on("paid")(lambda event: paid.set())

        @worker.on_work(min_funding="5 NET", accept=only("traced-1"))
        def work(job: Job) -> str:
            with exported.tracer.start_as_current_span("inner"):
                return '"done"'

        with at_work(worker):
            with exported.tracer.start_as_current_span("outer"):
                hired = requester.hire(**TERMS, job_type="research", id="traced-1", worker="ttim")
            hired.result(timeout=HANGS)
            hired.accept()
            assert paid.wait(HANGS)
    hire = exported.span("netsdk.hire", "traced-1")
    assert dict(hire.attributes or {}) == {"netsdk.order.id": "traced-1", "netsdk.skill": "research"}
    assert hire.kind == SpanKind.PRODUCER
    # The agent works on a thread of its own.
    assert is_child(hire, exported.span("outer"))
    job = exported.span("netsdk.job", "traced-1")
    attributes = dict(job.attributes or {})
    assert attributes == {"netsdk.order.id": "traced-1", "netsdk.skill": "research", "netsdk.outcome": "paid"}
    assert (job.kind, job.status.status_code) == (SpanKind.CONSUMER, StatusCode.UNSET)
    assert is_child(exported.span("inner"), job)
    assert exported.span("netsdk.result", "traced-1").kind == SpanKind.INTERNAL
    skill = {"netsdk.skill": "research"}
    assert exported.measured("netsdk.jobs") == [({"netsdk.outcome": "paid", **skill}, 1)]
    assert exported.measured("netsdk.earned") == [(skill, 5 * NET)]
    assert exported.measured("netsdk.spent") == [(skill, 5 * NET)]
    assert exported.measured("netsdk.wait.duration") == [({"netsdk.outcome": "result"}, 1)]


@dataclass
class Text:
    text: str


def test_the_span_of_a_call_is_the_parent_of_the_spans_of_its_order_and_result(
    world: World, exported: Exported, options: dict[str, Any]
) -> None:
    async def handler(job: AsyncJob[Text]) -> Text:
        with exported.tracer.start_as_current_span("inner"):
            await asyncio.sleep(0)
        return job.data

    echo = define_service(name="tt-echo", input=Text, output=Text, price="5 NET", handler=handler)
    with Agent.open("ttcall", **options) as buyer, Agent.open("ttecho", **options) as worker:
        buyer.act("faucet", {"amount": 20 * NET})
        worker.serve(echo)
        with at_work(worker):
            assert buyer.call(echo, Text("hi"), id="traced-3", worker="ttecho", timeout=HANGS) == Text("hi")
        call = exported.span("netsdk.call", "traced-3")
        assert dict(call.attributes or {}) == {"netsdk.order.id": "traced-3", "netsdk.skill": "tt-echo"}
        assert call.kind == SpanKind.CLIENT
        for name in ("netsdk.hire", "netsdk.result"):
            assert is_child(exported.span(name, "traced-3"), call), name
        # The stop of the worker has interrupted the job before its dispute window ended.
        job = exported.span("netsdk.job", "traced-3")
        assert (job.attributes or {})["netsdk.outcome"] == "interrupted"
        assert job.status.status_code == StatusCode.UNSET
        assert is_child(exported.span("inner"), job)
        with pytest.raises(AgentError, match="CALL_TIMEOUT"):
            buyer.call(echo, Text("late"), id="traced-4", timeout=0.001)
        # The timeout of the call cancels the task that hires.
        for name, late in (("netsdk.call", "CALL_TIMEOUT"), ("netsdk.hire", "CancelledError")):
            assert (exported.span(name, "traced-4").attributes or {})["error.type"] == late


def test_a_job_that_fails_a_wait_that_ends_late_and_a_refused_order_say_so(
    world: World, exported: Exported, options: dict[str, Any]
) -> None:
    rejected = threading.Event()
    with Agent.open("ttova", **options) as requester, Agent.open("ttobi", **options) as worker:
        with pytest.raises(NetError, match="INSUFFICIENT_BALANCE"):
            requester.hire(**TERMS, id="traced-2")
        refused = exported.span("netsdk.hire", "traced-2")
        assert (refused.attributes or {})["error.type"] == "INSUFFICIENT_BALANCE"
        assert refused.status.status_code == StatusCode.ERROR
        assert exported.measured("netsdk.spent") == []
        requester.act("faucet", {"amount": 20 * NET})
        worker.on("rejected")(lambda event: rejected.set())

        @worker.on_work(min_funding="5 NET", accept=only("traced-2"), retry=RetryPolicy(attempts=1))
        def work(job: Job) -> str:
            raise ConnectionError("broken")

        with at_work(worker):
            hired: Hired[None] = requester.hire(**TERMS, id="traced-2", worker="ttobi")
            assert rejected.wait(HANGS)
            with pytest.raises(AgentError, match="RESULT_TIMEOUT"):
                hired.result(timeout=0.001)
    job = exported.span("netsdk.job", "traced-2")
    assert (job.attributes or {})["netsdk.outcome"] == "failed"
    assert (job.status.status_code, job.status.description) == (StatusCode.ERROR, "broken")
    assert exported.measured("netsdk.wait.duration") == [({"netsdk.outcome": "RESULT_TIMEOUT"}, 1)]
    failed = {"netsdk.outcome": "failed", "netsdk.skill": "general"}
    assert exported.measured("netsdk.jobs") == [(failed, 1)]


def test_a_wrong_tracer_is_refused_before_the_agent_is_opened(tmp_path: Path, exported: Exported) -> None:
    wrong: Any = exported.telemetry.meter
    for given in ({"tracer": wrong}, {"meter": exported.tracer}):
        with pytest.raises(AgentError, match="ARGUMENT_INVALID"):
            Telemetry(**given)
    mapping: Any = {"tracer": exported.tracer}
    with pytest.raises(AgentError, match="ARGUMENT_INVALID"):
        Agent.open("none", telemetry=mapping, keys=tmp_path / "keys", url="http://127.0.0.1:9")
    assert not (tmp_path / "keys").exists()


def test_an_agent_without_telemetry_needs_no_package_of_opentelemetry() -> None:
    program = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "from netsdk import Agent, Telemetry\n"
        "from netsdk.agent.telemetry import Instruments\n"
        "with Instruments(None).span('job', {}) as span: print(Telemetry(), span)"
    )
    env = os.environ | {"PYTHONPATH": str(Path(netsdk.__file__).parents[1])}
    asked = [sys.executable, "-c", program]
    told = subprocess.run(asked, env=env, capture_output=True, text=True, check=True, timeout=HANGS)
    assert told.stdout == "Telemetry(tracer=None, meter=None) None\n"
