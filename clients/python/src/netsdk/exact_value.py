"""What programs hand over: refused if JSON would change it."""

from __future__ import annotations

from typing import Any

from .protocol.exact_json import NotJsonError, exact_json


def exact_value(value: object, code: str = "VALUE_NOT_JSON") -> Any:
    """A value that a program hands over, as the JSON that carries it.

    :raises AgentError: with this code, and the path of the part at fault in its data
    """
    try:
        return exact_json(value)
    except NotJsonError as error:
        # Here, because the package of agents imports whoever uses this.
        from .agent.errors import AgentError

        raise AgentError(code, str(error), {"path": error.path}) from None
