"""Cells of a notebook: an agent that a cell opens again, and the progress line of an order."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from ..protocol.canonical_json import JsonObject
from .errors import AgentError
from .home import AgentState, is_held

#: Seconds between two updates of a progress line.
LOOK = 0.5
#: Options of ``open`` that a second run of a cell makes again, or that do not change the agent.
_ASIDE = {"log", "reach", "timeout"}
_PHASES = {
    "VERIFIED": "verified",
    "UNJUDGED": "not judged",
    "VOTED_DOWN": "voted down",
    "CONTESTED": "disputed",
    "DISPUTED": "disputed",
}


def shell_of_cell() -> Any:
    """Returns IPython's shell if this is the thread of its cells. Returns None in every other program."""
    find = getattr(sys.modules.get("IPython"), "get_ipython", None)
    is_main = threading.current_thread() is threading.main_thread()
    return find() if is_main and find is not None else None


class _Opened(NamedTuple):
    agent: Any
    asked: tuple[Any, ...]


#: By the place of their state.
_opened: dict[str, _Opened] = {}


def asked_for(owner: object, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> tuple[Any, ...]:
    """Returns what a call of ``open`` asked for, to compare two calls.

    :param owner: the event loop of an asynchronous agent, which only this loop can stop; and the method
    """
    return owner, arguments, {name: value for name, value in options.items() if name not in _ASIDE}


def earlier_agent(error: AgentError, asked: tuple[Any, ...]) -> Any:
    """Returns the agent that an earlier run of the cell opened in the same way, to be stopped. Returns None for other
    errors, and outside of cells, so that a server never loses its agent.

    :raises AgentError: AGENT_RUNNING with the way out of a notebook, if the agent was opened in another way
    """
    place = error.data.get("place") if error.code == "AGENT_RUNNING" else None
    if place is None or shell_of_cell() is None:
        return None
    earlier = _opened.get(place)
    if earlier is not None and earlier.asked == asked:
        return earlier.agent
    way_out = "opened elsewhere or with other options; call stop() on that agent, or restart the kernel"
    raise AgentError("AGENT_RUNNING", f"this kernel already runs it, in {place}, {way_out}", error.data) from error


def remember(agent: object, state: AgentState, asked: tuple[Any, ...]) -> None:
    """Keeps an agent that a cell has opened until its state is released, because the cell may have kept no name."""
    if shell_of_cell() is None:
        return
    for place in [each for each in _opened if not is_held(each)]:
        del _opened[place]
    _opened[state.place] = _Opened(agent, asked)


def steps_of(order: JsonObject | None) -> list[str]:
    """Returns the steps that an order has taken, in words."""
    known = order or {}
    steps = ["created"]
    if known.get("workerId"):
        steps.append(f"accepted by {known['workerId']}")
    if known.get("result"):
        steps.append("delivered")
    verification = known.get("verification") or {}
    if votes := verification.get("votes"):
        steps.append(f"voted ({len(votes)} of {len(verification['committee'])})")
    if known.get("phase") in _PHASES:
        steps.append(_PHASES[known["phase"]])
    if known.get("status") == "PAID":
        steps.append("paid")
    if known.get("status") == "REJECTED":
        steps.append(f"ended unpaid ({known.get('reason')})")
    return steps


class ProgressLine:
    """A line below a cell with the steps of an order and the elapsed time, updated in place."""

    def __init__(self, order_id: str, order: Callable[[], JsonObject | None]) -> None:
        self._order_id = order_id
        self._order = order
        self._began = time.monotonic()
        self._shown = self._text()
        display = import_module("IPython.display").display
        self._handle = display({"text/plain": self._shown}, raw=True, display_id=True)

    def update(self) -> None:
        """Shows the present state."""
        text = self._text()
        if text != self._shown:
            self._shown = text
            self._handle.update({"text/plain": text}, raw=True)

    def _text(self) -> str:
        return f"{self._order_id}: {' → '.join(steps_of(self._order()))}, {time.monotonic() - self._began:.0f} s"


def progress_line(order_id: str, order: Callable[[], JsonObject | None]) -> ProgressLine | None:
    """Shows a progress line if this is a cell of a notebook. A terminal could not update it in place.

    :param order: returns the order as last read, None before that
    """
    if getattr(shell_of_cell(), "kernel", None) is None:
        return None
    return ProgressLine(order_id, order)
