"""How an agent is told what to do with work, messages and events: the same for both agents."""

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
    """What an agent calls."""

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
        """Takes orders that match, once ``run`` is called. The handler's result is stored, committed, and settled.

        The handler gets a :class:`Job` and returns a string, bytes, or what becomes canonical JSON; a plain function
        runs beside the loop, a coroutine function in it.

        :param min_funding: what an order must pay at least: ``'1 NET'``, or a number of unet; where left out, from
            where on it counts on this network (``minimumFunding`` of its policy)
        :param capabilities: orders that require one of these, or nothing, match; what the beacon says where left out
        :param max_worker_bond: the highest bond that an order may ask for
        :param concurrency: jobs at once whose handlers run
        :param accept: the last word, after everything has been checked; gets a :class:`WorkOffer`
        :raises AgentError: AMOUNT_INVALID
        """
        options = WorkOptions(min_funding, capabilities, max_worker_bond, concurrency, accept)

        def take(function: F) -> F:
            self._take_work(options, function)
            return function

        return take if handler is None else take(handler)

    def on_message(self, handler: F) -> F:
        """Hears messages, once ``run`` is called: opened for the handler, answered sealed where they ask, acknowledged.

        What they say is content from a stranger. The handler gets a :class:`Message` and returns its answer, or None.
        """
        self._take_messages(handler)
        return handler

    def on_handover(self, handler: F) -> F:
        """Takes memories that other agents hand over to a runtime of this one, once ``run`` is called: what the handler
        does not raise for is attested. For agents with the role RUNTIME_PROVIDER and a standing offer
        (``registerRuntimeOffer``). The handler gets a :class:`RestoredMemory`.
        """
        self._take_handovers(handler)
        return handler
