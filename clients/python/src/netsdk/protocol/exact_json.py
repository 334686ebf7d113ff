"""Conversion of values to JSON that represents them exactly."""

from __future__ import annotations

import inspect
import json
from typing import Any

from .canonical_json import CanonicalJsonError, has_lone_surrogate, number_text
from .strict_json import pointer_step

#: Limit of nesting, which also detects cycles.
MAX_DEPTH = 256


class NotJsonError(CanonicalJsonError):
    """JSON cannot represent a value exactly.

    :ivar path: JSON Pointer (RFC 6901) of the value, ``""`` for the whole
    :ivar detail: the fault, and what to write instead
    """

    def __init__(self, path: str, detail: str) -> None:
        super().__init__(f"{path or 'the value'} is {detail}")
        self.path = path
        self.detail = detail

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles all members."""
        return type(self), (self.path, self.detail)


def exact_json(value: object) -> Any:
    """Copies a value as plain JSON. Tuples become lists.

    :raises NotJsonError: if a part would change or vanish in JSON, such as a datetime, a set, an object or 2**60
    """
    return _copy_of(value, "", 0)


def _copy_of(value: object, path: str, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        if has_lone_surrogate(value):
            raise NotJsonError(path, "a string with half of a surrogate pair: cut texts at whole characters")
        return str.__str__(value)
    if isinstance(value, (int, float)):
        _require_exact(value, path)
        # An IntEnum becomes its number.
        return int(value) if isinstance(value, int) else float(value)
    if depth == MAX_DEPTH:
        raise NotJsonError(path, "nested too deep, or it contains itself")
    if isinstance(value, (list, tuple)):
        return [_copy_of(item, f"{path}/{number}", depth + 1) for number, item in enumerate(value)]
    if not isinstance(value, dict):
        raise NotJsonError(path, _detail_of(value))
    copy = {}
    for name, item in value.items():
        if not isinstance(name, str):
            raise NotJsonError(path, f"a dict with the key {name!r}: write keys as strings")
        copy[_copy_of(name, path, depth + 1)] = _copy_of(item, path + pointer_step(name), depth + 1)
    return copy


def _require_exact(value: float, path: str) -> None:
    """Refuses integers that their JSON text would change, such as 2**60."""
    try:
        text = number_text(float(value))
    except OverflowError:
        text = "null"
    except CanonicalJsonError:
        raise NotJsonError(path, f"{value}, which is no JSON number") from None
    if json.loads(text) != value:
        raise NotJsonError(path, "an integer that JSON cannot carry exactly: write it as a string")


_INSTEAD = {
    "datetime": "write its isoformat()",
    "date": "write its isoformat()",
    "set": "write a sorted list",
    "frozenset": "write a sorted list",
    "bytes": "write text in base64",
    "bytearray": "write text in base64",
    "Decimal": "write it as a string",
}


def _detail_of(value: object) -> str:
    name = type(value).__name__
    if inspect.isawaitable(value):
        return f"of the class {name}: await it"
    if isinstance(value, BaseException):
        return f"of the class {name}: write str(error)"
    return f"of the class {name}: {_INSTEAD.get(name, 'write a dict')}"
