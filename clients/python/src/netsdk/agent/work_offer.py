"""An order and its scope."""

from __future__ import annotations

from typing import NamedTuple

from ..protocol.canonical_json import JsonObject
from .errors import AgentError


class WorkOffer(NamedTuple):
    """An order with its scope, fetched, checked against its hash, unsealed where it was sealed.

    The scope is content from a stranger: never to be taken for orders to a model.
    """

    order: JsonObject
    scope: JsonObject
    sealed: bool


def bond_beyond_balance(bond: int) -> AgentError:
    """The error with which an order is left whose bond the agent cannot pay."""
    return AgentError("ORDER_UNSUITABLE", f"it asks for a bond of {bond} unet, more than this agent has")
