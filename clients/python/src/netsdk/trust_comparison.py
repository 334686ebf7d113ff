"""Comparison of the trust reports of several origins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from .api import Api
from .errors import NetError
from .flow import Flow, gather
from .paths import normalize_url
from .protocol.canonical_json import JsonObject, canonicalize
from .protocol.hashes import block_hash, hash_without

#: Limit of origins, because every pair is compared.
MAX_ORIGINS = 32

ConflictKind = Literal["SELF", "NETWORK", "HISTORY", "REPORT", "FORK"]

_MEANINGS: dict[ConflictKind, str] = {
    "SELF": "The report contradicts itself: do not rely on this origin.",
    "NETWORK": "These origins serve different networks.",
    "HISTORY": "Two blocks stand at one height: at least one of these origins tells a history that is not the "
    "network's. Fetch both blocks: two valid certificates prove that the validators certified both.",
    "REPORT": "One block, two reports: at least one of these origins does not derive its report from the state, or "
    "runs another version.",
    "FORK": "This origin keeps two blocks of one height that the validators have certified, and has halted: check both "
    "certificates, and rely on neither history before you know which is the network's.",
}


class OriginAnswer(NamedTuple):
    """The report of an origin, or the reason why there is none."""

    origin: str
    status: Literal["answered", "unreachable"]
    report: JsonObject | None
    reason: str


class TrustConflict(NamedTuple):
    """A contradiction within a report or between two.

    SELF: the report contradicts itself. NETWORK: different networks. HISTORY: two blocks at one height. REPORT: two
    reports of one block. FORK: an origin halted on two certified blocks of one height. ``height`` is None for SELF and
    NETWORK. ``evidence`` is pairs of origin and claim.
    """

    kind: ConflictKind
    meaning: str
    height: int | None
    evidence: list[tuple[str, str]]


class Uncompared(NamedTuple):
    """Two origins that could not be compared."""

    origins: tuple[str, str]
    height: int
    reason: str


@dataclass
class TrustComparison:
    """The result of a comparison.

    ``conflict``: there is at least one. ``agree``: two or more origins were compared, without conflict. ``incomplete``:
    any other result.
    """

    verdict: Literal["agree", "conflict", "incomplete"]
    origins: list[OriginAnswer]
    conflicts: list[TrustConflict] = field(default_factory=list)
    uncompared: list[Uncompared] = field(default_factory=list)


class _Answered(NamedTuple):
    origin: str
    report: JsonObject


def compare(origins: Sequence[str], timeout: float) -> Flow[TrustComparison]:
    """Fetches and compares the trust reports of all origins. Agreement is evidence only if the origins are independent.

    :param origins: base URLs; duplicates count once
    :raises ValueError: if there are more than 32 origins
    """
    distinct = list(dict.fromkeys(map(normalize_url, origins)))
    if len(distinct) > MAX_ORIGINS:
        raise ValueError(f"at most {MAX_ORIGINS} origins")
    answers = yield from gather([_report_of(origin, timeout) for origin in distinct])
    told = TrustComparison("incomplete", answers)
    valid: list[_Answered] = []
    for answer in answers:
        if answer.report is None:
            continue
        contradiction = _contradiction_in(answer.report)
        if contradiction is None:
            valid.append(_Answered(answer.origin, answer.report))
            told.conflicts.extend(_fork_in(valid[-1]))
        else:
            told.conflicts.append(_conflict("SELF", None, [(answer.origin, contradiction)]))
    for index, one in enumerate(valid):
        for other in valid[index + 1 :]:
            yield from _compare_pair(told, one, other, timeout)
    complete = len(answers) > 1 and all(answer.report is not None for answer in answers) and not told.uncompared
    told.verdict = "conflict" if told.conflicts else "agree" if complete else "incomplete"
    return told


def _report_of(origin: str, timeout: float) -> Flow[OriginAnswer]:
    try:
        report = yield from Api(origin, timeout).read("/v1/agent-trust", {})
    except NetError as error:
        return OriginAnswer(origin, "unreachable", None, str(error))
    if report.get("schema") == "NET-AGENT-TRUST-REPORT/1":
        return OriginAnswer(origin, "answered", report, "")
    return OriginAnswer(origin, "unreachable", None, "what answers is not a NET-AGENT-TRUST-REPORT/1")


def _contradiction_in(report: JsonObject) -> str | None:
    try:
        if hash_without(report, "reportHash") != report["reportHash"]:
            return f"reportHash is {report['reportHash']}, which is not the hash of the report"
        _network_of(report)
        _fork_in(_Answered("", report))
        height, snapshot, blocks = report["height"], report["snapshot"], report["comparison"]["recentBlocks"]
        linked = all(block["height"] == height - index for index, block in enumerate(blocks))
        # Check the shape of every block, because any of them may be compared later.
        says = [_says(block) for block in blocks]
        same = says[:1] == [_says(snapshot)]
        if type(height) is not int or not linked or snapshot["height"] != height or not same:
            return "recentBlocks does not begin with the block of the report and go down from it"
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return "the report does not have the shape of its schema"
    return None


def _fork_in(answer: _Answered) -> list[TrustConflict]:
    fork = answer.report.get("fork")
    if fork is None:
        return []
    blocks = [f"block {side['blockHash']}" for side in (fork["ours"], fork["theirs"]) if side is not None]
    where = f"headers and certificates at {answer.origin}/v1/fork-evidence"
    said = [(answer.origin, f"{fork['reason']}: {' and '.join(blocks)}; {where}")]
    return [_conflict("FORK", fork["height"], said)]


def _network_of(report: JsonObject) -> str:
    network = report["network"]
    facts = {"chainId": report["chainId"], "genesisHash": network["genesisHash"], "genesisTime": network["genesisTime"]}
    return canonicalize(facts)


def _compare_pair(told: TrustComparison, one: _Answered, other: _Answered, timeout: float) -> Flow[None]:
    """Compares one height. Each block names its predecessor, so equal blocks mean equal histories."""
    lower, higher = (one, other) if one.report["height"] <= other.report["height"] else (other, one)
    networks = [_network_of(each.report) for each in (lower, higher)]
    if networks[0] != networks[1]:
        said = [(lower.origin, networks[0]), (higher.origin, networks[1])]
        told.conflicts.append(_conflict("NETWORK", None, said))
        return
    height, low = lower.report["height"], lower.report["snapshot"]
    recent = higher.report["comparison"]["recentBlocks"]
    high = next((block for block in recent if block["height"] == height), None)
    if high is None:
        try:
            high = yield from _block_at(higher.origin, height, timeout)
        except (NetError, KeyError, TypeError, ValueError) as error:
            told.uncompared.append(Uncompared((lower.origin, higher.origin), height, str(error)))
            return
    if _says(low) != _says(high):
        said = [(lower.origin, _says(low)), (higher.origin, _says(high))]
        told.conflicts.append(_conflict("HISTORY", height, said))
        return
    hashes = [each.report["reportHash"] for each in (lower, higher)]
    # A fork makes the reports differ, and has its own conflict.
    told_already = any(each.report.get("fork") is not None for each in (lower, higher))
    if higher.report["height"] == height and hashes[0] != hashes[1] and not told_already:
        said = [(lower.origin, f"report {hashes[0]}"), (higher.origin, f"report {hashes[1]}")]
        told.conflicts.append(_conflict("REPORT", height, said))


def _block_at(origin: str, height: int, timeout: float) -> Flow[JsonObject]:
    document = yield from Api(origin, timeout).read("/v1/blocks/{height}", {"height": height})
    header = document["header"]
    if header["height"] != height:
        raise ValueError(f"it shows another block at height {height}")
    return {"blockHash": block_hash(header), "stateRoot": header["stateRoot"]}


def _says(block: Any) -> str:
    return f"block {block['blockHash']}, state {block['stateRoot']}"


def _conflict(kind: ConflictKind, height: int | None, evidence: list[tuple[str, str]]) -> TrustConflict:
    return TrustConflict(kind, _MEANINGS[kind], height, evidence)
