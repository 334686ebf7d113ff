"""An agent from its start to its end: what it listens to, keeps current, and leaves behind."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from .._async.events import follow
from ..errors import NetError
from ..events import Cursor
from .beacon import LONGEST_LOOK, BeaconOptions, keep_beacon
from .errors import AgentError
from .handler_call import call
from .memory import Memory
from .message_worker import MessageWorker
from .messages import Message
from .order_worker import OrderWorker
from .parts import SLOW_POLL, Parts
from .runtime_worker import RuntimeWorker

#: Seconds for the last checkpoint of an agent that stops; all of it is on disk anyway.
LAST_CHECKPOINT = 5.0
#: Seconds until a beacon that is due is tried again; twice as many after each time that it fails.
TRY_AGAIN = 5.0


class Lifecycle:
    """What goes on in an agent while its owner waits.

    :param beacon: what it publishes of itself; None where it publishes none
    :param session_id: the session it acts under, whose end is its own
    :param since: where its feed begins: before it was there
    """

    def __init__(self, parts: Parts, beacon: BeaconOptions | None, session_id: str | None, since: Cursor) -> None:
        self._parts = parts
        self._beacon = beacon
        self._session_id = session_id
        self._since = since
        self.order_workers: list[OrderWorker] = []
        self.runtime_workers: list[RuntimeWorker] = []
        #: Questions of this process: their answers go to their callers.
        self.asked: set[str] = set()
        self.handler: Callable[[Message], Any] | None = None
        self.memory: Memory | None = None
        self._over: AgentError | None = None
        self._own_feed: asyncio.Task[None] | None = None
        #: What the feed watches: what concerns the agent, and new orders if it takes some.
        self._watched: list[str] = []
        self._stopping = asyncio.Event()
        self._ended = asyncio.Event()
        self._has_begun = False
        #: There was neither an endpoint nor a store for its metadata yet, or what it says has changed.
        self._beacon_is_due = False
        self._beacon_pause = LONGEST_LOOK
        self._told_of_beacon = False
        self._warned_of_refusal = False

    def require_room(self, what: str, is_taken: bool) -> None:
        """Refuses a handler that would never be called, or that would take the place of another one.

        :raises AgentError: AGENT_STOPPED, HANDLER_TOO_LATE once the workers have begun, HANDLER_TWICE
        """
        self._parts.require_live()
        if is_taken:
            raise AgentError("HANDLER_TWICE", what)
        if self._has_begun:
            raise AgentError("HANDLER_TOO_LATE", what)

    @property
    def is_running(self) -> bool:
        """Whether ``run`` is under way."""
        return self._has_begun and not self._ended.is_set()

    async def run(self, signals: bool) -> None:
        """Works until ``stop``, or SIGTERM if ``signals`` is true; the next start goes on with what is in hand.

        :raises AgentError: SESSION_ENDED if its session has ended, CHAIN_REPLACED if the node serves another chain now,
            AGENT_RUNNING for a second call, AGENT_STOPPED after ``stop``
        """
        self._parts.require_live()
        if self._has_begun:
            raise AgentError("AGENT_RUNNING", f"{self._parts.agent_id}: run was called before")
        self._has_begun = True
        self.listen_for_own()
        works = [worker.run() for worker in self.order_workers] + [worker.run() for worker in self.runtime_workers]
        # Without a handler only answers are heard; questions stay until an agent of this name answers them.
        hears_answers = self._parts.encryption is not None and self._parts.events.has("answer")
        if self.handler is not None or hears_answers:
            only = "RESPONSE" if self.handler is None else None
            works.append(MessageWorker(self._parts, self._hear, self.asked, only).run())
        works += [self._keep_beacon_current(), self._wait_for_stop()]
        tasks = [asyncio.ensure_future(work) for work in works]
        loop = asyncio.get_running_loop()

        def wake() -> None:
            loop.call_soon_threadsafe(self._stopping.set)

        try:
            with terminates(wake) if signals else nullcontext():
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await self._end(tasks)
        if self._over is not None:
            raise self._over

    async def stop(self) -> None:
        """Ends it in order: what is under way is on disk, and the next start goes on."""
        self._stopping.set()
        if self._has_begun:
            await self._ended.wait()
        elif not self._ended.is_set():
            await self._end([])

    def end_by(self, error: AgentError) -> None:
        """Ends it in order: ``run`` raises this, and so does every call that waits for a chain that is gone."""
        self._over = error
        self._stopping.set()
        if error.code == "CHAIN_REPLACED":
            self._parts.client.end(error)
            self._parts.poller.wake()

    async def _wait_for_stop(self) -> None:
        await self._stopping.wait()

    async def _end(self, tasks: Sequence[asyncio.Future[None]]) -> None:
        self._parts.origins.hurry()
        try:
            await self._last_checkpoint()
        finally:
            feeds = [self._own_feed] if self._own_feed is not None else []
            self._parts.end = self._over or AgentError("AGENT_STOPPED", self._parts.agent_id)
            await _cancel([*tasks, *feeds, *self._parts.background])
            # After the workers: a handler that waits for such a call has not failed.
            await _cancel([*self._parts.calls])
            if self.memory is not None:
                await self.memory.close()
            self._parts.state.close()
            await self._parts.client.net_client.close()
            # A listener may be who waits for the end.
            self._ended.set()
            await self._parts.events.heard()

    async def _last_checkpoint(self) -> None:
        """Commits what has changed, unless the node is away: all of it is on disk, and the next start commits it."""
        if self.memory is None or self._over is not None:
            return
        commit = asyncio.ensure_future(self.memory.commit())
        away = asyncio.ensure_future(self._parts.client.when_away())
        await asyncio.wait([commit, away], timeout=LAST_CHECKPOINT, return_when=asyncio.FIRST_COMPLETED)
        for task in (commit, away):
            task.cancel()
        failed, _ = await asyncio.gather(commit, away, return_exceptions=True)
        if isinstance(failed, Exception):
            self._parts.events.warn(failed, "the memory")

    async def _hear(self, message: Message) -> Any:
        if message.kind == "RESPONSE":
            self._parts.events.emit("answer", message_id=message.message_id, message=message)
            return None
        return await call(self.handler, message) if self.handler is not None else None

    def listen_for_own(self) -> None:
        """Hears what happens to the agent, from its first need on."""
        watched = [f"agent:{self._parts.agent_id}", *(["type:WorkOrderCreated"] if self.order_workers else [])]
        if watched == self._watched:
            return
        if self._own_feed is not None:
            self._own_feed.cancel()
        self._watched = watched
        self._own_feed = asyncio.ensure_future(self._listen(watched))

    async def _listen(self, watched: Sequence[str]) -> None:
        """Wakes everybody who waits when something happens that may concern them. One stream is enough: an address may
        have few.
        """
        net_client = self._parts.client.net_client
        try:
            async for event in follow(
                net_client.driver,
                net_client.api,
                {"watch": ",".join(watched)},
                cursor=self._since,
                refused=self._warn_of_refusal,
            ):
                self._since = self._since._replace(after=event.id, block_hash=event.block_hash)
                for order_id, queue in self._parts.order_feeds:
                    if event.data.get("orderId") == order_id:
                        queue.put_nowait(event)
                session_id = self._session_id
                if session_id and event.type == "SessionEnded" and event.data.get("sessionId") == session_id:
                    self.end_by(AgentError("SESSION_ENDED", str(event.data.get("reason"))))
                self._parts.poller.wake()
        except Exception as error:
            if isinstance(error, AgentError) and error.code == "CHAIN_REPLACED":
                self.end_by(error)
            else:
                # The slow look goes on without it.
                self._parts.events.warn(error, "the event feed")

    def _warn_of_refusal(self, error: NetError) -> None:
        """Says once that the agent hears of nothing until its next poll."""
        if not self._warned_of_refusal:
            self._warned_of_refusal = True
            self._parts.events.warn(error, "the event feed")

    async def _keep_beacon_current(self) -> None:
        is_later = False
        patience = TRY_AGAIN
        while True:
            try:
                # Also after what failed: a store that is away refuses at once.
                if is_later:
                    await asyncio.sleep(self._beacon_pause)
                    await self._parts.origins.refresh()
                    await self.keep_beacon()
                await self.catch_up_on_beacon()
                patience = TRY_AGAIN
            except Exception as error:
                self._beacon_pause = min(SLOW_POLL, patience if self._beacon_is_due else self._beacon_pause)
                patience *= 2
                self._parts.events.warn(error, "the beacon")
            is_later = True

    async def keep_beacon(self) -> None:
        """Publishes the beacon where it is not current."""
        if self._beacon is None:
            return
        pause = await keep_beacon(self._parts, self._beacon)
        self._beacon_is_due = pause is None
        self._beacon_pause = SLOW_POLL if pause is None else pause

    async def first_beacon(self) -> None:
        """Publishes the beacon where it is not current. Stores that do not take its metadata keep no agent from its
        work: that is said, and they are asked again.
        """
        try:
            await self.keep_beacon()
        except AgentError as error:
            if error.code != "BLOB_NOT_STORED":
                raise
            self._beacon_is_due = True
            self._parts.events.warn(error, "the beacon")

    async def publish_beacon(self) -> None:
        """Publishes what has changed; where it cannot now, later."""
        self._beacon_is_due = True
        await self.catch_up_on_beacon()

    async def catch_up_on_beacon(self) -> None:
        """Publishes what is due once there is a store for its metadata; says so where none comes, once."""
        if not self._beacon_is_due:
            return
        await self._parts.origins.known(1)
        await self.keep_beacon()
        if self._beacon_is_due and not self._told_of_beacon:
            self._told_of_beacon = True
            self._parts.events.warn(AgentError("BLOB_ORIGIN_UNKNOWN"))


async def _cancel(tasks: Sequence[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


#: What stops each agent that runs on the loop of the main thread.
_stops: set[Callable[[], None]] = set()


def _stop_all(signum: int, frame: object) -> None:
    signal.signal(signum, signal.SIG_DFL)  # a second one ends the process
    for stop in [*_stops]:
        stop()


@contextmanager
def terminates(stop: Callable[[], None]) -> Generator[None, None, None]:
    """Calls ``stop`` at SIGTERM, on the main thread and unless the program has a handler of its own: then it decides.

    Ctrl-C is left to asyncio, which cancels the program.
    """
    is_main = threading.current_thread() is threading.main_thread()
    takes = is_main and signal.getsignal(signal.SIGTERM) in (signal.SIG_DFL, _stop_all)
    if not takes:
        yield
        return
    signal.signal(signal.SIGTERM, _stop_all)
    _stops.add(stop)
    try:
        yield
    finally:
        _stops.discard(stop)
        if not _stops and signal.getsignal(signal.SIGTERM) is _stop_all:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
