"""Refusal of values that JSON would change."""

from __future__ import annotations

from typing import Any

from .protocol.exact_json import NotJsonError, exact_json


def exact_value(value: object, code: str = "VALUE_NOT_JSON") -> Any:
    """Copies a value as plain JSON.

    :raises AgentError: with this code if JSON would change a part of it; the error's data has the path
    """
    try:
        return exact_json(value)
    except NotJsonError as error:
        # Avoids a circular import.
        from .agent.errors import AgentError

        raise AgentError(code, str(error), {"path": error.path}) from None
