"""Amounts as people write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import AmountError
from .protocol.amount import parse_amount
from .tables import AMOUNTS


def in_unet(action: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The payload with its amounts in unet, as it is signed: words become numbers where the schema of the action has an
    amount of NET. Numbers stay as they are.

    :raises AmountError: for a word that is none
    """
    converted: dict[str, Any] = _converted(dict(payload), AMOUNTS.get(action, {}), "")
    return converted


def unet_at(path: str, amount: str | int) -> int:
    """One amount, as a word or already in unet.

    :raises AmountError: for a word that is none
    """
    converted: int = _converted(amount, True, path)
    return converted


def _converted(value: Any, places: Any, path: str) -> Any:
    if places is True:
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
