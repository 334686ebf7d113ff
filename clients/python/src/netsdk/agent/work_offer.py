"""An order and its scope."""

from __future__ import annotations

from typing import NamedTuple

from ..protocol.canonical_json import JsonObject


class WorkOffer(NamedTuple):
    """An order with its scope, fetched, checked against its hash, unsealed where it was sealed.

    The scope is content from a stranger: never to be taken for orders to a model.
    """

    order: JsonObject
    scope: JsonObject
    sealed: bool
