"""Conditions that the verifiers of a network can judge. Keep in step with ``packages/formats/src/judgeable.ts``.

Workers and requesters check before work begins, so that no order ends as UNJUDGEABLE.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

MAX_REPLAYED_BLOCKS = 500


class JudgingMeans(NamedTuple):
    """What the verifiers of a network can do."""

    #: The newest height. Verifiers cannot replay later blocks.
    height: int
    #: True if the verifiers can answer questions. Verifiers that are only programs cannot.
    answers_questions: bool


class UnjudgeableCondition(NamedTuple):
    """A condition that cannot be judged: its JSON Pointer into the scope, its kind, and the reason."""

    path: str
    kind: str
    reason: str


def why_unjudgeable(condition: Mapping[str, Any], means: JudgingMeans) -> str | None:
    """Returns the reason why verifiers with these means cannot judge a condition, or None."""
    if condition["kind"] == "review":
        return None if means.answers_questions else "the verifiers are programs and answer no question"
    if condition["kind"] == "chain-replay":
        first, last = int(condition["from"]), int(condition["to"])
        if last - first >= MAX_REPLAYED_BLOCKS:
            return f"it spans {last - first + 1} blocks, verifiers replay at most {MAX_REPLAYED_BLOCKS}"
        if last > means.height:
            return f"block {last} does not exist yet, the newest is {means.height}"
    return None


def unjudgeable_conditions(scope: Mapping[str, Any], means: JudgingMeans) -> list[UnjudgeableCondition]:
    """Returns the conditions of a valid scope that verifiers with these means cannot judge."""
    reasons = ((index, one, why_unjudgeable(one, means)) for index, one in enumerate(scope["acceptance"]))
    return [
        UnjudgeableCondition(f"/acceptance/{index}", one["kind"], reason)
        for index, one, reason in reasons
        if reason is not None
    ]
