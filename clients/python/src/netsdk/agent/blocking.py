"""The agent for programs without asyncio: the same agent, on an event loop in another thread."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import nullcontext
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeVar, overload

from .._sync.client import NetClient
from ..arguments import require_count, require_seconds
from ..errors import NetsdkError
from .acts import BlockingActs
from .agent import HEALTH_TIMEOUT, AsyncAgent
from .blocking_hired import Hired, Run
from .cells import LOOK, asked_for, earlier_agent, remember
from .errors import AgentError
from .handler_call import cancel
from .handlers import Handlers
from .handover import TIMEOUT, HandedOver
from .health import AgentHealth
from .hire import Terms
from .hired import AsyncHired
from .lifecycle import Ticked, terminates
from .memory import Memory
from .messages import Message
from .order_worker import WorkOptions
from .runtime_worker import RuntimeHandler
from .service import Service
from .typed import HandlerOf, In, Out

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

P = ParamSpec("P")
T = TypeVar("T")


class BlockingMemory:
    """A :class:`Memory` whose ``commit``, ``hand_over`` and ``keep`` block."""

    def __init__(self, memory: Memory, run: Run) -> None:
        self._memory = memory
        self._run = run
        self.get = memory.get
        self.set = memory.set
        self.delete = memory.delete
        self.items = memory.items

    def __repr__(self) -> str:
        return repr(self._memory)

    def _repr_html_(self) -> str:
        return self._memory._repr_html_()

    @property
    def generation(self) -> int:
        """Number of the latest checkpoint; 0 before the first."""
        return self._memory.generation

    def commit(self, *, timeout: float | None = None) -> None:
        """Commits a checkpoint now if there are changes.

        :param timeout: seconds for the whole call; default none
        :raises AgentError: MEMORY_NEEDS_REPLICAS, BLOB_NOT_STORED, MEMORY_ELSEWHERE
        :raises NetError: MEMORY_GENERATION_MISMATCH if another machine was faster
        """
        self._run(self._memory.commit(timeout=timeout))

    def hand_over(self, *, provider_id: str, runtime_id: str, timeout: float = TIMEOUT) -> HandedOver:
        """Moves the memory to a runtime that another agent offers, after which this agent cannot write it.

        The memory is sealed to the provider and restored there before the switch. If the agent stops, the call raises
        AGENT_STOPPED; repeat it after the next start to resume.

        :param provider_id: agent that offers the runtime
        :param runtime_id: its standing offer
        :param timeout: seconds for the restore; then the handover is aborted, and the memory stays here
        :raises AgentError: HANDOVER_OPEN, HANDOVER_ABORTED, HANDOVER_TIMEOUT, RECIPIENT_HAS_NO_KEY, MEMORY_ELSEWHERE,
            and the codes of ``commit``
        :raises NetError: RUNTIME_OFFER_UNAVAILABLE and other refusals; the memory stays here
        """
        return self._run(self._memory.hand_over(provider_id=provider_id, runtime_id=runtime_id, timeout=timeout))

    def keep(self, *, timeout: float | None = None) -> None:
        """Cancels an open handover, so that the memory stays here.

        :param timeout: seconds for the whole call; default none
        :raises NetError: with the code of a refusal
        """
        self._run(self._memory.keep(timeout=timeout))


def _blocking(
    method: Callable[Concatenate[AsyncAgent, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Agent, P], T]:
    @wraps(method)
    def wait(self: Agent, /, *arguments: P.args, **options: P.kwargs) -> T:
        return self._run(method(self._agent, *arguments, **options))

    return wait


def _hiring(method: Callable[..., Coroutine[Any, Any, AsyncHired[Any]]]) -> Callable[..., Hired[Any]]:
    @wraps(method)
    def wait(self: Agent, /, *arguments: Any, **options: Any) -> Hired[Any]:
        return Hired(self._run(method(self._agent, *arguments, **options)), self._run)

    return wait


def _opening(
    method: Callable[P, Coroutine[Any, Any, AsyncAgent]],
) -> Callable[Concatenate[type[Agent], P], Agent]:
    @wraps(getattr(method, "__func__", method))
    def wait(cls: type[Agent], /, *arguments: P.args, **options: P.kwargs) -> Agent:
        asked = asked_for((cls, method.__name__), arguments, options)
        try:
            agent = cls._opened(method(*arguments, **options))
        except AgentError as error:
            earlier = earlier_agent(error, asked)
            if earlier is None:
                raise
            earlier.stop()
            agent = cls._opened(method(*arguments, **options))
        remember(agent, agent._agent._parts.state, asked)
        return agent

    return wait


class Agent(BlockingActs, Handlers):
    """An :class:`AsyncAgent` whose methods block. Its handlers are plain functions, each called on its own thread."""

    def __init__(self, agent: AsyncAgent, home: _Home) -> None:
        self._agent = agent
        self._home = home
        self._loop = home.loop
        self._has_begun = False
        self.agent_id = agent.agent_id
        self.chain_id = agent.chain_id
        actor = agent.client.actor
        assert actor is not None
        #: Client of the node, for everything else; signs writes as the agent.
        self.client = NetClient(agent.client.url, actor_id=actor.actor_id, key=actor.key, session_id=actor.session_id)

    open = classmethod(_opening(AsyncAgent.open))
    open_session = classmethod(_opening(AsyncAgent.open_session))

    @classmethod
    def _opened(cls, opening: Coroutine[Any, Any, AsyncAgent]) -> Agent:
        home = _Home()
        try:
            opened = asyncio.run_coroutine_threadsafe(opening, home.loop)
            return cls(_patiently(opened), home)
        except BaseException:
            home.close()
            raise

    def _listen(self, name: str, listener: Callable[..., Any]) -> None:
        self._agent._listen(name, listener)

    def _take_work(self, call: str, options: WorkOptions, handler_of: HandlerOf) -> None:
        self._agent._take_work(call, options, handler_of)

    def _take_messages(self, handler: Callable[[Message], Any]) -> None:
        self._agent._take_messages(handler)

    def _take_handovers(self, handler: RuntimeHandler) -> None:
        self._agent._take_handovers(handler)

    @property
    def is_running(self) -> bool:
        """True while ``run`` is running."""
        return self._agent.is_running

    @property
    def memory(self) -> BlockingMemory:
        """The agent's memory.

        :raises AgentError: MEMORY_OFF if the agent was opened without a memory
        """
        return BlockingMemory(self._agent.memory, self._run)

    if TYPE_CHECKING:

        @overload
        def hire(self, *, returns: type[Out], **terms: Unpack[Terms]) -> Hired[Out]: ...

        @overload
        def hire(self, **terms: Unpack[Terms]) -> Hired[None]: ...

        def hire(self, **terms: Any) -> Any: ...  # noqa: D102

        @overload
        def hired(self, order_id: str, returns: type[Out], *, timeout: float | None = None) -> Hired[Out]: ...

        @overload
        def hired(self, order_id: str, *, timeout: float | None = None) -> Hired[None]: ...

        def hired(self, order_id: str, returns: Any = None, *, timeout: float | None = None) -> Any: ...  # noqa: D102

    else:
        hire = _hiring(AsyncAgent.hire)
        hired = _hiring(AsyncAgent.hired)
    release = _blocking(AsyncAgent.release)
    dispute = _blocking(AsyncAgent.dispute)
    store = _blocking(AsyncAgent.store)
    fetch = _blocking(AsyncAgent.fetch)
    send = _blocking(AsyncAgent.send)
    ask = _blocking(AsyncAgent.ask)
    offer = _blocking(AsyncAgent.offer)
    accept = _blocking(AsyncAgent.accept)
    input = _blocking(AsyncAgent.input)
    deliver = _blocking(AsyncAgent.deliver)
    findings = _blocking(AsyncAgent.findings)
    resume_work = _blocking(AsyncAgent.resume_work)
    open_message = _blocking(AsyncAgent.open_message)
    acknowledge = _blocking(AsyncAgent.acknowledge)
    grant_session = _blocking(AsyncAgent.grant_session)
    rotate_encryption_key = _blocking(AsyncAgent.rotate_encryption_key)

    def call(
        self,
        service: Service[In, Out],
        value: In,
        *,
        id: str | None = None,
        worker: str | None = None,
        jury: Literal["none"] | None = None,
        timeout: float | None = None,
    ) -> Out:
        """Orders a service at its price, and returns the accepted result as its type.

        Only an agent that serves it, or has its name among its capabilities, takes the order.

        :param id: idempotency key and order id, as in ``hire``
        :param worker: the only agent that may accept the order; default: any
        :param jury: as in ``hire``
        :param timeout: seconds for the whole call, then CALL_TIMEOUT; its data has the id that continues the order
        :raises AgentError: INPUT_INVALID before anything is sent, RESULT_UNPARSED, and the codes of ``hire`` and of
            ``result``
        """
        call = self._agent.call(service, value, id=id, worker=worker, jury=jury, timeout=timeout)
        return self._run(call)

    def health(self, *, timeout: float = HEALTH_TIMEOUT) -> AgentHealth:
        """Asks the node once, and reports if the agent is online, hears events, and trusts its clock.

        Never raises because the node is away, or because the agent has stopped.

        :param timeout: seconds until the node counts as away
        """
        checked = self._agent.health(timeout=timeout)
        if not self._loop.is_closed():
            return self._run(checked)
        # The agent has stopped, and its event loop with it.
        home = _Home()
        try:
            return _patiently(asyncio.run_coroutine_threadsafe(checked, home.loop))
        finally:
            home.close()

    def _act(self, action: str, payload: Mapping[str, Any], id: str | None, timeout: float | None = None) -> Any:
        return self._run(self._agent._act(action, payload, id, timeout))

    def run(self, *, signals: bool = True) -> None:
        """Works until ``stop`` or Ctrl-C, like :meth:`AsyncAgent.run`.

        :param signals: False ignores SIGTERM, and raises KeyboardInterrupt at Ctrl-C once the agent has stopped
        :raises AgentError: AGENT_RUNNING for a second call, AGENT_STOPPED after ``stop``
        """
        self._begin()
        ended = asyncio.run_coroutine_threadsafe(self._agent.run(signals=False), self._loop)

        def stop() -> None:
            asyncio.run_coroutine_threadsafe(self._agent.stop(), self._loop)

        try:
            with terminates(stop) if signals else nullcontext():
                _patiently(ended)
        except KeyboardInterrupt:
            self._run(self._agent.stop())
            _patiently(ended)
            if not signals:
                raise
        finally:
            self._close()

    def _begin(self) -> None:
        if self._loop.is_closed():
            raise AgentError("AGENT_STOPPED", self.agent_id)
        if self._has_begun:
            # This call must not close the loop, because the first call is waiting on it.
            raise AgentError("AGENT_RUNNING", f"{self.agent_id}: run or tick was called before")
        self._has_begun = True

    def tick(self, *, timeout: float = 20.0, jobs: int = 10) -> Ticked:
        """Does what is to be done now within bounds, and then stops the agent: for a timer or a request, without a long
        process. The next tick opens the agent again.

        :param timeout: seconds until handlers are abandoned; a last checkpoint of the memory may take five more
        :param jobs: the most orders and messages whose handler begins
        :raises AgentError: AGENT_RUNNING after ``run``, AGENT_STOPPED after ``stop``, SESSION_ENDED, CHAIN_REPLACED
        """
        require_seconds("timeout", timeout)
        require_count("jobs", jobs)
        self._begin()
        try:
            return self._run(self._agent.tick(timeout=timeout, jobs=jobs))
        finally:
            self._close()

    def __repr__(self) -> str:
        return repr(self._agent).replace("AsyncAgent", "Agent", 1)

    def _repr_html_(self) -> str:
        return self._agent._repr_html_()

    def __enter__(self) -> Self:
        """Returns the agent, which ``with Agent.open(…)`` stops at its end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stops the agent."""
        self.stop()

    def stop(self) -> None:
        """Stops the agent. Pending work is on disk, and the next start resumes it."""
        if not self._loop.is_closed():
            has_begun = self._has_begun
            self._run(self._agent.stop())
            if not has_begun:
                self._close()

    def _run(self, work: Coroutine[Any, Any, T], meanwhile: Callable[[], None] | None = None) -> T:
        if self._loop.is_closed():
            work.close()
            raise AgentError("AGENT_STOPPED", self.agent_id)
        return _patiently(asyncio.run_coroutine_threadsafe(work, self._loop), meanwhile)

    def _close(self) -> None:
        self.client.close()
        self._home.close()


def _patiently(future: Future[T], meanwhile: Callable[[], None] | None = None) -> T:
    """Returns the result. Waits in short steps, because a long wait would delay signals on some systems.

    :param meanwhile: called after each step
    """
    while True:
        try:
            return future.result(LOOK)
        except FutureTimeout:
            if future.done():
                raise
        except NetsdkError as error:
            if os.environ.get("NET_DEBUG"):
                raise
            # The frames of the agent's thread would hide the caller's line.
            raise error.with_traceback(None) from error.__cause__
        if meanwhile is not None:
            meanwhile()


class _Home:
    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._turn, daemon=True, name="netsdk-agent")
        self._thread.start()

    def _turn(self) -> None:
        try:
            self.loop.run_forever()
            self.loop.run_until_complete(_cancel_others())
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        finally:
            self.loop.close()

    def close(self) -> None:
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join()


async def _cancel_others() -> None:
    """Cancels the remaining tasks of this loop, as ``asyncio.run`` does."""
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        await cancel(others)
