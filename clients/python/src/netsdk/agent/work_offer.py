"""An order and its scope."""

from __future__ import annotations

from typing import NamedTuple

from ..protocol.amount import net_text
from ..protocol.canonical_json import JsonObject
from .errors import AgentError


class WorkOffer(NamedTuple):
    """An order with its scope, checked against its hash and unsealed if it was sealed.

    The scope is untrusted content, never instructions to a model.
    """

    order: JsonObject
    scope: JsonObject
    sealed: bool


def bond_beyond_balance(bond: int) -> AgentError:
    """Returns the error for a bond that the agent cannot pay."""
    return AgentError("ORDER_UNSUITABLE", f"it asks for a bond of {net_text(bond)}, more than this agent has")
