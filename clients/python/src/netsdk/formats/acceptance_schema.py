"""Judges deliverables by untrusted JSON Schemas.

Allows a fixed list of keywords, acyclic references within the schema, patterns without backtracking, and a bounded
cost. Keep in step with docs/formats.md and ``packages/formats/src/acceptance-schema.ts``.
"""

from __future__ import annotations

import math
import re
from typing import Any, NoReturn

import jsonschema_rs

from ..protocol.canonical_json import CanonicalJsonError, canonicalize
from ..protocol.strict_json import pointer_step
from .document import MAX_DOCUMENT_BYTES
from .errors import FormatError
from .pattern import PatternError, pattern_cost

DIALECT = "https://json-schema.org/draft/2020-12/schema"
#: Limit of parts after all references are followed, pattern instructions included.
MAX_SCHEMA_COST = 20_000
#: Limit of nesting with references followed: judges recurse.
MAX_SCHEMA_DEPTH = 64
#: Limit of schema parts times bytes of the deliverable.
MAX_JUDGEMENT_COST = 64 * 1024 * 1024
#: Extra parts, because items are compared pairwise.
UNIQUE_ITEMS_COST = 16

_ONE_SCHEMA = frozenset(
    "items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if then else".split()
)
_SCHEMA_LISTS = frozenset("allOf anyOf oneOf prefixItems".split())
_SCHEMA_MAPS = frozenset("properties patternProperties dependentSchemas $defs".split())
_PLAIN = frozenset(
    "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength maxItems minItems"
    " uniqueItems maxContains minContains maxProperties minProperties required dependentRequired".split()
)
#: Not judged.
_ANNOTATIONS = frozenset(
    "$comment title description default examples deprecated readOnly writeOnly format contentEncoding"
    " contentMediaType".split()
)
#: White space in JavaScript.
_SPACES = r"\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_LINEAR = jsonschema_rs.RegexOptions(size_limit=64 * 1024 * 1024)


def _refuse(path: str, detail: str) -> NoReturn:
    raise FormatError("SCOPE_UNJUDGEABLE", path, detail)


def check_acceptance_schema(schema: object) -> int:
    """Checks that a schema can be judged.

    :returns: its parts after all references are followed
    :raises FormatError: SCOPE_UNJUDGEABLE if it cannot be judged
    """
    return _Walk(schema).cost()


class _Walk:
    def __init__(self, schema: object) -> None:
        if not isinstance(schema, dict):
            _refuse("", "an object is needed")
        self._root = schema
        #: Cost and depth of each measured schema, by id.
        self._known: dict[int, tuple[int, int]] = {}
        self._open: set[int] = set()
        #: Known depth of each open schema, innermost last.
        self._depths: list[int] = []

    def cost(self) -> int:
        try:
            if _length(self._root) > MAX_DOCUMENT_BYTES:
                _refuse("", "it is too long")
        except CanonicalJsonError as error:
            _refuse("", str(error))
        total = self._schema(self._root, "")
        try:
            _compile(self._root)
        except jsonschema_rs.ValidationError as error:  # a keyword of the wrong form
            place = "".join(map(pointer_step, error.instance_path))
            _refuse(place, error.message[:200])
        except Exception as error:  # a pattern that the engine does not know
            _refuse("", str(error)[:200])
        return total

    def _schema(self, part: Any, path: str) -> int:
        cost, depth = self._measure(part, path)
        if self._depths:
            self._depths[-1] = max(self._depths[-1], depth + 1)
        return cost

    def _measure(self, part: Any, path: str) -> tuple[int, int]:
        """Returns the cost and depth of a schema."""
        known = (1, 1) if isinstance(part, bool) else self._known.get(id(part))
        if len(self._depths) + (known[1] if known else 1) > MAX_SCHEMA_DEPTH:
            _refuse(path, f"schemas nest more than {MAX_SCHEMA_DEPTH} deep, references followed")
        if known is not None:
            return known
        if not isinstance(part, dict):
            _refuse(path, "a schema is needed")
        if id(part) in self._open:
            _refuse(path, "its references make a cycle")
        self._open.add(id(part))
        self._depths.append(1)
        total = 1
        for name, value in part.items():
            here = path + pointer_step(name)
            total += self._keyword(part, name, value, here)
            if total > MAX_SCHEMA_COST:
                _refuse(here, "it has too many parts")
        self._open.discard(id(part))
        measured = total, self._depths.pop()
        self._known[id(part)] = measured
        return measured

    def _keyword(self, part: dict[str, Any], name: str, value: Any, here: str) -> int:
        if name == "$schema":
            if part is not self._root or value != DIALECT:
                _refuse(here, f"only {DIALECT}")
            return 0
        if name == "$ref":
            return self._schema(self._target(value, here), here)
        if name == "pattern":
            return _pattern_cost(value, here)
        if name in _ONE_SCHEMA:
            return self._schema(value, here)
        if name in _SCHEMA_LISTS:
            if not isinstance(value, list):
                _refuse(here, "a list of schemas is needed")
            return sum(self._schema(item, f"{here}/{index}") for index, item in enumerate(value))
        if name in _SCHEMA_MAPS:
            if not isinstance(value, dict):
                _refuse(here, "an object of schemas is needed")
            patterns = value if name == "patternProperties" else ()
            if "__proto__" in value:
                # Some compilers ignore it silently.
                _refuse(here, "a member of this name is not judged")
            if name != "properties" and any(key.startswith("$") for key in value):
                # Compilers treat it as a keyword.
                _refuse(here, "a member of this name is not judged")
            cost = sum(_pattern_cost(pattern, here) for pattern in patterns)
            return cost + sum(self._schema(item, f"{here}/{key}") for key, item in value.items())
        if name == "enum" and value == []:
            _refuse(here, "at least one value is needed")
        if name == "multipleOf" and not _is_whole(value):
            # Engines disagree on fractions.
            _refuse(here, "a whole number is needed: count in the smallest unit")
        if name in _PLAIN:
            more = UNIQUE_ITEMS_COST if name == "uniqueItems" else 0
            return math.ceil(_length(value) / 16) + more
        if name in _ANNOTATIONS:
            return 0
        _refuse(here, "this keyword is not judged")

    def _target(self, reference: Any, path: str) -> Any:
        """Resolves ``#``, or ``#/`` and a JSON Pointer without spaces or percent signs."""
        if not isinstance(reference, str) or not re.fullmatch(rf"#(/[^%{_SPACES}]*)?", reference):
            _refuse(path, 'references stay inside the schema: "#/$defs/…"')
        found: Any = self._root
        for step in reference.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(found, dict) and name in found:
                found = found[name]
            elif isinstance(found, list) and re.fullmatch(r"0|[1-9][0-9]{0,5}", name) and int(name) < len(found):
                found = found[int(name)]
            else:
                _refuse(path, "it leads nowhere")
        return found


def _is_whole(value: object) -> bool:
    """Like ``Number.isSafeInteger``: 2.0 is whole."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value % 1 == 0 and abs(value) < 2**53


def _length(value: Any) -> int:
    """Returns the canonical length in UTF-16 units, as in JavaScript."""
    return len(canonicalize(value).encode("utf-16-le")) // 2


def _pattern_cost(pattern: object, path: str) -> int:
    if not isinstance(pattern, str):
        _refuse(path, "a pattern is text")
    try:
        return pattern_cost(pattern)
    except PatternError as error:
        _refuse(path, str(error))


class _MultipleOf:
    """``multipleOf`` for safe integers; the built-in one divides doubles."""

    def __init__(self, _parent: object, divisor: float, _path: object) -> None:
        self._divisor = divisor

    def validate(self, instance: object) -> None:
        if isinstance(instance, bool) or not isinstance(instance, (int, float)):
            return
        if not (_is_whole(instance) and instance % self._divisor == 0):
            raise ValueError("must be a whole multiple of what the schema names")


def _compile(schema: dict[str, Any]) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(
        schema, validate_formats=False, pattern_options=_LINEAR, keywords={"multipleOf": _MultipleOf}
    )


def judge_by_schema(schema: dict[str, Any], deliverable: Any, byte_length: int) -> tuple[bool, str]:
    """Judges a JSON value, and describes the first violation.

    Fails if judging would exceed MAX_JUDGEMENT_COST.

    :param byte_length: of the deliverable as text
    :raises FormatError: SCOPE_UNJUDGEABLE
    """
    if check_acceptance_schema(schema) * byte_length > MAX_JUDGEMENT_COST:
        return False, f"judging {byte_length} bytes by this schema costs too much"
    try:
        # Stop at the first: a violation needs more memory than its value.
        _compile(schema).validate(_as_doubles(deliverable))
    except jsonschema_rs.ValidationError as error:
        place = "".join(f"/{step}" for step in error.instance_path)
        return False, f"{place or 'the deliverable'} {error.message[:200]}"
    except ValueError:  # an infinite number
        return False, "the deliverable holds a number that is too large"
    return True, ""


def _as_doubles(value: Any) -> Any:
    """Converts large integers to doubles, as JavaScript does."""
    if isinstance(value, list):
        return [_as_doubles(item) for item in value]
    if isinstance(value, dict):
        return {name: _as_doubles(item) for name, item in value.items()}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return float(value)
    return value
