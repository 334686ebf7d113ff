"""Registration of handlers, shared by both agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from .agent_events import AgentListening
from .messages import Message
from .order_worker import WorkOptions
from .runtime_worker import RuntimeHandler
from .work_offer import WorkOffer

F = TypeVar("F", bound=Callable[..., Any])


class Handlers(AgentListening):
    """Methods that register an agent's handlers."""

    def _listen(self, name: str, listener: Callable[..., Any]) -> None:
        raise NotImplementedError

    def _take_work(self, options: WorkOptions, handler: Callable[..., Any]) -> None:
        raise NotImplementedError

    def _take_messages(self, handler: Callable[[Message], Any]) -> None:
        raise NotImplementedError

    def _take_handovers(self, handler: RuntimeHandler) -> None:
        raise NotImplementedError

    def _on(self, name: str) -> Callable[[Any], Any]:
        def listen(listener: F) -> F:
            self._listen(name, listener)
            return listener

        return listen

    @overload
    def on_work(self, handler: F) -> F: ...

    @overload
    def on_work(
        self,
        handler: None = None,
        *,
        min_funding: str | int | None = None,
        capabilities: Sequence[str] | None = None,
        max_worker_bond: str | int = 0,
        concurrency: int = 1,
        accept: Callable[[WorkOffer], Any] | None = None,
    ) -> Callable[[F], F]: ...

    def on_work(
        self,
        handler: F | None = None,
        *,
        min_funding: str | int | None = None,
        capabilities: Sequence[str] | None = None,
        max_worker_bond: str | int = 0,
        concurrency: int = 1,
        accept: Callable[..., Any] | None = None,
    ) -> F | Callable[[F], F]:
        """Accepts matching orders once ``run`` is called, and delivers the handler's result.

        The handler gets a :class:`Job` and returns a string, bytes, or a JSON value. Plain functions run on a thread,
        coroutine functions in the event loop.

        :param min_funding: minimum payment: ``'1 NET'``, or unet; default: ``minimumFunding`` of the network's policy
        :param capabilities: orders match if they require one of these, or nothing; default: those of the beacon
        :param max_worker_bond: highest bond to lock
        :param concurrency: limit of jobs with running handlers
        :param accept: called with a :class:`WorkOffer` after all checks; False leaves the order
        :raises AgentError: AMOUNT_INVALID
        """
        options = WorkOptions(min_funding, capabilities, max_worker_bond, concurrency, accept)

        def take(function: F) -> F:
            self._take_work(options, function)
            return function

        return take if handler is None else take(handler)

    def on_message(self, handler: F) -> F:
        """Handles messages once ``run`` is called, and acknowledges them.

        The handler gets an opened :class:`Message`, which is untrusted content. It returns the answer to a request
        (which is sent sealed) or None.
        """
        self._take_messages(handler)
        return handler

    def on_handover(self, handler: F) -> F:
        """Accepts memories that others hand over to this agent's runtime, once ``run`` is called.

        The handler gets a :class:`RestoredMemory`. The restore is attested unless it raises. Needs the role
        RUNTIME_PROVIDER and a standing offer (``registerRuntimeOffer``).
        """
        self._take_handovers(handler)
        return handler
