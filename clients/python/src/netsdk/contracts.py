"""Generated tables of actions, errors and formats."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal

from .protocol.canonical_json import JsonObject


@cache
def contract(name: Literal["actions", "errors", "formats"]) -> JsonObject:
    """Loads a table from the wheel, or from ``contract/`` of a checkout."""
    packed = resources.files(__package__).joinpath(f"contract/{name}.json")
    if packed.is_file():
        text = packed.read_text("utf-8")
    else:
        text = (Path(__file__).parents[4] / f"contract/{name}.json").read_text("utf-8")
    table: JsonObject = json.loads(text)
    return table


@cache
def actions_by_name() -> dict[str, JsonObject]:
    """Returns the table of actions by name."""
    return {action["name"]: action for action in contract("actions")["actions"]}
