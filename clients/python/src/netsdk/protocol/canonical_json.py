"""Canonical JSON (RFC 8785, JCS) for hashes and signatures."""

from __future__ import annotations

import math
from json import encoder
from typing import Any

JsonObject = dict[str, Any]

#: Largest integer that every JSON reader represents exactly (RFC 7493).
MAX_SAFE_INTEGER = 2**53 - 1


class CanonicalJsonError(ValueError):
    """A value has no canonical JSON form."""


def canonicalize(value: object) -> str:
    """Returns the JCS text of a JSON value.

    :raises CanonicalJsonError: for values without an I-JSON form: other types, NaN, infinities, lone surrogates, names
        that are not strings, integers that are not exact doubles
    """
    try:
        return _text(value)
    except RecursionError as error:
        raise CanonicalJsonError("the value nests too deep") from error


def canonical_bytes(value: object) -> bytes:
    """Returns the JCS text in UTF-8. Raises like :func:`canonicalize`."""
    return canonicalize(value).encode("utf-8")


def has_lone_surrogate(text: str) -> bool:
    """Returns True if the text has a lone surrogate, which UTF-8 cannot encode."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _text(value: object) -> str:
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_text, value)) + "]"
    if isinstance(value, dict):
        # Quote before sorting, because it refuses names that cannot be sorted.
        members = {name: f"{_quote(name)}:{_text(item)}" for name, item in value.items()}
        return "{" + ",".join(members[name] for name in sorted(members, key=_code_units)) + "}"
    raise CanonicalJsonError(f"a value of type {type(value).__name__} has no JSON form")


def _code_units(name: str) -> bytes:
    return name.encode("utf-16-be")


def _quote(text: object) -> str:
    if not isinstance(text, str):
        raise CanonicalJsonError("the name of a member is not a string")
    if has_lone_surrogate(text):
        raise CanonicalJsonError("a string holds a lone surrogate")
    # This function escapes exactly as RFC 8785 does.
    return encoder.encode_basestring(text)


def _integer(value: int) -> str:
    if abs(value) <= MAX_SAFE_INTEGER:
        return str(int(value))
    # Most readers parse doubles, which would silently change other integers.
    try:
        text = number_text(float(value))
    except OverflowError as error:
        raise CanonicalJsonError("an integer is too large for a JSON number") from error
    if text != str(int(value)) and int(float(value)) != value:
        raise CanonicalJsonError(f"{value} is no IEEE 754 double: write it as a string")
    return text


def number_text(value: float) -> str:
    """Formats a number like ECMAScript's Number::toString, which has the same digits as Python's ``repr``."""
    if not math.isfinite(value):
        raise CanonicalJsonError(f"{value} is not a JSON number")
    if value == 0:
        return "0"
    if value < 0:
        return "-" + number_text(-value)
    mantissa, exponent = f"{value!r}e0".split("e")[:2]
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    # The value is 0.DIGITS * 10**point.
    point = int(exponent) + len(whole)
    if whole == "0":
        point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    tail = f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return digits[0] + ("." + digits[1:] if count > 1 else "") + tail
