"""An order of an agent for programs without asyncio."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Generic, Protocol, TypeVar

from ..protocol.canonical_json import JsonObject
from .agent_events import HireListening
from .hired import AsyncHired, HireResult
from .typed import Out

T = TypeVar("T")


class Run(Protocol):
    """A function that runs a coroutine to its end."""

    def __call__(self, work: Coroutine[Any, Any, T], /) -> T: ...  # noqa: D102


class Hired(HireListening, Generic[Out]):
    """An :class:`AsyncHired` whose methods block. Its listeners are plain functions, each called on its own thread."""

    def __init__(self, hired: AsyncHired[Out], run: Run) -> None:
        self._hired = hired
        self._run = run
        self.order_id = hired.order_id
        self.scope = hired.scope
        self.receipt = hired.receipt

    def _on(self, name: str) -> Callable[[Any], Any]:
        def listen(listener: Any) -> Any:
            async def add() -> None:
                self._hired._add(name, listener)

            self._run(add())
            return listener

        return listen

    def __repr__(self) -> str:
        return repr(self._hired).replace("AsyncHired", "Hired", 1)

    def _repr_html_(self) -> str:
        return self._hired._repr_html_()

    def order(self, *, timeout: float | None = None) -> JsonObject:
        """As :meth:`AsyncHired.order`."""
        return self._run(self._hired.order(timeout=timeout))

    def result(self, *, timeout: float | None = None) -> HireResult[Out]:
        """As :meth:`AsyncHired.result`."""
        return self._run(self._hired.result(timeout=timeout))

    def accept(self, *, timeout: float | None = None) -> JsonObject:
        """As :meth:`AsyncHired.accept`."""
        return self._run(self._hired.accept(timeout=timeout))

    def dispute(self, reason: str, *, bond: str | int | None = None, timeout: float | None = None) -> JsonObject:
        """As :meth:`AsyncHired.dispute`."""
        return self._run(self._hired.dispute(reason, bond=bond, timeout=timeout))

    def cancel(self, *, timeout: float | None = None) -> JsonObject:
        """As :meth:`AsyncHired.cancel`."""
        return self._run(self._hired.cancel(timeout=timeout))
