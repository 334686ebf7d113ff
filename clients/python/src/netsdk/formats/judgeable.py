"""Decides which conditions the verifiers of a network can judge.

Workers and requesters check it first, so that no work ends as UNJUDGEABLE. Keep in step with
``packages/formats/src/judgeable.ts``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

#: Limit of blocks that a verifier replays for one ``chain-replay`` condition.
MAX_REPLAYED_BLOCKS = 500


class JudgingMeans(NamedTuple):
    """The abilities of the verifiers of a network."""

    #: The newest height: later blocks cannot be replayed.
    height: int
    #: True if verifiers can answer a question; programs cannot.
    answers_questions: bool


class UnjudgeableCondition(NamedTuple):
    """A condition, by its JSON Pointer into the scope, and why it cannot be judged."""

    path: str
    kind: str
    reason: str


def why_unjudgeable(condition: Mapping[str, Any], means: JudgingMeans) -> str | None:
    """Returns why verifiers with these means cannot judge a condition, None if they can."""
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
