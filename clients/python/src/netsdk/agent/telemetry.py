"""Spans and metrics of an agent, by the tracer and meter of a program that uses OpenTelemetry."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..arguments import refuse
from ..errors import NetsdkError

if TYPE_CHECKING:
    from opentelemetry.metrics import Counter, Meter
    from opentelemetry.trace import Span, Tracer

Attributes = Mapping[str, str | int]

_COUNTERS: Final = {
    "jobs": ("{job}", "Jobs that have ended, by netsdk.outcome and netsdk.skill"),
    "earned": ("{uNET}", "Pay of jobs, in unet"),
    "spent": ("{uNET}", "Funding that hire and call have put into escrow, in unet, without fees"),
}
#: Names of SpanKind.
_KINDS: Final = {"job": "CONSUMER", "hire": "PRODUCER", "call": "CLIENT", "result": "INTERNAL"}
_SKILL: Final = "netsdk.skill"
#: Other skills are counted as one, because strangers choose them, and each is a series of its own.
_MOST_SKILLS: Final = 100
_METHODS: Final = {"tracer": ["start_as_current_span"], "meter": ["create_counter", "create_histogram"]}


@dataclass(frozen=True, kw_only=True)
class Telemetry:
    """Option ``telemetry`` of ``Agent.open``: a tracer, a meter or both, as ``opentelemetry-api`` gives them.

    :ivar tracer: gets the spans ``netsdk.job``, ``netsdk.hire``, ``netsdk.call`` and ``netsdk.result``
    :ivar meter: gets ``netsdk.jobs``, ``netsdk.earned``, ``netsdk.spent`` and ``netsdk.wait.duration``
    :raises AgentError: ARGUMENT_INVALID
    """

    tracer: Tracer | None = None
    meter: Meter | None = None

    def __post_init__(self) -> None:
        for name, methods in _METHODS.items():
            value = getattr(self, name)
            if value is not None and not all(callable(getattr(value, method, None)) for method in methods):
                refuse("ARGUMENT_INVALID", f"{name} is not a {name.title()} of opentelemetry-api", f"/{name}")


class Instruments:
    """The instruments of one agent."""

    def __init__(self, telemetry: Telemetry | None) -> None:
        if telemetry is not None and not isinstance(telemetry, Telemetry):
            detail = f"telemetry: {type(telemetry).__name__} is not a netsdk.Telemetry"
            refuse("ARGUMENT_INVALID", detail, "/telemetry")
        self._tracer, meter = (None, None) if telemetry is None else (telemetry.tracer, telemetry.meter)
        self._counters: dict[str, Counter] = {}
        self._skills: set[str | int] = set()
        self._waits = None
        if meter is not None:
            for name, (unit, description) in _COUNTERS.items():
                self._counters[name] = meter.create_counter(f"netsdk.{name}", unit, description)
            description = "Duration of waits for the result of an order, by netsdk.outcome"
            self._waits = meter.create_histogram("netsdk.wait.duration", "s", description)

    def count(self, name: str, value: int, attributes: Attributes) -> None:
        """Adds to a counter."""
        if name not in self._counters:
            return
        skill = attributes[_SKILL]
        if len(self._skills) < _MOST_SKILLS:
            self._skills.add(skill)
        self._counters[name].add(value, attributes if skill in self._skills else {**attributes, _SKILL: "other"})

    @contextmanager
    def span(self, name: str, attributes: Attributes) -> Iterator[Span | None]:
        """Runs a block within a span. If the block fails, the span gets the code of the error."""
        if self._tracer is None:
            yield None
            return
        # The package is present, because the program has passed one of its tracers.
        from opentelemetry.trace import SpanKind, StatusCode

        with self._tracer.start_as_current_span(
            f"netsdk.{name}",
            kind=SpanKind[_KINDS[name]],
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield span
            except (Exception, asyncio.CancelledError) as error:
                # A cancelled job has not failed: the next start continues it.
                if name != "job":
                    span.set_attribute("error.type", _type_of(error))
                    span.set_status(StatusCode.ERROR, str(error))
                raise

    @contextmanager
    def wait(self, attributes: Attributes) -> Iterator[None]:
        """Runs a wait for a result within a span, and measures it."""
        began, outcome = time.monotonic(), "result"
        try:
            with self.span("result", attributes):
                yield
        except (Exception, asyncio.CancelledError) as error:
            outcome = _type_of(error)
            raise
        finally:
            if self._waits is not None:
                self._waits.record(time.monotonic() - began, {"netsdk.outcome": outcome})


def describe_job(span: Span, facts: Mapping[str, Any]) -> None:
    """Adds the skill and the outcome of a job to its span."""
    from opentelemetry.trace import StatusCode

    if facts.get("order") is not None:
        span.set_attribute("netsdk.skill", facts["order"]["jobType"])
    span.set_attribute("netsdk.outcome", facts["outcome"])
    if facts["outcome"] == "failed":
        span.set_status(StatusCode.ERROR, str(facts.get("error", "")))


def _type_of(error: BaseException) -> str:
    return error.code if isinstance(error, NetsdkError) else type(error).__name__
