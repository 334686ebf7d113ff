"""The agent for programs without asyncio: the same agent, on a loop of its own in another thread."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, overload

from ..client import NetClient
from ..protocol.canonical_json import JsonObject
from .agent import ANSWER_TIMEOUT, AsyncAgent
from .memory import Memory
from .messages import Message, MessageContent, MessageKind, SentMessage
from .work import WorkOffer

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


class BlockingMemory:
    """As :class:`Memory`, whose ``commit`` blocks."""

    def __init__(self, memory: Memory, run: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self._memory = memory
        self._run = run
        self.get = memory.get
        self.set = memory.set
        self.delete = memory.delete
        self.items = memory.items

    @property
    def generation(self) -> int:
        """The checkpoint that the memory goes on from; 0 before the first."""
        return self._memory.generation

    def commit(self) -> None:
        """As :meth:`Memory.commit`."""
        self._run(self._memory.commit())


class Agent:
    """As :class:`AsyncAgent`; its handlers are plain functions, each run on a thread of its own."""

    def __init__(self, agent: AsyncAgent, home: _Home) -> None:
        self._agent = agent
        self._home = home
        self._loop = home.loop
        self.agent_id = agent.agent_id
        self.chain_id = agent.chain_id
        actor = agent.client.actor
        assert actor is not None
        #: Everything else the node offers, signed by the agent where it acts.
        self.client = NetClient(agent.client.url, actor_id=actor.actor_id, key=actor.key, session_id=actor.session_id)

    @classmethod
    def open(cls, agent_id: str, **options: Any) -> Agent:
        """As :meth:`AsyncAgent.open`, with the same options."""
        return cls._opened(AsyncAgent.open(agent_id, **options))

    @classmethod
    def open_session(cls, session: Path | str | Mapping[str, Any], **options: Any) -> Agent:
        """As :meth:`AsyncAgent.open_session`, with the same options."""
        return cls._opened(AsyncAgent.open_session(session, **options))

    @classmethod
    def _opened(cls, opening: Coroutine[Any, Any, AsyncAgent]) -> Agent:
        home = _Home()
        try:
            opened = asyncio.run_coroutine_threadsafe(opening, home.loop)
            return cls(_patiently(opened), home)
        except BaseException:
            home.close()
            raise

    def on(self, name: str) -> Callable[[F], F]:
        """As :meth:`AsyncAgent.on`."""
        return self._agent.on(name)

    @overload
    def on_work(self, handler: F) -> F: ...

    @overload
    def on_work(
        self,
        handler: None = None,
        *,
        min_funding: str | int = 0,
        capabilities: Sequence[str] | None = None,
        max_worker_bond: str | int = 0,
        concurrency: int = 1,
        accept: Callable[[WorkOffer], Any] | None = None,
    ) -> Callable[[F], F]: ...

    def on_work(self, handler: F | None = None, **options: Any) -> F | Callable[[F], F]:
        """As :meth:`AsyncAgent.on_work`."""
        if handler is not None:
            return self._agent.on_work(handler)
        taken: Callable[[F], F] = self._agent.on_work(**options)
        return taken

    def on_message(self, handler: F) -> F:
        """As :meth:`AsyncAgent.on_message`."""
        return self._agent.on_message(handler)

    @property
    def memory(self) -> BlockingMemory:
        """As :attr:`AsyncAgent.memory`."""
        return BlockingMemory(self._agent.memory, self._run)

    def act(self, action: str, payload: Mapping[str, Any] | None = None, *, id: str | None = None) -> JsonObject:
        """As :meth:`AsyncAgent.act`."""
        return self._run(self._agent.act(action, payload, id=id))

    def store(self, content: MessageContent) -> str:
        """As :meth:`AsyncAgent.store`."""
        return self._run(self._agent.store(content))

    def fetch(self, blob_hash: str, origins: Sequence[str] = ()) -> bytes:
        """As :meth:`AsyncAgent.fetch`."""
        return self._run(self._agent.fetch(blob_hash, origins))

    def send(
        self,
        to_agent_id: str,
        content: MessageContent,
        *,
        kind: MessageKind = "EVENT",
        conversation_id: str | None = None,
        reply_to: str | None = None,
    ) -> SentMessage:
        """As :meth:`AsyncAgent.send`."""
        more: dict[str, Any] = {"kind": kind, "conversation_id": conversation_id, "reply_to": reply_to}
        return self._run(self._agent.send(to_agent_id, content, **more))

    def ask(
        self,
        to_agent_id: str,
        content: MessageContent,
        *,
        timeout: float = ANSWER_TIMEOUT,
        conversation_id: str | None = None,
    ) -> Message:
        """As :meth:`AsyncAgent.ask`."""
        return self._run(self._agent.ask(to_agent_id, content, timeout=timeout, conversation_id=conversation_id))

    def grant_session(self, *, actions: Sequence[str], budget: str | int, **options: Any) -> Path:
        """As :meth:`AsyncAgent.grant_session`, with the same options."""
        return self._run(self._agent.grant_session(actions=actions, budget=budget, **options))

    def run(self) -> None:
        """Works until ``stop``, Ctrl-C or SIGTERM; the next start goes on with what is in hand."""
        ended = asyncio.run_coroutine_threadsafe(self._agent.run(), self._loop)
        try:
            with _terminate_as_interrupt():
                _patiently(ended)
        except KeyboardInterrupt:
            self._run(self._agent.stop())
            _patiently(ended)
        finally:
            self._close()

    def stop(self) -> None:
        """Ends it in order: what is under way is on disk, and the next start goes on."""
        if not self._loop.is_closed():
            was_running = self._agent.is_running
            self._run(self._agent.stop())
            if not was_running:
                self._close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return _patiently(asyncio.run_coroutine_threadsafe(work, self._loop))

    def _close(self) -> None:
        self.client.close()
        self._home.close()


def _patiently(future: Future[T]) -> T:
    """Its result; signals are heard meanwhile on every system."""
    while True:
        try:
            return future.result(0.5)
        except FutureTimeout:
            if future.done():
                raise


class _Home:
    """A loop, and the thread it turns in."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._turn, daemon=True, name="netsdk-agent")
        self._thread.start()

    def _turn(self) -> None:
        try:
            self.loop.run_forever()
        finally:
            self.loop.close()

    def close(self) -> None:
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join()


@contextmanager
def _terminate_as_interrupt() -> Generator[None, None, None]:
    """SIGTERM ends a program as Ctrl-C does, where this thread is the one that hears signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
