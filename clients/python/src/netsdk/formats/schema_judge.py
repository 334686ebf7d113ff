"""Judging of JSON by untrusted JSON Schemas, in counted steps.

Must count the same steps as ``packages/protocol/src/judge/schema-judge.ts``, so the order of keywords and members
matters. ``vectors/judge.json`` contains the expected steps.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterable, Sized
from decimal import Decimal
from typing import Any, NamedTuple, cast

from ..protocol.canonical_json import canonicalize
from ..protocol.strict_json import pointer_step
from .automaton import Automaton
from .check_schema import MAX_JUDGEMENT_COST, check_schema, referred, sorted_members
from .exact_numbers import exact_value, parse_exact_json
from .judge_error import JudgeError, Meter
from .pattern import parse_pattern


class SchemaVerdict(NamedTuple):
    """The verdict, with the JSON Pointer and description of the first violation."""

    is_met: bool
    path: str = ""
    message: str = ""


def judge_by_schema(schema: Any, deliverable: str, byte_length: int, meter: Meter) -> SchemaVerdict:
    """Judges a deliverable of ``byte_length`` bytes.

    :raises JudgeError: if the schema is refused, a number is too long, or judging costs too much
    """
    cost = check_schema(schema)
    if cost * byte_length > MAX_JUDGEMENT_COST:
        raise JudgeError("cost", "", f"judging {byte_length} bytes by this schema costs too much")
    meter.steps += cost + (byte_length >> 4)
    meter.check()
    try:
        value = parse_exact_json(deliverable)
    except ValueError:
        return SchemaVerdict(False, "", "is not JSON, or nests too deep")
    run = _Run(meter)
    is_met = _apply(_Maker(schema).part(schema), value, run, None)
    meter.check()
    if is_met:
        return SchemaVerdict(True)
    return SchemaVerdict(False, *(run.fault or ("", "is not valid")))


class _Run:
    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.path: list[str | int] = []
        #: Above 0 inside parts that may fail, whose violations are not reported.
        self.muted = 0
        self.fault: tuple[str, str] | None = None

    def fail(self, message: str) -> bool:
        if self.muted == 0 and self.fault is None:
            self.fault = "".join(map(pointer_step, self.path)), message
        return False


class _Seen:
    """Evaluated members and items; kept only for unevaluated keywords."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.items: set[int] = set()
        self.first_items = 0

    def merge(self, other: _Seen, meter: Meter) -> None:
        meter.steps += len(other.names) + len(other.items)
        self.names |= other.names
        self.items |= other.items
        self.first_items = max(self.first_items, other.first_items)


#: A check that returns a message, or None if nothing is wrong.
_Plain = Callable[[Any, Meter], "str | None"]
_Walk = Callable[[Any, _Run, "_Seen | None"], bool]


class _Part:
    def __init__(self) -> None:
        self.plain: list[_Plain] = []
        self.walks: list[_Walk] = []
        #: Applied last, to members and items that no other keyword has evaluated.
        self.unevaluated: list[_Walk] = []
        self.weight = 1


def _apply(part: _Part, value: Any, run: _Run, seen: _Seen | None) -> bool:
    run.meter.steps += part.weight
    for check in part.plain:
        message = check(value, run.meter)
        if message is not None:
            return run.fail(message)
    if not part.walks and not part.unevaluated:
        return True
    own = _Seen() if part.unevaluated else seen
    for walk in (*part.walks, *part.unevaluated):
        if not walk(value, run, own):
            return False
        run.meter.check()
    if own is not seen and own is not None and seen is not None:
        seen.merge(own, run.meter)
    return True


def _apply_at(part: _Part, value: Any, run: _Run, step: str | int) -> bool:
    run.path.append(step)
    is_met = _apply(part, value, run, None)
    run.path.pop()
    return is_met


def _probe(part: _Part, value: Any, run: _Run, seen: _Seen | None) -> bool:
    """Applies a part that may fail. If it passes, adds its evaluated members to ``seen``."""
    own = _Seen() if seen is not None else None
    run.muted += 1
    is_met = _apply(part, value, run, own)
    run.muted -= 1
    if is_met and seen is not None and own is not None:
        seen.merge(own, run.meter)
    return is_met


class _Maker:
    def __init__(self, root: Any) -> None:
        self._root = root
        self._known: dict[int, _Part] = {}

    def part(self, schema: Any) -> _Part:
        known = self._known.get(id(schema))
        if known is not None:
            return known
        part = self._known[id(schema)] = _Part()
        if schema is False:
            part.plain.append(lambda _value, _meter: "is not allowed by the schema")
        if not isinstance(schema, dict):
            return part
        for name, make in _PLAIN.items():
            if name in schema:
                part.plain.append(make(schema[name]))
                part.weight += 1
        part.weight += len(schema.get("required", []))
        part.weight += sum(1 + len(names) for names in schema.get("dependentRequired", {}).values())
        part.walks += self._walks(schema)
        if "unevaluatedItems" in schema:
            part.unevaluated.append(_rest_of_items(self.part(schema["unevaluatedItems"])))
        if "unevaluatedProperties" in schema:
            part.unevaluated.append(_rest_of_members(self.part(schema["unevaluatedProperties"])))
        return part

    def _walks(self, schema: dict[str, Any]) -> Iterable[_Walk]:
        if "$ref" in schema:
            yield _every([self.part(referred(self._root, schema["$ref"]))])
        if "pattern" in schema:
            yield _fits(schema["pattern"])
        if "propertyNames" in schema:
            yield _names(self.part(schema["propertyNames"]))
        if {"properties", "patternProperties", "additionalProperties"} & schema.keys():
            patterns = [
                (Automaton(parse_pattern(text).tree), part) for text, part in self._map(schema, "patternProperties")
            ]
            yield _members(dict(self._map(schema, "properties")), patterns, self._maybe(schema, "additionalProperties"))
        if "prefixItems" in schema or "items" in schema:
            yield _items_in_order(self._list(schema, "prefixItems"), self._maybe(schema, "items"))
        if schema.get("uniqueItems") is True:
            yield _are_different
        if "contains" in schema:
            least, most = schema.get("minContains", 1), schema.get("maxContains")
            yield _contains(self.part(schema["contains"]), least, most)
        if "allOf" in schema:
            yield _every(self._list(schema, "allOf"))
        if "anyOf" in schema:
            yield _any(self._list(schema, "anyOf"))
        if "oneOf" in schema:
            yield _only_one(self._list(schema, "oneOf"))
        if "not" in schema:
            yield _none(self.part(schema["not"]))
        if "if" in schema:
            yield _either(self.part(schema["if"]), self._maybe(schema, "then"), self._maybe(schema, "else"))
        if schema.get("dependentSchemas"):
            yield _dependents(self._map(schema, "dependentSchemas"))

    def _maybe(self, schema: dict[str, Any], name: str) -> _Part | None:
        return self.part(schema[name]) if name in schema else None

    def _list(self, schema: dict[str, Any], name: str) -> list[_Part]:
        return [self.part(one) for one in schema.get(name, [])]

    def _map(self, schema: dict[str, Any], name: str) -> list[tuple[str, _Part]]:
        return [(key, self.part(one)) for key, one in sorted_members(schema.get(name, {}))]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "number": _is_number,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
}


def _type(keyword: Any) -> _Plain:
    types = keyword if isinstance(keyword, list) else [keyword]
    message = f"must be {','.join(types)}"
    return lambda value, _meter: None if any(_TYPES[one](value) for one in types) else message


def _one_of_keys(message: str) -> Callable[[list[Any]], _Plain]:
    def make(values: list[Any]) -> _Plain:
        keys = {_key_of(exact_value(one), Meter()) for one in values}
        return lambda value, meter: None if _key_of(value, meter) in keys else message

    return make


def _multiple_of(divisor: Any) -> _Plain:
    whole, message = int(divisor), f"must be a whole multiple of {int(divisor)}"
    return lambda value, _meter: (
        None if not _is_number(value) or (isinstance(value, int) and value % whole == 0) else message
    )


def _limit(sign: str, is_met: Callable[[Any, Any], bool]) -> Callable[[Any], _Plain]:
    def make(bound: Any) -> _Plain:
        exact, message = exact_value(bound), f"must be {sign} {canonicalize(bound)}"
        return lambda value, _meter: None if not _is_number(value) or is_met(value, exact) else message

    return make


def _size(kind: type, word: str, is_met: Callable[[Any, Any], bool], unit: str) -> Callable[[Any], _Plain]:
    def make(bound: Any) -> _Plain:
        message = f"must NOT have {word} than {canonicalize(bound)} {unit}"

        def check(value: Any, meter: Meter) -> str | None:
            if not isinstance(value, kind):
                return None
            length = len(cast("Sized", value))
            if kind is str:
                meter.steps += length >> 6
            return None if is_met(length, bound) else message

        return check

    return make


def _required(names: list[str]) -> _Plain:
    return lambda value, _meter: _lacking(value, names) if isinstance(value, dict) else None


def _dependent_required(keyword: dict[str, list[str]]) -> _Plain:
    members = sorted_members(keyword)

    def check(value: Any, _meter: Meter) -> str | None:
        if not isinstance(value, dict):
            return None
        messages = (_lacking(value, wanted) for name, wanted in members if name in value)
        return next((message for message in messages if message is not None), None)

    return check


def _lacking(value: dict[str, Any], names: list[str]) -> str | None:
    return next((f"must have required property '{name}'" for name in names if name not in value), None)


#: Keywords in the order in which they are checked.
_PLAIN: dict[str, Callable[[Any], _Plain]] = {
    "type": _type,
    "enum": _one_of_keys("must be equal to one of the allowed values"),
    "const": lambda keyword: _one_of_keys("must be equal to constant")([keyword]),
    "multipleOf": _multiple_of,
    "maximum": _limit("<=", operator.le),
    "exclusiveMaximum": _limit("<", operator.lt),
    "minimum": _limit(">=", operator.ge),
    "exclusiveMinimum": _limit(">", operator.gt),
    "maxLength": _size(str, "more", operator.le, "characters"),
    "minLength": _size(str, "fewer", operator.ge, "characters"),
    "maxItems": _size(list, "more", operator.le, "items"),
    "minItems": _size(list, "fewer", operator.ge, "items"),
    "maxProperties": _size(dict, "more", operator.le, "properties"),
    "minProperties": _size(dict, "fewer", operator.ge, "properties"),
    "required": _required,
    "dependentRequired": _dependent_required,
}


def _fits(pattern: str) -> _Walk:
    automaton = Automaton(parse_pattern(pattern).tree)

    def walk(value: Any, run: _Run, _seen: _Seen | None) -> bool:
        if not isinstance(value, str) or automaton.matches(value, run.meter):
            return True
        return run.fail(f'must match pattern "{pattern}"')

    return walk


def _names(part: _Part) -> _Walk:
    def walk(value: Any, run: _Run, _seen: _Seen | None) -> bool:
        return not isinstance(value, dict) or all(_apply(part, name, run, None) for name in value)

    return walk


def _members(properties: dict[str, _Part], patterns: list[tuple[Automaton, _Part]], additional: _Part | None) -> _Walk:
    def walk(value: Any, run: _Run, seen: _Seen | None) -> bool:
        if not isinstance(value, dict):
            return True
        for name, member in value.items():
            own = properties.get(name)
            is_known = own is not None
            if own is not None and not _apply_at(own, member, run, name):
                return False
            for automaton, part in patterns:
                if not automaton.matches(name, run.meter):
                    continue
                is_known = True
                if not _apply_at(part, member, run, name):
                    return False
            if not is_known and additional is not None and not _apply_at(additional, member, run, name):
                return False
            if seen is not None and (is_known or additional is not None):
                seen.names.add(name)
            run.meter.steps += 1
            run.meter.check()
        return True

    return walk


def _rest_of_members(part: _Part) -> _Walk:
    def walk(value: Any, run: _Run, seen: _Seen | None) -> bool:
        if not isinstance(value, dict) or seen is None:
            return True
        for name, member in value.items():
            run.meter.steps += 1
            if name in seen.names:
                continue
            if not _apply_at(part, member, run, name):
                return False
            seen.names.add(name)
        return True

    return walk


def _items_in_order(prefix: list[_Part], others: _Part | None) -> _Walk:
    def walk(value: Any, run: _Run, seen: _Seen | None) -> bool:
        if not isinstance(value, list):
            return True
        end = len(value) if others is not None else min(len(prefix), len(value))
        for index in range(end):
            part = prefix[index] if index < len(prefix) else others
            if part is not None and not _apply_at(part, value[index], run, index):
                return False
            run.meter.check()
        if seen is not None:
            seen.first_items = max(seen.first_items, end)
        return True

    return walk


def _rest_of_items(part: _Part) -> _Walk:
    def walk(value: Any, run: _Run, seen: _Seen | None) -> bool:
        if not isinstance(value, list) or seen is None:
            return True
        for index in range(seen.first_items, len(value)):
            run.meter.steps += 1
            if index not in seen.items and not _apply_at(part, value[index], run, index):
                return False
        seen.first_items = len(value)
        return True

    return walk


def _contains(part: _Part, least: Any, most: Any) -> _Walk:
    def walk(value: Any, run: _Run, seen: _Seen | None) -> bool:
        if not isinstance(value, list):
            return True
        count = 0
        for index, item in enumerate(value):
            if _probe(part, item, run, None):
                count += 1
                if seen is not None:
                    seen.items.add(index)
            if (most is not None and count > most) or (count >= least and most is None and seen is None):
                break
            run.meter.check()
        if count < least:
            return run.fail(f"must contain at least {canonicalize(least)} valid item(s)")
        if most is not None and count > most:
            return run.fail(f"must contain no more than {canonicalize(most)} valid item(s)")
        return True

    return walk


def _are_different(value: Any, run: _Run, _seen: _Seen | None) -> bool:
    if not isinstance(value, list):
        return True
    keys = set()
    for item in value:
        key = _key_of(item, run.meter)
        if key in keys:
            return run.fail("must NOT have duplicate items")
        keys.add(key)
        run.meter.check()
    return True


def _every(parts: list[_Part]) -> _Walk:
    return lambda value, run, seen: all(_apply(part, value, run, seen) for part in parts)


def _any(parts: list[_Part]) -> _Walk:
    def walk(value: Any, run: _Run, seen: _Seen | None) -> bool:
        is_met = False
        for part in parts:
            is_met = _probe(part, value, run, seen) or is_met
            if is_met and seen is None:
                break
        return is_met or run.fail("must match a schema in anyOf")

    return walk


def _only_one(parts: list[_Part]) -> _Walk:
    def walk(value: Any, run: _Run, seen: _Seen | None) -> bool:
        count = 0
        for part in parts:
            count += _probe(part, value, run, seen)
            if count > 1:
                break
        return count == 1 or run.fail("must match exactly one schema in oneOf")

    return walk


def _none(part: _Part) -> _Walk:
    return lambda value, run, _seen: not _probe(part, value, run, None) or run.fail("must NOT be valid")


def _either(condition: _Part, then: _Part | None, otherwise: _Part | None) -> _Walk:
    def walk(value: Any, run: _Run, seen: _Seen | None) -> bool:
        part = then if _probe(condition, value, run, seen) else otherwise
        return part is None or _apply(part, value, run, seen)

    return walk


def _dependents(members: list[tuple[str, _Part]]) -> _Walk:
    def walk(value: Any, run: _Run, seen: _Seen | None) -> bool:
        if not isinstance(value, dict):
            return True
        run.meter.steps += len(members)
        return all(_apply(part, value, run, seen) for name, part in members if name in value)

    return walk


def _key_of(value: Any, meter: Meter) -> str:
    """Returns equal texts for equal values. Counts a step per value, and one per 64 characters."""
    meter.steps += 1
    if isinstance(value, str):
        meter.steps += len(value) >> 6
        return json.dumps(value)
    if isinstance(value, list):
        return f"[{','.join(_key_of(item, meter) for item in value)}]"
    if isinstance(value, dict):
        members = (f"{_key_of(name, meter)}:{_key_of(value[name], meter)}" for name in sorted(value))
        return f"{{{','.join(members)}}}"
    return str(value)
