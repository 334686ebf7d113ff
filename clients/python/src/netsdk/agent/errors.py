"""The errors of agents."""

from __future__ import annotations

import os
import sysconfig
import traceback
from collections.abc import Mapping
from pathlib import Path
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


#: Folders of code that is not the program's own: this package and the standard library.
_OTHERS = (str(Path(__file__).parents[1]), sysconfig.get_paths()["stdlib"])


def described(error: BaseException) -> str:
    """Returns the message of an error. If the error is not of this package, adds its class and the line that raised it.

    With NET_DEBUG=1 in the environment, returns the whole traceback instead.
    """
    if isinstance(error, NetsdkError):
        return str(error)
    if os.environ.get("NET_DEBUG"):
        return "".join(traceback.format_exception(error)).rstrip()
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(_OTHERS) and "-packages" not in frame.filename
    ]
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


def code_of(error: BaseException) -> str:
    """Returns the code of an error of this package; ``UNEXPECTED`` for other errors."""
    return error.code if isinstance(error, NetsdkError) else "UNEXPECTED"
