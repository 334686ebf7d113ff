"""Matching of patterns with a set of states. Keep in step with ``packages/protocol/src/judge/automaton.ts``."""

from __future__ import annotations

from bisect import bisect_left

from .judge_error import Meter
from .pattern import Begin, End, Group, One, PatternNode, Ranges, Times

_ONE, _SPLIT, _BEGIN, _END, _MATCH = range(5)


class _Points:
    def __init__(self, ranges: Ranges) -> None:
        self._starts = [first for first, _ in ranges]
        self._ends = [last for _, last in ranges]
        self.ascii = bytes(any(first <= point <= last for first, last in ranges) for point in range(128))

    def __contains__(self, point: int) -> bool:
        index = bisect_left(self._ends, point)
        return index < len(self._ends) and self._starts[index] <= point


class Automaton:
    """A pattern, compiled to instructions."""

    def __init__(self, tree: PatternNode) -> None:
        self._kinds: list[int] = []
        self._first: list[int] = []
        self._second: list[int] = []
        self._points: list[_Points | None] = []
        self._known: dict[int, _Points] = {}
        self._put(tree)
        self._emit(_MATCH)

    def _emit(self, kind: int, points: _Points | None = None) -> int:
        at = len(self._kinds)
        self._kinds.append(kind)
        self._first.append(at + 1)
        self._second.append(at + 1)
        self._points.append(points)
        return at

    def _put(self, node: PatternNode) -> None:
        if isinstance(node, One):
            points = self._known.get(id(node.ranges))
            if points is None:
                points = self._known[id(node.ranges)] = _Points(node.ranges)
            self._emit(_ONE, points)
        elif isinstance(node, Begin):
            self._emit(_BEGIN)
        elif isinstance(node, End):
            self._emit(_END)
        elif isinstance(node, Group):
            self._either(node.alternatives)
        elif isinstance(node, Times):
            for _ in range(node.least):
                self._put(node.node)
            if node.most is None:
                self._optional(node.node, is_loop=True)
            else:
                for _ in range(node.most - node.least):
                    self._optional(node.node, is_loop=False)

    def _optional(self, node: PatternNode, *, is_loop: bool) -> None:
        choice = self._emit(_SPLIT)
        self._put(node)
        if is_loop:
            back = self._emit(_SPLIT)
            self._first[back] = self._second[back] = choice
        self._second[choice] = len(self._kinds)

    def _either(self, alternatives: list[list[PatternNode]]) -> None:
        ends = []
        for index, sequence in enumerate(alternatives):
            choice = self._emit(_SPLIT) if index < len(alternatives) - 1 else None
            for node in sequence:
                self._put(node)
            if choice is not None:
                ends.append(self._emit(_SPLIT))
                self._second[choice] = len(self._kinds)
        for end in ends:
            self._first[end] = self._second[end] = len(self._kinds)

    def matches(self, text: str, meter: Meter) -> bool:
        """Returns True if any part of the text matches."""
        kinds, first, second, all_points = self._kinds, self._first, self._second, self._points
        added_at = [-1] * len(kinds)
        meter.steps += len(kinds) >> 4
        length = len(text)
        found = False

        def add(state: int, at: int, states: list[int]) -> None:
            nonlocal found
            waiting = [state]
            while waiting:
                following = waiting.pop()
                if added_at[following] == at:
                    continue
                added_at[following] = at
                meter.steps += 1
                kind = kinds[following]
                if kind == _ONE:
                    states.append(following)
                elif kind == _SPLIT:
                    waiting.append(second[following])
                    waiting.append(first[following])
                elif kind == _MATCH:
                    found = True
                elif at == 0 if kind == _BEGIN else at == length:
                    waiting.append(following + 1)

        states: list[int] = []
        add(0, 0, states)
        for at, char in enumerate(text, 1):
            if found:
                break
            point = ord(char)
            meter.steps += len(states) + 1
            meter.check()
            reached: list[int] = []
            for state in states:
                points = all_points[state]
                if points is not None and (points.ascii[point] if point < 128 else point in points):
                    add(state + 1, at, reached)
            add(0, at, reached)
            states = reached
        return found
