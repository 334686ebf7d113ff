"""The grammar of untrusted patterns: only those that all regular expression engines treat alike.

Keep in step with ``packages/protocol/src/judge/pattern.ts``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

#: UTF-16 units.
MAX_PATTERN_LENGTH = 512
#: Limit of the product of nested repetitions. Engines differ beyond it.
_MAX_REPETITION = 1_000
_DIGITS = 4

_ESCAPE = r"\\[dDwWnrtfv!-/:;=?@\[-`{-~]"
#: The parts of a character class: characters, escapes and ``-``. _class_of checks ranges.
_CLASS_PART = rf"{_ESCAPE}|[^\\\[\]^]"
_TOKEN = re.compile(
    r"(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<bar>\|)|(?P<edge>[$^])"
    r"|(?P<times>[*+?]|\{(?P<least>[0-9]+)(?:,(?P<most>[0-9]*))?\})\??"
    rf"|\[\^?(?P<parts>(?:{_CLASS_PART})+)\]|{_ESCAPE}|[^\\\[\](){{}}|*+?^$]"
)
#: Set operators in some engines, plain characters in others.
_CLASS_OPERATORS = ("&&", "--", "~~")
_SEVERAL = re.compile(r"\\[dDwW]\Z")
_UNLIKE_GROUP = "engines differ in groups that begin with (?, such as lookarounds and names: use ( ) or (?: )"
_LAST_POINT = 0x10FFFF
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v"}


class PatternError(Exception):
    """A pattern cannot be judged. The message says what to write instead."""


#: Sorted inclusive ranges of code points.
Ranges: TypeAlias = "list[tuple[int, int]]"


@dataclass(frozen=True)
class One:
    """One character of a set."""

    ranges: Ranges


class Begin:
    """The anchor ``^``."""


class End:
    """The anchor ``$``."""


@dataclass(frozen=True)
class Group:
    """Alternatives. Each is a sequence of nodes."""

    alternatives: list[list[PatternNode]]


@dataclass(frozen=True)
class Times:
    """A repetition. ``most`` is None if there is no limit."""

    node: PatternNode
    least: int
    most: int | None


PatternNode: TypeAlias = "One | Begin | End | Group | Times"


class ParsedPattern(NamedTuple):
    """A syntax tree, and its cost: about the number of instructions. A part with ``{n,m}`` counts m times,
    even if it is empty."""

    cost: int
    tree: PatternNode


@dataclass
class _Part:
    cost: int
    #: Largest product of nested repetitions in it.
    repeated: int
    node: PatternNode


class _OpenGroup(_Part):
    def __init__(self) -> None:
        self.alternatives: list[list[PatternNode]] = [[]]
        super().__init__(0, 1, Group(self.alternatives))

    def add(self, more: _Part) -> None:
        self.cost += more.cost
        self.repeated = max(self.repeated, more.repeated)
        self.alternatives[-1].append(more.node)


def parse_pattern(pattern: str) -> ParsedPattern:
    """Parses a pattern.

    :raises PatternError: if engines would differ
    """
    if len(pattern.encode("utf-16-le", "surrogatepass")) // 2 > MAX_PATTERN_LENGTH:
        raise PatternError(f"a pattern of at most {MAX_PATTERN_LENGTH} characters is needed")
    groups = [_OpenGroup()]
    last: _Part | None = None
    at = 0
    while at < len(pattern):
        group = groups[-1]
        found = _TOKEN.match(pattern, at)
        if found is None:
            raise PatternError(f"{_sign(pattern, at)} is read differently by engines here")
        at = found.end()
        if found["open"] is not None:
            if pattern.startswith("?", at):
                raise PatternError(_UNLIKE_GROUP)
            groups.append(_OpenGroup())
            last = None
        elif found["close"] is not None:
            if len(groups) == 1:
                raise PatternError("a ) closes no group")
            last = groups.pop()
            groups[-1].add(last)
        elif found["bar"] is not None:
            group.cost += 1
            group.alternatives.append([])
            last = None
        elif found["edge"] is not None:
            group.add(_Part(1, 1, Begin() if found["edge"] == "^" else End()))
            last = None
        elif found["times"] is not None:
            if last is None:
                raise PatternError(f"{found['times']} repeats nothing that can be repeated")
            least, most = _times(found)
            times = max(least, 1 if most is None else most, 1)
            repeated = last.repeated * times
            if repeated > _MAX_REPETITION:
                raise PatternError(f"more than {_MAX_REPETITION} repetitions, one within the other")
            group.alternatives[-1].pop()
            group.add(_Part(max(last.cost, 1) * (times - 1) + 1, repeated, Times(last.node, least, most)))
            last = None
        else:
            last = _Part(1, 1, One(_ranges_of_token(found)))
            group.add(last)
    if len(groups) > 1:
        raise PatternError("a group is not closed")
    return ParsedPattern(groups[0].cost, groups[0].node)


def _times(found: re.Match[str]) -> tuple[int, int | None]:
    least, most = found["least"], found["most"]
    if least is None:
        return int(found["times"].startswith("+")), 1 if found["times"].startswith("?") else None
    first = _count(least)
    last = first if most is None else _count(most) if most else None
    if last is not None and last < first:
        raise PatternError(f"{{{least},{most}}} ends before it begins")
    return first, last


def _count(digits: str) -> int:
    """Parses a count. A count with too many digits becomes one above the limit."""
    return _MAX_REPETITION + 1 if len(digits) > _DIGITS else int(digits)


def _ranges_of_token(found: re.Match[str]) -> Ranges:
    if found["parts"] is not None:
        ranges = _class_of(found["parts"])
        return _complement(ranges) if found[0].startswith("[^") else ranges
    return _complement([(10, 10)]) if found[0] == "." else _ranges_of(found[0])


def _class_of(parts: str) -> Ranges:
    if any(operator in parts for operator in _CLASS_OPERATORS):
        raise PatternError("&&, -- and ~~ between brackets are read differently by engines")
    items = re.findall(_CLASS_PART, parts, re.DOTALL)
    ranges: Ranges = []
    at = 0
    while at < len(items):
        first = items[at]
        if at + 2 >= len(items) or items[at + 1] != "-":
            ranges += _ranges_of(first)
            at += 1
            continue
        last = items[at + 2]
        if _SEVERAL.match(first) or _SEVERAL.match(last):
            raise PatternError(f"{first}-{last} is no range of characters")
        if _point(first) > _point(last):
            raise PatternError(f"{first}-{last} ends before it begins")
        ranges.append((_point(first), _point(last)))
        at += 3
    return _merged(ranges)


def _ranges_of(sign: str) -> Ranges:
    if _SEVERAL.match(sign):
        ranges = [(48, 57)] if sign[1] in "dD" else [(48, 57), (65, 90), (95, 95), (97, 122)]
        return _complement(ranges) if sign[1].isupper() else ranges
    return [(_point(sign), _point(sign))]


def _merged(ranges: Ranges) -> Ranges:
    made: Ranges = []
    for first, last in sorted(ranges):
        if made and first <= made[-1][1] + 1:
            made[-1] = (made[-1][0], max(made[-1][1], last))
        else:
            made.append((first, last))
    return made


def _complement(ranges: Ranges) -> Ranges:
    made: Ranges = []
    following = 0
    for first, last in _merged(ranges):
        if first > following:
            made.append((following, first - 1))
        following = last + 1
    if following <= _LAST_POINT:
        made.append((following, _LAST_POINT))
    return made


def _point(item: str) -> int:
    return ord(_CONTROLS.get(item[1], item[1]) if len(item) > 1 else item)


def _sign(pattern: str, at: int) -> str:
    return json.dumps(pattern[at : at + (2 if pattern[at] == "\\" else 1)], ensure_ascii=False)
