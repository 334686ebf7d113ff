"""Checks of untrusted JSON Schemas before they judge. Keep in step with
``packages/protocol/src/judge/check-schema.ts``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from ..protocol.canonical_json import MAX_SAFE_INTEGER, CanonicalJsonError, canonicalize
from ..protocol.strict_json import pointer_step
from .document import MAX_DOCUMENT_BYTES
from .judge_error import JudgeError, JudgeErrorCode
from .pattern import PatternError, parse_pattern

DIALECT = "https://json-schema.org/draft/2020-12/schema"
#: Limit of a schema's parts, counted with references followed and with the instructions of patterns.
MAX_SCHEMA_COST = 20_000
#: Limit of nesting with references followed, because judges recurse.
MAX_SCHEMA_DEPTH = 64
#: Limit of the product of a schema's parts and the bytes of the deliverable.
MAX_JUDGEMENT_COST = 64 * 1024 * 1024
_UNIQUE_ITEMS_COST = 16

_ONE_SCHEMA = frozenset(
    "items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if then else".split()
)
_SCHEMA_LISTS = frozenset("allOf anyOf oneOf prefixItems".split())
_SCHEMA_MAPS = frozenset("properties patternProperties dependentSchemas $defs".split())
_TYPES = ("null", "boolean", "object", "array", "number", "integer", "string")

_Form = Callable[[Any], bool]


def is_number(value: object) -> bool:
    """Returns True for a finite JSON number. Booleans are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _is_count(value: Any) -> bool:
    return is_number(value) and value % 1 == 0 and value >= 0


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_anything(_value: object) -> bool:
    return True


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value)) and len(set(value)) == len(value)


def _is_type(value: Any) -> bool:
    return value in _TYPES if _is_text(value) else _is_names(value) and value != [] and all(v in _TYPES for v in value)


_PLAIN: Mapping[str, _Form] = {
    "type": _is_type,
    "enum": _is_list,
    "const": _is_anything,
    "multipleOf": lambda value: bool(is_number(value) and value > 0),
    **dict.fromkeys("maximum exclusiveMaximum minimum exclusiveMinimum".split(), is_number),
    **dict.fromkeys(
        "maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties".split(), _is_count
    ),
    "uniqueItems": _is_flag,
    "required": _is_names,
    "dependentRequired": lambda value: isinstance(value, dict) and all(map(_is_names, value.values())),
}
_ANNOTATIONS: Mapping[str, _Form] = {
    **dict.fromkeys("$comment title description format contentEncoding contentMediaType".split(), _is_text),
    **dict.fromkeys("deprecated readOnly writeOnly".split(), _is_flag),
    "default": _is_anything,
    "examples": _is_list,
}
_SPACES = r"\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def sorted_members(value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Returns the members sorted by UTF-16 code units, as in canonical JSON."""
    return sorted(value.items(), key=lambda member: member[0].encode("utf-16-be", "surrogatepass"))


def _refuse(path: str, detail: str, code: JudgeErrorCode = "schema") -> NoReturn:
    raise JudgeError(code, path, detail)


def check_schema(schema: object) -> int:
    """Checks that a schema can be judged.

    :returns: the number of its parts, with references followed
    :raises JudgeError: ``schema``, ``pattern`` or ``cost``
    """
    if not isinstance(schema, dict):
        _refuse("", "an object is needed")
    try:
        cost, _ = _Walk(schema).measure(schema, "", 1)
        if _length(schema) > MAX_DOCUMENT_BYTES:
            _refuse("", "it is too long", "cost")
    except CanonicalJsonError as error:
        _refuse("", str(error))
    return cost


class _Walk:
    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._known: dict[int, tuple[int, int]] = {}
        self._open: set[int] = set()

    def measure(self, part: Any, path: str, level: int) -> tuple[int, int]:
        """Returns the cost and depth of a schema at this nesting ``level``, with references followed."""
        known = (1, 1) if isinstance(part, bool) else self._known.get(id(part))
        if level + (known[1] if known else 1) - 1 > MAX_SCHEMA_DEPTH:
            _refuse(path, f"schemas nest more than {MAX_SCHEMA_DEPTH} deep, references followed")
        if known is not None:
            return known
        if not isinstance(part, dict):
            _refuse(path, "a schema is needed")
        if id(part) in self._open:
            _refuse(path, "its references make a cycle")
        self._open.add(id(part))
        cost, depth = 1, 1
        for name, value in sorted_members(part):
            here = path + pointer_step(name)
            own, children = self._keyword(part, name, value, here)
            if own:
                cost = _add(cost, own, here)
            for child, at, pattern in children:
                if pattern is not None:
                    cost = _add(cost, _pattern_cost(pattern, here), here)
                inner = self.measure(child, at, level + 1)
                cost = _add(cost, inner[0], here)
                depth = max(depth, inner[1] + 1)
        self._open.discard(id(part))
        self._known[id(part)] = cost, depth
        return cost, depth

    def _keyword(
        self, part: dict[str, Any], name: str, value: Any, here: str
    ) -> tuple[int, list[tuple[Any, str, str | None]]]:
        """Returns the keyword's own cost, and the schemas in it, each with its path and pattern."""
        form = _PLAIN.get(name) or _ANNOTATIONS.get(name)
        if form is not None:
            if name == "multipleOf" and not (is_number(value) and value % 1 == 0 and abs(value) <= MAX_SAFE_INTEGER):
                # JSON Schema engines disagree about fractions.
                _refuse(here, "a whole number is needed: count in the smallest unit")
            if name == "enum" and value == []:
                _refuse(here, "at least one value is needed")
            if not form(value):
                _refuse(here, "this value has not the form that 2020-12 asks for")
            if name in _ANNOTATIONS:
                return 0, []
            return -(-_length(value) // 16) + (_UNIQUE_ITEMS_COST if name == "uniqueItems" else 0), []
        if name == "$schema":
            if part is not self._root or value != DIALECT:
                _refuse(here, f"only {DIALECT}")
            return 0, []
        if name == "$ref":
            return 0, [(self._target(value, here), here, None)]
        if name == "pattern":
            return _pattern_cost(value, here), []
        if name in _ONE_SCHEMA:
            return 0, [(value, here, None)]
        if name in _SCHEMA_LISTS:
            if not isinstance(value, list):
                _refuse(here, "a list of schemas is needed")
            if not value:
                _refuse(here, "at least one schema is needed")
            return 0, [(item, f"{here}/{index}", None) for index, item in enumerate(value)]
        if name in _SCHEMA_MAPS:
            if not isinstance(value, dict):
                _refuse(here, "an object of schemas is needed")
            if any(key == "__proto__" or (name != "properties" and key.startswith("$")) for key in value):
                # Some compilers ignore ``__proto__`` silently, and treat names with ``$`` as keywords.
                _refuse(here, "a member of this name is not judged")
            return 0, [
                (item, here + pointer_step(key), key if name == "patternProperties" else None)
                for key, item in sorted_members(value)
            ]
        _refuse(here, "this keyword is not judged")

    def _target(self, reference: Any, path: str) -> Any:
        """Resolves ``#``, or ``#/`` and a JSON Pointer without spaces or percent signs."""
        if not isinstance(reference, str) or not re.fullmatch(rf"#(/[^%{_SPACES}]*)?", reference):
            _refuse(path, 'references stay inside the schema: "#/$defs/…"')
        found = referred(self._root, reference)
        if found is None:
            _refuse(path, "it leads nowhere")
        return found


def referred(root: Any, reference: str) -> Any:
    """Returns the part that a checked reference names, or None."""
    found = root
    for step in reference.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and re.fullmatch(r"0|[1-9][0-9]{0,5}", name) and int(name) < len(found):
            found = found[int(name)]
        else:
            return None
    return found


def _add(total: int, more: int, path: str) -> int:
    if total + more > MAX_SCHEMA_COST:
        _refuse(path, "it has too many parts", "cost")
    return total + more


def _length(value: Any) -> int:
    """Returns the length of the canonical text in UTF-16 units, as in JavaScript."""
    return len(canonicalize(value).encode("utf-16-le")) // 2


def _pattern_cost(pattern: object, path: str) -> int:
    if not isinstance(pattern, str):
        _refuse(path, "a pattern is text")
    try:
        return parse_pattern(pattern).cost
    except PatternError as error:
        _refuse(path, str(error), "pattern")
