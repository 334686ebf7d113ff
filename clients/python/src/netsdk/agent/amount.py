"""Conversion of amounts that the owner of an agent gives."""

from __future__ import annotations

import reprlib

from ..arguments import refuse
from ..protocol.amount import parse_amount
from ..protocol.canonical_json import MAX_SAFE_INTEGER


def unet_of(amount: str | int, name: str) -> int:
    """Converts an amount to unet.

    :param amount: ``'1 NET'``, ``'0.5NET'``, ``'500000 unet'``, or a number of unet
    :param name: of the argument
    :raises AgentError: AMOUNT_INVALID
    """
    if isinstance(amount, int) and not isinstance(amount, bool) and 0 <= amount <= MAX_SAFE_INTEGER:
        return amount
    unet = parse_amount(amount, None) if isinstance(amount, str) else None
    if unet is None:
        refuse("AMOUNT_INVALID", f"{name}: {reprlib.repr(amount)}", f"/{name}")
    return unet
