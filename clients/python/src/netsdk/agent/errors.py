"""The errors of agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import NetsdkError
from ..tables import AGENT_ERRORS


class AgentError(NetsdkError):
    """A refusal by the agent itself. Branch on ``code``, and show the message.

    :ivar code: of :data:`netsdk.tables.AGENT_ERRORS`
    :ivar detail: the object at fault
    :ivar data: further facts, for example the ``path`` of the invalid member
    """

    def __init__(self, code: str, detail: str = "", data: Mapping[str, Any] | None = None) -> None:
        title, advice = AGENT_ERRORS[code]
        super().__init__(f"{title}{f' ({detail})' if detail else ''}. {advice}")
        self.code = code
        self.detail = detail
        self._data = dict(data or {})

    @property
    def data(self) -> dict[str, Any]:
        """Further facts. Their names depend on the code."""
        return self._data


def code_of(error: BaseException) -> str:
    """Returns the code of an error of this package; ``UNEXPECTED`` for other errors."""
    return error.code if isinstance(error, NetsdkError) else "UNEXPECTED"
