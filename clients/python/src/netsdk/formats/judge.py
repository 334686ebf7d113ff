"""Whether a deliverable is what its scope asked for, as far as a program can tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from ..protocol.canonical_json import JsonObject
from ..protocol.hashes import sha256
from .acceptance_schema import judge_by_schema
from .chain_replay import chain_replay
from .document import parse_json
from .errors import FormatError

#: ``open``: the condition needs judgement, or a replay that is not possible here; a reader has to look. A condition
#: that is broken, or that costs too much to judge, is never met.
WorkVerdict = Literal["met", "unmet", "open"]


class Condition(NamedTuple):
    """One condition of a scope, and what came out."""

    kind: str
    verdict: WorkVerdict
    reason: str


class Judgement(NamedTuple):
    """``unmet`` where one condition is; else ``open`` where one is; else ``met``."""

    verdict: WorkVerdict
    conditions: list[Condition]


#: Replays a range of heights and says what came out; None where that is not possible here.
Replay = Callable[[int, int], JsonObject | None]


def judge(scope: Mapping[str, Any], deliverable: bytes, replay: Replay | None = None) -> Judgement:
    """Judges the bytes of a deliverable, checked against their hash already.

    :param replay: without it conditions of kind ``chain-replay`` stay open
    :raises Exception: what ``replay`` raises; nothing for what the deliverable or the scope holds
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
    """Judges in a worker thread, but gives up after a while.

    :returns: None if time is up: there is no verdict yet, and none may be taken from it
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
        value = parse_json(deliverable)
    except FormatError:
        return "unmet", "the deliverable is not JSON in UTF-8, or nests too deep"
    try:
        return _outcome(*judge_by_schema(schema, value, len(deliverable)))
    except FormatError as error:
        return "unmet", str(error)


def _outcome(met: bool, reason: str) -> tuple[WorkVerdict, str]:
    return ("met", "") if met else ("unmet", reason)
