"""Judging of deliverables by the conditions of their scope."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from ..protocol.canonical_json import JsonObject
from ..protocol.hashes import sha256
from .chain_replay import chain_replay
from .judge_error import JudgeError, Meter
from .schema_judge import judge_by_schema

#: Verdict on a condition. ``open`` means that a person must read the deliverable, or that the blocks were not replayed
#: here. A condition that is invalid or too expensive is ``unmet``.
WorkVerdict = Literal["met", "unmet", "open"]


class Condition(NamedTuple):
    """One condition of a scope, with its verdict."""

    kind: str
    verdict: WorkVerdict
    reason: str


class Judgement(NamedTuple):
    """The verdicts on all conditions. The whole is ``unmet`` if any is, else ``open`` if any is, else ``met``."""

    verdict: WorkVerdict
    conditions: list[Condition]


#: A function that replays a range of heights and returns the digest, or None if it cannot.
Replay = Callable[[int, int], JsonObject | None]


def judge(scope: Mapping[str, Any], deliverable: bytes, replay: Replay | None = None) -> Judgement:
    """Judges a deliverable. The caller has checked its hash.

    :param replay: without it, ``chain-replay`` conditions stay open
    :raises Exception: only what ``replay`` raises
    """
    most = scope["deliverable"]["maxBytes"]
    if len(deliverable) > most:
        reason = f"{len(deliverable)} bytes, where at most {most} were asked for"
        return Judgement("unmet", [Condition("size", "unmet", reason)])
    conditions = [
        Condition(condition["kind"], *_judge_one(condition, deliverable, replay)) for condition in scope["acceptance"]
    ]
    verdicts = {condition.verdict for condition in conditions}
    return Judgement("unmet" if "unmet" in verdicts else "open" if "open" in verdicts else "met", conditions)


async def judge_in_time(scope: Mapping[str, Any], deliverable: bytes, *, seconds: float = 30) -> Judgement | None:
    """Judges in a worker thread.

    :returns: None after ``seconds``, which is not a verdict
    """
    import anyio
    import anyio.to_thread

    with anyio.move_on_after(seconds):
        return await anyio.to_thread.run_sync(judge, scope, deliverable, abandon_on_cancel=True)
    return None


def _judge_one(condition: Mapping[str, Any], deliverable: bytes, replay: Replay | None) -> tuple[WorkVerdict, str]:
    kind = condition["kind"]
    if kind == "sha256":
        return _outcome(sha256(deliverable).hex() == condition["hash"], "these are other bytes")
    if kind == "json-schema":
        return _judge_json(condition["schema"], deliverable)
    if kind == "chain-replay":
        expected = replay(condition["from"], condition["to"]) if replay is not None else None
        if expected is None:
            return "open", f"blocks {condition['from']} to {condition['to']} were not replayed here"
        same = chain_replay.make(expected).data == deliverable
        return _outcome(same, "replaying these blocks gives another digest")
    if kind == "review":
        return "open", str(condition["question"])
    return "unmet", f"the kind {kind} is not known here"


def _judge_json(schema: JsonObject, deliverable: bytes) -> tuple[WorkVerdict, str]:
    try:
        text = deliverable.decode("utf-8")
    except ValueError:
        return "unmet", "the deliverable is not UTF-8"
    try:
        is_met, path, message = judge_by_schema(schema, text, len(deliverable), Meter())
    except JudgeError as error:
        return "unmet", f"{error.path} {error}".strip()
    return _outcome(is_met, f"{path or 'the deliverable'} {message}")


def _outcome(met: bool, reason: str) -> tuple[WorkVerdict, str]:
    return ("met", "") if met else ("unmet", reason)
