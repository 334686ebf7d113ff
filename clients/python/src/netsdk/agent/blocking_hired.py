"""An order of an agent for programs without asyncio."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Generic, Protocol, TypeVar

from ..protocol.canonical_json import JsonObject
from .agent_events import HireListening
from .cells import progress_line
from .hired import AsyncHired, HireResult
from .typed import Out

T = TypeVar("T")


class Run(Protocol):
    """A function that runs a coroutine to its end."""

    def __call__(  # noqa: D102
        self, work: Coroutine[Any, Any, T], /, meanwhile: Callable[[], None] | None = None
    ) -> T: ...


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
        """Returns the current order.

        :param timeout: seconds for the whole call; default none
        :raises AgentError: ANSWER_NOT_PROVEN
        :raises NetError: if there is none
        """
        return self._run(self._hired.order(timeout=timeout))

    def result(self, *, timeout: float | None = None) -> HireResult[Out]:
        """Waits for the accepted result, and checks it against its hash and the scope.

        :param timeout: seconds; default: until the order ends
        :raises AgentError: ORDER_UNPAID with orderId, reason and refund in unet if the order ended without a result,
            ORDER_DISPUTED with the deadline of the operator's decision, DELIVERABLE_UNMET if it does not meet the
            acceptance (dispute it), RESULT_UNPARSED if ``returns`` refuses it, AGENT_STOPPED, RESULT_TIMEOUT,
            BLOB_NOT_FOUND, BLOB_UNAVAILABLE
        """
        return self._show(self._hired.result(timeout=timeout))

    def accept(self, *, timeout: float | None = None) -> JsonObject:
        """Accepts the result: waits for the end of the dispute window, then pays the worker.

        :param timeout: seconds for the whole call; default none
        :returns: the paid order
        :raises AgentError: ORDER_UNPAID if the order ends in another way
        """
        return self._show(self._hired.accept(timeout=timeout))

    def dispute(self, reason: str, *, bond: str | int | None = None, timeout: float | None = None) -> JsonObject:
        """Disputes the result within the window, once. A second jury or an operator decides; your bond is locked until
        then.

        :param reason: public
        :param bond: exact bond, ``'1 NET'`` or unet; default: the bond that the order requires, half its funding
        :param timeout: seconds for the whole call; default none
        :raises NetError: WORK_NOT_VERIFIED, DISPUTE_WINDOW_CLOSED and the other refusals of openDispute
        """
        return self._run(self._hired.dispute(reason, bond=bond, timeout=timeout))

    def cancel(self, *, timeout: float | None = None) -> JsonObject:
        """Cancels the order and refunds it, while no worker has accepted it.

        :param timeout: seconds for the whole call; default none
        :raises NetError: WORK_ORDER_NOT_OPEN if a worker has accepted it
        """
        return self._run(self._hired.cancel(timeout=timeout))

    def _show(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a call that waits for the order, with a progress line in a notebook."""
        line = progress_line(self.order_id, lambda: self._hired._latest)
        if line is None:
            return self._run(work)
        try:
            return self._run(work, line.update)
        finally:
            line.update()
