"""NET-WORK-SCOPE/1: the scope of an order, and the conditions of its deliverable."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema_rs

from ..contracts import contract
from ..protocol.canonical_json import JsonObject
from .check_schema import MAX_JUDGEMENT_COST, check_schema
from .document import Format, json_pointer
from .errors import FormatError
from .judge_error import JudgeError


def _refuse(path: str, detail: str) -> None:
    raise FormatError("SCOPE_UNJUDGEABLE", path, detail)


@cache
def _conditions() -> dict[str, jsonschema_rs.Draft202012Validator]:
    """Returns a validator for each kind. The union's validator would report members of other kinds."""
    kinds = contract("formats")["formats"]["WorkScope"]["properties"]["acceptance"]["items"]["anyOf"]
    return {one["properties"]["kind"]["const"]: jsonschema_rs.Draft202012Validator(one) for one in kinds}


def _require_conditions(scope: Any) -> None:
    """Refuses a scope with conditions that verifiers would not judge, before anyone works on it."""
    acceptance = scope.get("acceptance") if isinstance(scope, dict) else None
    if not isinstance(acceptance, list):
        return
    if not acceptance:
        _refuse("/acceptance", "at least one condition is needed")
    for index, condition in enumerate(acceptance):
        path = f"/acceptance/{index}"
        if not isinstance(condition, dict):
            raise FormatError("SCOPE_UNJUDGEABLE", path, "an object is needed")
        kind = condition.get("kind")
        validator = _conditions().get(kind) if isinstance(kind, str) else None
        if validator is None:
            raise FormatError("SCOPE_UNJUDGEABLE", f"{path}/kind", f"must be one of {', '.join(_conditions())}")
        error = next(iter(validator.iter_errors(condition)), None)
        if error is not None:
            _refuse(path + json_pointer(error.instance_path), error.message[:200])


def _check(scope: JsonObject) -> None:
    cost = 0
    for index, condition in enumerate(scope["acceptance"]):
        path = f"/acceptance/{index}"
        if condition["kind"] == "json-schema":
            cost += _cost_of_schema(condition["schema"], f"{path}/schema")
            _require_judgeable(cost, scope["deliverable"]["maxBytes"], f"{path}/schema")
        if condition["kind"] == "chain-replay" and condition["to"] < condition["from"]:
            _refuse(f"{path}/to", "must not be below from")


def _cost_of_schema(schema: JsonObject, path: str) -> int:
    try:
        return check_schema(schema)
    except JudgeError as error:
        raise FormatError("SCOPE_UNJUDGEABLE", path + error.path, str(error)) from error


def _require_judgeable(cost: int, max_bytes: int, path: str) -> None:
    if cost * max_bytes > MAX_JUDGEMENT_COST:
        most = MAX_JUDGEMENT_COST // cost
        detail = (
            f"judging {max_bytes} bytes by it, after the conditions before it, costs too much:"
            f" ask for at most {most}, or write smaller schemas"
        )
        _refuse(path, detail)


work_scope = Format("WorkScope", before=_require_conditions, check=_check)
