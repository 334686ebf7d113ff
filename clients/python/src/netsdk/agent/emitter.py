"""Events of an agent for its listeners."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

from .errors import described
from .handler_call import call


class Emitter:
    """Emits events to listeners. An exception in one listener does not affect the others."""

    def __init__(self, log: Callable[[str], None] | None) -> None:
        self._log = log or (lambda line: None)
        #: Number of events by name since the agent was opened.
        self.counts: dict[str, int] = {}
        self._listeners: dict[str, list[Callable[..., Any]]] = {}
        #: Called with each event, before its listeners.
        self.tap: Callable[[str, dict[str, Any]], None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def on(self, name: str, listener: Callable[..., Any]) -> None:
        """Adds a listener."""
        self._listeners.setdefault(name, []).append(listener)

    def has(self, name: str) -> bool:
        """Returns True if an event has listeners."""
        return bool(self._listeners.get(name))

    def emit(self, name: str, **facts: Any) -> None:
        """Calls every listener of the event. If there is none, writes a line to the log."""
        if not self.has(name):
            shown = {key: _shown(value) for key, value in facts.items()}
            self._log(f"{name}  {', '.join(f'{key}: {value}' for key, value in shown.items() if value is not None)}")
        self.note(name, **facts)

    def note(self, name: str, **facts: Any) -> None:
        """Emits an event that no log needs."""
        self.counts[name] = self.counts.get(name, 0) + 1
        if self.tap is not None:
            self.tap(name, facts)
        for listener in self._listeners.get(name, []):
            self.tell(name, listener, facts)

    def tell(self, name: str, listener: Callable[..., Any], facts: dict[str, Any]) -> None:
        """Calls one listener in a task."""
        task = asyncio.get_running_loop().create_task(self._tell(name, listener, facts))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell(self, name: str, listener: Callable[..., Any], facts: dict[str, Any]) -> None:
        try:
            await call(listener, facts)
        except Exception as error:
            self._log(f"a listener of {name} raised: {described(error)}")

    def warn(self, error: BaseException, about: str = "") -> None:
        """Emits a warning about an error that does not stop the agent."""
        code, said = getattr(error, "code", "UNEXPECTED"), described(error)
        self.emit("warning", code=code, message=f"{about}: {said}" if about else said)

    async def heard(self) -> None:
        """Waits up to five seconds for pending listeners."""
        if self._tasks:
            await asyncio.wait(list(self._tasks), timeout=5)


def _shown(value: Any) -> str | None:
    if isinstance(value, list):
        return "; ".join(value) if value and all(isinstance(each, str) for each in value) else None
    if isinstance(value, BaseException):
        return described(value)
    return None if isinstance(value, dict) else str(value)


def print_line(line: str) -> None:
    """Prints a line of the log. This is the default ``log`` of an agent."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
