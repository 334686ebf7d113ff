"""NET-WORK-SCOPE/1: what stands behind the scopeHash of an order, and how its deliverable is judged."""

from __future__ import annotations

from ..protocol.canonical_json import JsonObject
from .acceptance_schema import check_acceptance_schema
from .document import Format
from .errors import FormatError


def _check(scope: JsonObject) -> None:
    # Whoever offers or takes the work learns now that it could not be judged.
    for index, condition in enumerate(scope["acceptance"]):
        path = f"/acceptance/{index}"
        if condition["kind"] == "json-schema":
            try:
                check_acceptance_schema(condition["schema"])
            except FormatError as error:
                raise FormatError(error.code, f"{path}/schema{error.path}", error.detail) from error
        if condition["kind"] == "chain-replay" and condition["to"] < condition["from"]:
            raise FormatError("DOCUMENT_INVALID", f"{path}/to", "must not be below from")


#: Makes and reads NET-WORK-SCOPE/1.
work_scope = Format("WorkScope", check=_check)
