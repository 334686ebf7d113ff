"""Exact numbers in untrusted JSON, of bounded length. Keep in step with ``packages/protocol/src/judge``.

Whole numbers become ints. Others become Decimals without trailing zeros.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from ..protocol.strict_json import pointer_step
from .document import MAX_DOCUMENT_DEPTH, shape_of
from .judge_error import JudgeError

MAX_NUMBER_DIGITS = 400

_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
_TOO_LONG = object()


def exact_number(text: str) -> Any:
    """Parses a JSON number. Returns a marker if the number is too long."""
    found = _NUMBER.fullmatch(text)
    assert found is not None
    sign, whole, fraction, power = found[1], found[2], found[3] or "", found[4] or "0"
    digits = whole + fraction
    if len(digits) > MAX_NUMBER_DIGITS or len(power) > 4 or abs(int(power)) > MAX_NUMBER_DIGITS:
        return _TOO_LONG
    kept = digits.rstrip("0")
    exponent = int(power) - len(fraction) + len(digits) - len(kept)
    kept = kept.lstrip("0")
    if not kept:
        return 0
    if exponent >= 0:
        return int(sign + kept) * 10**exponent
    return Decimal(f"{sign}{kept}e{exponent}")


def exact_value(value: Any) -> Any:
    """Converts the floats of parsed JSON to exact numbers, by their shortest decimal form."""
    if isinstance(value, list):
        return [exact_value(item) for item in value]
    if isinstance(value, dict):
        return {name: exact_value(item) for name, item in value.items()}
    return exact_number(repr(value)) if isinstance(value, float) else value


def parse_exact_json(text: str) -> Any:
    """Parses JSON. The last of duplicate members counts.

    :raises ValueError: if the text is not JSON, or nests too deep
    :raises JudgeError: ``number``
    """
    too_long = False

    def number(token: str) -> Any:
        nonlocal too_long
        if len(token) < 16 and token.isdigit():
            return int(token)
        value = exact_number(token)
        too_long = too_long or value is _TOO_LONG
        return value

    if shape_of(text)[0] > MAX_DOCUMENT_DEPTH:
        raise ValueError("the text nests too deep")
    value = json.loads(text, parse_int=number, parse_float=number, parse_constant=_no_constant)
    if too_long:
        message = f"a number has more than {MAX_NUMBER_DIGITS} digits, or such an exponent"
        raise JudgeError("number", _path_of_too_long(value) or "", message)
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _path_of_too_long(value: Any) -> str | None:
    if value is _TOO_LONG:
        return ""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in members:
        path = _path_of_too_long(item)
        if path is not None:
            return pointer_step(step) + path
    return None
