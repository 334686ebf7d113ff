"""Amounts that the owner of an agent writes."""

from __future__ import annotations

from ..amount import parse_net
from ..protocol.canonical_json import MAX_SAFE_INTEGER
from .errors import AgentError


def unet_of(amount: str | int) -> int:
    """An amount as people write it.

    :param amount: ``'1 NET'``, ``'0.5NET'``, or a whole number of unet
    :raises AgentError: AMOUNT_INVALID
    """
    if isinstance(amount, int) and not isinstance(amount, bool) and 0 <= amount <= MAX_SAFE_INTEGER:
        return amount
    unet = parse_net(amount) if isinstance(amount, str) else None
    if unet is None:
        raise AgentError("AMOUNT_INVALID", repr(amount))
    return unet
