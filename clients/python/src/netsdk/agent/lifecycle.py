"""The lifecycle of an agent: its tasks, event feed, beacon and shutdown."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

from .._async.events import follow
from ..errors import NetError
from ..events import Cursor
from .beacon import LONGEST_LOOK, BeaconOptions, keep_beacon
from .errors import AgentError
from .handler_call import call, cancel
from .memory import Memory
from .message_worker import MessageWorker
from .messages import Message
from .order_worker import OrderWorker
from .parts import SLOW_POLL, Parts
from .runtime_worker import RuntimeWorker

#: Seconds for the last checkpoint at shutdown. Without it, changes are still on disk.
LAST_CHECKPOINT = 5.0
#: Seconds before the first retry of a due beacon; doubled after each failure.
TRY_AGAIN = 5.0


class Ticked(NamedTuple):
    """Report of a tick."""

    #: Number of events by name, from the opening of the agent on.
    did: dict[str, int]
    #: When the agent wants its next tick, in seconds since 1970: a minute from now at the latest.
    next_at: float
    #: True if the tick reached a bound, so that there may be more to do. Then ``next_at`` is now.
    more: bool


class Lifecycle:
    """Runs the tasks of an agent.

    :param beacon: content of its beacon; None if it publishes none
    :param session_id: session whose end stops the agent
    :param since: event cursor at its start
    """

    def __init__(self, parts: Parts, beacon: BeaconOptions | None, session_id: str | None, since: Cursor) -> None:
        self._parts = parts
        self._beacon = beacon
        self._session_id = session_id
        self._since = since
        self.order_workers: list[OrderWorker] = []
        self.runtime_workers: list[RuntimeWorker] = []
        self.asked: set[str] = set()
        self.handler: Callable[[Message], Any] | None = None
        self.memory: Memory | None = None
        self._over: AgentError | None = None
        self._own_feed: asyncio.Task[None] | None = None
        self._watched: list[str] = []
        self._stopping = asyncio.Event()
        self._ended = asyncio.Event()
        self._has_begun = False
        #: True if the beacon must be published, because it changed, or had no endpoint or store yet.
        self._beacon_is_due = False
        self._beacon_pause = LONGEST_LOOK
        self._told_of_beacon = False
        self._warned_of_refusal = False

    def require_room(self, what: str, is_taken: bool) -> None:
        """Rejects a handler that would never be called, or would replace another.

        :raises AgentError: HANDLER_TOO_LATE once the workers have begun, HANDLER_TWICE
        """
        self._parts.require_live()
        if is_taken:
            raise AgentError("HANDLER_TWICE", what)
        if self._has_begun:
            raise AgentError("HANDLER_TOO_LATE", what)

    @property
    def is_running(self) -> bool:
        """True while ``run`` is running."""
        return self._has_begun and not self._ended.is_set()

    async def run(self, signals: bool) -> None:
        """Works until ``stop``, or SIGTERM if ``signals`` is true; see :meth:`AsyncAgent.run`."""
        self._begin()
        self.listen_for_own()
        tasks = [asyncio.ensure_future(work) for work in [*self._works(), self._wait_for_stop()]]
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

    async def tick(self, timeout: float, jobs: int) -> Ticked:
        """Works as ``run`` does until there is nothing more to do now, or a bound is reached, and then stops."""
        self._begin()
        poller = self._parts.poller
        poller.begin_tick(jobs)

        async def work() -> None:
            await self._parts.time.known.wait()
            works = [asyncio.ensure_future(each) for each in self._works()]
            try:
                await asyncio.gather(*works)
            finally:
                # One that fails does not end the others.
                await cancel(works)

        tasks = [asyncio.ensure_future(work()), asyncio.ensure_future(self._wait_for_stop())]
        try:
            done, _ = await asyncio.wait(tasks, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await self._end(tasks)
        if self._over is not None:
            raise self._over
        more = tasks[0] not in done or poller.is_spent
        now = time.time()
        return Ticked({**self._parts.events.counts}, now if more else min(poller.next_at, now + SLOW_POLL), more)

    async def _wait_for_stop(self) -> None:
        await self._stopping.wait()

    def _begin(self) -> None:
        self._parts.require_live()
        if self._has_begun:
            raise AgentError("AGENT_RUNNING", f"{self._parts.agent_id}: run or tick was called before")
        self._has_begun = True

    def _works(self) -> list[Coroutine[Any, Any, None]]:
        works = [worker.run() for worker in self.order_workers] + [worker.run() for worker in self.runtime_workers]
        # Without a handler, only answers are taken; questions stay pending.
        hears_answers = self._parts.encryption is not None and self._parts.events.has("answer")
        if self.handler is not None or hears_answers:
            only = "RESPONSE" if self.handler is None else None
            works.append(MessageWorker(self._parts, self._hear, self.asked, only).run())
        return [*works, self._keep_beacon_current()]

    async def stop(self) -> None:
        """Stops the agent; see :meth:`AsyncAgent.stop`."""
        self._stopping.set()
        if self._has_begun:
            await self._ended.wait()
        elif not self._ended.is_set():
            await self._end([])

    def end_by(self, error: AgentError) -> None:
        """Stops the agent with this error, which ``run`` raises. If it is CHAIN_REPLACED or HOME_FENCED, pending calls
        raise it too."""
        self._over = error
        self._stopping.set()
        if error.code in ("CHAIN_REPLACED", "HOME_FENCED"):
            self._parts.client.end(error)
            self._parts.poller.wake()

    async def _end(self, tasks: Sequence[asyncio.Future[None]]) -> None:
        self._parts.origins.hurry()
        try:
            await self._last_checkpoint()
        finally:
            feeds = [self._own_feed] if self._own_feed is not None else []
            self._parts.end = self._over or AgentError("AGENT_STOPPED", self._parts.agent_id)
            await cancel([*tasks, *feeds, *self._parts.background])
            # Cancel calls after the workers, so that a handler that awaits such a call does not count as failed.
            await cancel([*self._parts.calls, *self._parts.extending.values()])
            if self.memory is not None:
                await self.memory.close()
            try:
                self._parts.state.close()
            finally:
                await self._parts.client.net_client.close()
                # Set this before waiting for listeners, because a listener may await the end.
                self._ended.set()
                await self._parts.events.heard()

    async def _last_checkpoint(self) -> None:
        """Commits pending changes if the node answers. Otherwise the next start commits them."""
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
        """Starts the event feed, or restarts it if its topics changed."""
        watched = [f"agent:{self._parts.agent_id}", *(["type:WorkOrderCreated"] if self.order_workers else [])]
        if watched == self._watched:
            return
        if self._own_feed is not None:
            self._own_feed.cancel()
        self._watched = watched
        self._own_feed = asyncio.ensure_future(self._listen(watched))

    async def _listen(self, watched: Sequence[str]) -> None:
        """Follows the feed and wakes all waiting tasks. Uses one stream, because nodes limit streams per address."""
        net_client = self._parts.client.net_client
        health = self._parts.client.health
        health.heard(False)
        try:
            async for event in follow(
                net_client.driver,
                net_client.api,
                {"watch": ",".join(watched)},
                cursor=self._since,
                refused=self._warn_of_refusal,
                streaming=health.heard,
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
                self._parts.events.warn(error, "the event feed")

    def _warn_of_refusal(self, error: NetError) -> None:
        if not self._warned_of_refusal:
            self._warned_of_refusal = True
            self._parts.events.warn(error, "the event feed")

    async def _keep_beacon_current(self) -> None:
        is_later = False
        patience = TRY_AGAIN
        while True:
            try:
                # Wait also after a failure, because an unreachable store fails at once.
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
            # Every tick opens the agent, which renews the beacon.
            if self._parts.poller.ticks:
                return
            is_later = True

    async def keep_beacon(self) -> None:
        """Publishes the beacon if it is not current."""
        if self._beacon is None:
            return
        pause = await keep_beacon(self._parts, self._beacon)
        self._beacon_is_due = pause is None
        self._beacon_pause = SLOW_POLL if pause is None else pause

    async def first_beacon(self) -> None:
        """Publishes the beacon if it is not current. If stores refuse the metadata, only warns."""
        try:
            await self.keep_beacon()
        except AgentError as error:
            if error.code != "BLOB_NOT_STORED":
                raise
            self._beacon_is_due = True
            self._parts.events.warn(error, "the beacon")

    async def publish_beacon(self) -> None:
        """Publishes a changed beacon. If that fails, it is retried later."""
        self._beacon_is_due = True
        await self.catch_up_on_beacon()

    async def catch_up_on_beacon(self) -> None:
        """Publishes a due beacon once its metadata has a store. Warns once if there is none."""
        if not self._beacon_is_due:
            return
        await self._parts.origins.known(1)
        await self.keep_beacon()
        if self._beacon_is_due and not self._told_of_beacon:
            self._told_of_beacon = True
            self._parts.events.warn(AgentError("BLOB_ORIGIN_UNKNOWN"))


_stops: set[Callable[[], None]] = set()


def _stop_all(signum: int, frame: object) -> None:
    signal.signal(signum, signal.SIG_DFL)  # a second signal ends the process
    for stop in [*_stops]:
        stop()


@contextmanager
def terminates(stop: Callable[[], None]) -> Generator[None, None, None]:
    """Calls ``stop`` at SIGTERM, if this is the main thread and the program has no handler of its own.

    asyncio handles Ctrl-C by canceling the main task.
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
