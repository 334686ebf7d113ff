"""Registration of handlers, shared by both agents."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeVar, overload

from ..arguments import require_handler
from .agent_events import AgentListening
from .job import AsyncJob, Job
from .messages import Message
from .order_worker import WorkOptions
from .retry import RetryPolicy
from .runtime_worker import RuntimeHandler
from .service import Service, handlers_of, typed_handler
from .typed import HandlerOf
from .work_offer import WorkOffer

F = TypeVar("F", bound=Callable[..., Any])


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


class _Model(Protocol):
    def model_dump_json(self) -> str: ...


_Result = str | bytes | Mapping[str, Any] | Sequence[Any] | _Dataclass | _Model
#: A handler of jobs.
W = TypeVar(
    "W", bound=Callable[[Job[Any]], _Result | Awaitable[_Result]] | Callable[[AsyncJob[Any]], Awaitable[_Result]]
)


class Handlers(AgentListening):
    """Methods that register an agent's handlers."""

    def _listen(self, name: str, listener: Callable[..., Any]) -> None:
        raise NotImplementedError

    def _take_work(self, call: str, options: WorkOptions, handler_of: HandlerOf) -> None:
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
    def on_work(self, handler: W) -> W: ...

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
        retry: RetryPolicy | None = None,
    ) -> Callable[[W], W]: ...

    def on_work(
        self,
        handler: W | None = None,
        *,
        min_funding: str | int | None = None,
        capabilities: Sequence[str] | None = None,
        max_worker_bond: str | int = 0,
        concurrency: int = 1,
        accept: Callable[..., Any] | None = None,
        retry: RetryPolicy | None = None,
    ) -> W | Callable[[W], W]:
        """Accepts matching orders once ``run`` is called, and delivers the handler's result.

        The handler returns a string, bytes, or a JSON value. A plain function runs on a thread and gets a :class:`Job`,
        a coroutine function runs in the event loop and gets an :class:`AsyncJob`. Annotate
        it as ``def handler(job: Job[In]) -> Out`` with dataclasses or pydantic models: ``job.data`` is then an ``In``,
        the agent skips orders without a valid input, and writes the result as JSON.

        :param min_funding: minimum payment: ``'1 NET'``, or unet; default: ``minimumFunding`` of the network's policy
        :param capabilities: orders match if they require one of these, or nothing; default: those of the beacon
        :param max_worker_bond: highest bond to lock
        :param concurrency: limit of jobs with running handlers
        :param retry: calls of a handler that fails; default three, and then the order is given back
        :param accept: called with a :class:`WorkOffer` after all checks; False leaves the order
        :raises AgentError: AMOUNT_INVALID
        """
        if accept is not None:
            require_handler("on_work, accept", accept)
        options = WorkOptions(min_funding, capabilities, max_worker_bond, concurrency, accept, retry)

        def take(function: W) -> W:
            require_handler("on_work", function)
            handler = typed_handler(function)
            self._take_work("on_work", options, lambda order: handler)
            return function

        return take if handler is None else take(handler)

    def serve(self, *services: Service[Any, Any]) -> None:
        """Accepts orders with the name and at least the price of a service, once ``run`` is called.

        :raises AgentError: ARGUMENT_INVALID if there is no service, or one without a handler
        """
        known = handlers_of(services)
        least = min(each.least or 0 for each in known.values())
        self._take_work("serve", WorkOptions(min_funding=least), lambda order: known.get(order["jobType"]))

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
