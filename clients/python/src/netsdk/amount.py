"""Conversion of amounts that people write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import AmountError
from .protocol.amount import parse_amount
from .tables import AMOUNTS


def in_unet(action: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Converts text amounts of a payload to unet, by the schema of its action. Raises AmountError if one is invalid."""
    converted: dict[str, Any] = _converted(dict(payload), AMOUNTS.get(action, {}), "")
    return converted


def unet_at(path: str, amount: str | int) -> int:
    """Converts an amount to unet; integers are unet already. Raises AmountError if it is invalid."""
    converted: int = _converted(amount, True, path)
    return converted


def _converted(value: Any, places: Any, path: str) -> Any:
    if places is True:
        if isinstance(value, float) and not value.is_integer():
            raise AmountError(path, str(value))
        if not isinstance(value, str):
            return value
        unet = parse_amount(value, None)
        if unet is None:
            raise AmountError(path, value)
        return unet
    if isinstance(places, list):
        if not isinstance(value, (list, tuple)):
            return value
        return [_converted(each, places[0], f"{path}/{number}") for number, each in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    inside = {name: _converted(value[name], place, f"{path}/{name}") for name, place in places.items() if name in value}
    return {**value, **inside}
