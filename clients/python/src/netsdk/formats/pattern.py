"""The grammar of untrusted patterns that all engines treat alike.

Other patterns never reach an engine. Keep in step with ``packages/formats/src/pattern.ts``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

#: Limit of a pattern in UTF-16 units.
MAX_PATTERN_LENGTH = 512
#: Limit of nested repetitions, multiplied: engines differ beyond it.
_MAX_REPETITION = 1_000
#: Limit of digits in a repetition count.
_DIGITS = 4

_ESCAPE = r"\\[dDwWnrtfv!-/:;=?@\[-`{-~]"
#: The parts of a character class: characters, escapes, and ``-``, checked below.
_CLASS_PART = rf"{_ESCAPE}|[^\\\[\]^]"
_TOKEN = re.compile(
    r"(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<bar>\|)|(?P<edge>[$^])"
    r"|(?P<times>[*+?]|\{(?P<least>[0-9]+)(?:,(?P<most>[0-9]*))?\})\??"
    rf"|\[\^?(?P<parts>(?:{_CLASS_PART})+)\]|{_ESCAPE}|[^\\\[\](){{}}|*+?^$]"
)
#: Set operators in one engine, plain characters in the other.
_CLASS_OPERATORS = ("&&", "--", "~~")
_SEVERAL = re.compile(r"\\[dDwW]\Z")
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v"}


class PatternError(Exception):
    """A pattern cannot be judged; the message says what to write."""


@dataclass
class _Part:
    cost: int
    #: Largest multiplied repetition in it.
    repeated: int

    def add(self, more: _Part) -> None:
        self.cost += more.cost
        self.repeated = max(self.repeated, more.repeated)


def pattern_cost(pattern: str) -> int:
    """Estimates the instructions of the automaton; a part with ``{n,m}`` counts m times.

    :raises PatternError: if engines would differ
    """
    if len(pattern.encode("utf-16-le", "surrogatepass")) // 2 > MAX_PATTERN_LENGTH:
        raise PatternError(f"a pattern of at most {MAX_PATTERN_LENGTH} characters is needed")
    groups = [_Part(0, 1)]
    last: _Part | None = None
    at = 0
    while at < len(pattern):
        group = groups[-1]
        found = _TOKEN.match(pattern, at)
        if found is None:
            raise PatternError(f"{_sign(pattern, at)} is read differently by engines here")
        at = found.end()
        if found["open"] is not None:
            groups.append(_Part(0, 1))
            last = None
        elif found["close"] is not None:
            if len(groups) == 1:
                raise PatternError("a ) closes no group")
            groups.pop()
            last = group
            groups[-1].add(group)
        elif found["bar"] is not None or found["edge"] is not None:
            group.add(_Part(1, 1))
            last = None
        elif found["times"] is not None:
            if last is None:
                raise PatternError(f"{found['times']} repeats nothing that can be repeated")
            times = _times(found)
            repeated = last.repeated * times
            if repeated > _MAX_REPETITION:
                raise PatternError(f"more than {_MAX_REPETITION} repetitions, one within the other")
            group.add(_Part(last.cost * (times - 1) + 1, repeated))
            last = None
        else:
            if found["parts"] is not None:
                _check_class(found["parts"])
            last = _Part(1, 1)
            group.add(last)
    if len(groups) > 1:
        raise PatternError("a group is not closed")
    return groups[0].cost


def _times(found: re.Match[str]) -> int:
    """Returns the larger number, at least 1."""
    least, most = found["least"], found["most"]
    if least is None:
        return 1
    if len(least) > _DIGITS or len(most or "") > _DIGITS:
        return _MAX_REPETITION + 1
    if most and int(most) < int(least):
        raise PatternError(f"{{{least},{most}}} ends before it begins")
    return max(int(least), int(most or "0"), 1)


def _check_class(parts: str) -> None:
    if any(operator in parts for operator in _CLASS_OPERATORS):
        raise PatternError("&&, -- and ~~ between brackets are read differently by engines")
    items = re.findall(_CLASS_PART, parts, re.DOTALL)
    at = 0
    while at + 2 < len(items):
        if items[at + 1] != "-":
            at += 1
            continue
        first, last = items[at], items[at + 2]
        if _SEVERAL.match(first) or _SEVERAL.match(last):
            raise PatternError(f"{first}-{last} is no range of characters")
        if _point(first) > _point(last):
            raise PatternError(f"{first}-{last} ends before it begins")
        at += 3


def _point(item: str) -> int:
    return ord(_CONTROLS.get(item[1], item[1]) if len(item) > 1 else item)


def _sign(pattern: str, at: int) -> str:
    """Quotes the character or escape at a position."""
    return json.dumps(pattern[at : at + (2 if pattern[at] == "\\" else 1)], ensure_ascii=False)
