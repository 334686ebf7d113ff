"""Amounts as people write them."""

from __future__ import annotations

import re

from ..protocol.canonical_json import MAX_SAFE_INTEGER
from .errors import AgentError

_AMOUNT = re.compile(r"(\d{1,10})(?:\.(\d{1,6}))?\s*NET", re.IGNORECASE | re.ASCII)


def unet_of(amount: str | int) -> int:
    """An amount as people write it.

    :param amount: ``'1 NET'``, ``'0.5NET'``, or a whole number of unet
    :raises AgentError: AMOUNT_INVALID
    """
    if isinstance(amount, int) and not isinstance(amount, bool) and 0 <= amount <= MAX_SAFE_INTEGER:
        return amount
    match = _AMOUNT.fullmatch(amount.strip()) if isinstance(amount, str) else None
    if match is None:
        raise AgentError("AMOUNT_INVALID", repr(amount))
    return int(match[1]) * 1_000_000 + int((match[2] or "").ljust(6, "0"))
