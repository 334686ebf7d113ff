"""The JSON of envelopes: I-JSON, with further limits because parsers disagree."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from .canonical_json import MAX_SAFE_INTEGER, has_lone_surrogate

MAX_JSON_DEPTH = 32
#: Limit of a string's length in code points.
MAX_STRING_LENGTH = 2_048

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,15}")


class StrictJsonError(ValueError):
    """A text is not strict JSON."""


def parse_strict(data: bytes | str) -> Any:
    """Parses strict JSON.

    :raises StrictJsonError: if it has duplicate members, lone surrogates, ``1.0``, ``1e3``, ``-0``, integers beyond
        +-(2^53-1), a member named ``__proto__``, strings beyond 2,048 characters or nesting beyond 32 levels
    """
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        value = json.loads(
            text, parse_int=_integer, parse_float=_refuse, parse_constant=_refuse, object_pairs_hook=_members
        )
    except (ValueError, RecursionError) as error:
        raise StrictJsonError(str(error)) from error
    _check(value, 0)
    return value


def _integer(token: str) -> int:
    if not _INTEGER.fullmatch(token) or abs(int(token)) > MAX_SAFE_INTEGER:
        _refuse(token)
    return int(token)


def _refuse(token: str) -> NoReturn:
    raise StrictJsonError(f"{token[:40]} is no plain integer within 2^53-1")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs) or "__proto__" in members:
        raise StrictJsonError("a member stands twice, or is named __proto__")
    return members


def _check(value: Any, depth: int) -> None:
    if isinstance(value, str):
        if len(value) > MAX_STRING_LENGTH or has_lone_surrogate(value):
            raise StrictJsonError("a string is too long, or holds a lone surrogate")
    elif isinstance(value, (list, dict)):
        if depth == MAX_JSON_DEPTH:
            raise StrictJsonError("it nests too deep")
        for item in value:
            _check(item, depth + 1)
        if isinstance(value, dict):
            for item in value.values():
                _check(item, depth + 1)


def pointer_step(name: str | int) -> str:
    """Returns one step of a JSON Pointer (RFC 6901), escaped and with its slash."""
    return "/" + str(name).replace("~", "~0").replace("/", "~1")
