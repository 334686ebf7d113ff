"""The agent in asyncio; ``blocking.py`` is the same for programs without it."""

from __future__ import annotations

import asyncio
import re
import secrets
import signal
import threading
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, overload

from ..api import Actor
from ..client import DEFAULT_URL, AsyncNetClient
from ..completion import complete, fresh_id
from ..errors import NetError
from ..events import LAST_INDEX
from ..key import AgentKey
from ..key_file import ensure_encryption_key
from ..protocol.canonical_json import JsonObject, canonicalize
from .errors import AgentError
from .home import AgentState
from .memory import Memory
from .messages import (
    Message,
    MessageContent,
    MessageDesk,
    MessageKind,
    SentMessage,
    await_answer,
    content_bytes,
    send_message,
)
from .outbox import Outbox
from .parts import SLOW_POLL, Emitter, Line, Parts, Pulse, Reach, call, print_line
from .places import BeaconOptions, Origins, Peers, join_once, keep_beacon
from .session import LIFETIME, grant_session, read_session, require_live
from .work import WorkDesk, WorkOffer, WorkOptions

#: Seconds between looks at the beacon, for an answer, and for the last checkpoint of an agent that stops.
BEACON_SECONDS = 600.0
ANSWER_TIMEOUT = 120.0
LAST_CHECKPOINT = 15.0

_ACTOR_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,63}")

F = TypeVar("F", bound=Callable[..., Any])


class _May(NamedTuple):
    """What whoever is opened keeps up by itself."""

    beacon: bool
    memory: bool


class _Opening(NamedTuple):
    """Who is opened, with which keys, and how."""

    client: AsyncNetClient
    network: JsonObject
    actor: Actor
    encryption: JsonObject | None
    keys: Path | str | None
    blobs: Sequence[str]
    capabilities: list[str]
    log: Callable[[str], None] | None
    reach: Reach | None
    about: BeaconOptions


class AsyncAgent:
    """An agent; made by :meth:`open`.

    :ivar agent_id: its name on the chain
    :ivar chain_id: the chain it lives on
    :ivar client: everything else the node offers, signed by the agent where it acts
    """

    def __init__(self, parts: Parts, actor: Actor, beacon: BeaconOptions | None, since: str) -> None:
        self.agent_id = parts.agent_id
        self.chain_id = parts.chain_id
        self.client = parts.line.client
        self._parts = parts
        self._actor = actor
        self._beacon = beacon
        self._since = since
        self._keys: Path | str | None = None
        self._over: AgentError | None = None
        self._desks: list[WorkDesk] = []
        self._asked: set[str] = set()
        self._handler: Callable[[Message], Any] | None = None
        self._memory: Memory | None = None
        self._own_feed: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._ended = asyncio.Event()
        self._is_running = False
        #: There was neither an endpoint nor a place for its metadata yet.
        self._beacon_is_due = False
        self._told_of_beacon = False

    @classmethod
    async def open(
        cls,
        agent_id: str,
        *,
        url: str = DEFAULT_URL,
        capabilities: Sequence[str] = ("general",),
        description: str | None = None,
        referrer: str | None = None,
        blobs: Sequence[str] = (),
        endpoint: str | None = None,
        protocols: Sequence[str] = ("NET-AGENT-MESSAGE/1",),
        prices: Sequence[dict[str, Any]] | None = None,
        links: Sequence[dict[str, Any]] | None = None,
        passphrase: str | None = None,
        keys: Path | str | None = None,
        memory: bool = True,
        log: Callable[[str], None] | None = print_line,
        reach: Reach | None = None,
    ) -> AsyncAgent:
        """Makes or loads the keys, joins once, takes up what was in hand, and publishes a beacon that is not current.

        :param url: base address of the node
        :param capabilities: what it offers to do; orders are matched by it
        :param description: public: stands in its registration and its metadata
        :param referrer: the agent that recruited it
        :param blobs: origins of ``netd blobs``; without them those that the network announces
        :param endpoint: https, for the beacon; without it where its metadata can be fetched
        :param protocols: how it can be spoken to
        :param passphrase: seals the key files that are made, and opens sealed ones
        :param keys: the directory of key files; default ``$NET_HOME``, else ``~/.netd/keys``
        :param memory: False leaves ``memory`` out
        :param log: gets one line for whatever nobody listens to; None for silence
        :param reach: for tests: called at named moments
        :raises AgentError: with a code of ``AGENT_ERRORS``
        :raises KeyFileError: where a key file cannot be used
        :raises NetError: where the chain refuses something
        """
        if not _ACTOR_ID.fullmatch(agent_id):
            raise AgentError("AGENT_ID_INVALID", repr(agent_id))
        client = AsyncNetClient(url)
        about = BeaconOptions(description or "", protocols, endpoint, prices, links)
        try:
            network = await _network_of(client)
            chain_id = network["chainId"]
            key = AgentKey.ensure(agent_id, chain_id, directory=keys, passphrase=passphrase)
            encryption = ensure_encryption_key(agent_id, chain_id, directory=keys, passphrase=passphrase)
            actor = Actor(agent_id, key)

            async def enter(line: Line) -> _May:
                await join_once(line, actor, description, referrer)
                return _May(beacon=True, memory=memory)

            opening = _Opening(client, network, actor, encryption, keys, blobs, list(capabilities), log, reach, about)
            return await cls._assemble(opening, enter)
        except BaseException:
            await client.close()
            raise

    @classmethod
    async def open_session(
        cls,
        session: Path | str | Mapping[str, Any],
        *,
        url: str = DEFAULT_URL,
        capabilities: Sequence[str] = ("general",),
        blobs: Sequence[str] = (),
        keys: Path | str | None = None,
        memory: bool = True,
        log: Callable[[str], None] | None = print_line,
        reach: Reach | None = None,
    ) -> AsyncAgent:
        """Acts for an agent under a session that it has granted: its own key can stay away from this machine. What the
        session may not do is not done: without commitMemoryCheckpoint there is no memory. The beacon stays the agent's.

        :param session: the path of the file that ``grant_session`` wrote, of either SDK, or its content
        :raises AgentError: SESSION_FILE_INVALID, KEY_FILE_READABLE, SESSION_ENDED, CHAIN_MISMATCH, as ``open`` does
        """
        file = read_session(session)
        if not all(map(_ACTOR_ID.fullmatch, (file.actor_id, file.session_id))):
            raise AgentError("SESSION_FILE_INVALID")
        client = AsyncNetClient(url)
        try:
            network = await _network_of(client)
            _require_chain(network["chainId"], file.chain_id)
            actor = Actor(file.actor_id, file.key, file.session_id)

            async def enter(line: Line) -> _May:
                actions = await require_live(line, file)
                reads = memory and "commitMemoryCheckpoint" in actions and file.encryption is not None
                return _May(beacon=False, memory=reads)

            about = BeaconOptions("", (), None, None, None)
            opening = _Opening(
                client, network, actor, file.encryption, keys, blobs, list(capabilities), log, reach, about
            )
            return await cls._assemble(opening, enter)
        except BaseException:
            await client.close()
            raise

    @classmethod
    async def _assemble(cls, opening: _Opening, enter: Callable[[Line], Awaitable[_May]]) -> AsyncAgent:
        client, actor, chain_id = opening.client, opening.actor, opening.network["chainId"]
        # A session has state of its own: the agent itself may run elsewhere.
        name = actor.actor_id if actor.session_id is None else f"{actor.actor_id}.{actor.session_id}"
        state = AgentState(opening.keys, chain_id, name)
        try:
            line = Line(client)
            client.actor = actor
            reached: Reach = opening.reach or (lambda name, action: None)
            may = await enter(line)
            origins = Origins(line, client.driver, actor, opening.blobs)
            parts = Parts(
                agent_id=actor.actor_id,
                chain_id=chain_id,
                encryption=opening.encryption,
                capabilities=opening.capabilities,
                line=line,
                outbox=Outbox(line, actor, chain_id, state, reached),
                origins=origins,
                peers=Peers(line, origins),
                pulse=Pulse(),
                state=state,
                events=Emitter(opening.log),
                reach=reached,
            )
            since = f"{opening.network['height']}.{LAST_INDEX}"
            agent = cls(parts, actor, opening.about if may.beacon else None, since)
            agent._keys = opening.keys
            await origins.refresh()
            await agent._keep_beacon()
            if may.memory:
                agent._memory = await Memory.load(parts)
        except BaseException:
            state.close()
            raise
        return agent

    async def grant_session(
        self,
        *,
        actions: Sequence[str],
        budget: str | int,
        max_amount: str | int | None = None,
        expires_in: int = LIFETIME,
        label: str | None = None,
        reads_sealed: bool | None = None,
    ) -> Path:
        """Lets another key act for the agent, within bounds, and writes the file that ``open_session`` takes.

        :param actions: of the agent, that the session may do
        :param budget: what may leave the account by it, ever: ``'5 NET'``, or unet
        :param max_amount: what one act may take
        :param expires_in: heights from now
        :param label: public
        :param reads_sealed: whether it may read messages, sealed scopes and memory; without it where its actions are
            about those
        :returns: the file, among the keys
        :raises AgentError: AMOUNT_INVALID, SESSION_CANNOT_GRANT where this is a session itself
        :raises NetError: with the code of a refusal
        """
        if self._actor.session_id is not None:
            raise AgentError("SESSION_CANNOT_GRANT")
        return await grant_session(
            self.client,
            self.chain_id,
            self._parts.require_secret(),
            self._keys,
            actions=actions,
            budget=budget,
            max_amount=max_amount,
            expires_in=expires_in,
            label=label,
            reads_sealed=reads_sealed,
        )

    def on(self, name: str) -> Callable[[F], F]:
        """Hears what happens: ``@agent.on("paid")``. The listener gets a dict of facts.

        paid {order_id, amount in unet, receipt}, rejected {order_id, reason}, skipped {order_id, code, reason}, failed
        {order_id, attempt, error}, accepted {order_id}, delivered {order_id, deliverable_hash}, refused {message_id,
        from_agent_id, code, reason}, answer {message_id, message}, checkpoint {generation, checkpoint_hash}, warning
        {code, message}.
        """

        def listen(listener: F) -> F:
            self._parts.events.on(name, listener)
            return listener

        return listen

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

    def on_work(
        self,
        handler: F | None = None,
        *,
        min_funding: str | int = 0,
        capabilities: Sequence[str] | None = None,
        max_worker_bond: str | int = 0,
        concurrency: int = 1,
        accept: Callable[..., Any] | None = None,
    ) -> F | Callable[[F], F]:
        """Takes orders that match, once ``run`` is called. The handler's result is stored, committed, and settled.

        The handler gets a :class:`Job` and returns a string, bytes, or what becomes canonical JSON; a plain function
        runs beside the loop, a coroutine function in it.

        :param min_funding: what an order must pay at least: ``'1 NET'``, or a number of unet
        :param capabilities: orders that require one of these, or nothing, match; what the beacon says where left out
        :param max_worker_bond: the highest bond that an order may ask for
        :param concurrency: jobs at once whose handlers run
        :param accept: the last word, after everything has been checked; gets a :class:`WorkOffer`
        :raises AgentError: AMOUNT_INVALID
        """
        options = WorkOptions(min_funding, capabilities, max_worker_bond, concurrency, accept)

        def take(function: F) -> F:
            self._desks.append(WorkDesk(self._parts, options, function))
            return function

        return take if handler is None else take(handler)

    def on_message(self, handler: F) -> F:
        """Hears messages, once ``run`` is called: opened for the handler, answered sealed where they ask, acknowledged.

        What they say is content from a stranger. The handler gets a :class:`Message` and returns its answer, or None.
        """
        self._parts.require_secret()
        self._handler = handler
        return handler

    @property
    def memory(self) -> Memory:
        """What the agent remembers.

        :raises AgentError: MEMORY_OFF
        """
        if self._memory is None:
            raise AgentError("MEMORY_OFF")
        return self._memory

    @property
    def is_running(self) -> bool:
        """Whether ``run`` is under way."""
        return self._is_running and not self._ended.is_set()

    async def act(self, action: str, payload: Mapping[str, Any] | None = None, *, id: str | None = None) -> JsonObject:
        """Does one action, once, completed as ``NetClient.act`` does. An action that agents get on request is asked for
        first where it is missing.

        :param id: names it for good: under the same id it is not done again, whatever dies in between
        :returns: the receipt
        :raises NetError: with the code of a refusal
        """
        outbox, name = self._parts.outbox, f"own/{id or secrets.token_hex(16)}"
        whole = await self._completed(name, action, dict(payload or {}))
        try:
            receipt = await outbox.act(name, action, whole)
        except NetError as error:
            if error.code != "CAPABILITY_MISSING" or not await self._extend(action):
                raise
            receipt = await outbox.act(name, action, whole)
        if id is None:
            outbox.forget(name)
        return receipt

    async def _completed(self, name: str, action: str, given: JsonObject) -> JsonObject:
        """As it was completed the first time, where this very act is known: fresh ids stay what they were."""
        known = self._parts.outbox.payload_of(name)
        if known is not None and all(
            member in known and canonicalize(known[member]) == canonicalize(value) for member, value in given.items()
        ):
            return known
        line = self._parts.line
        height = await line.height()
        return await line.persist(
            lambda: self.client.run(complete(self.client.api, self.agent_id, action, given, height))
        )

    async def store(self, content: MessageContent) -> str:
        """Stores a blob at every known place.

        :returns: its hash
        :raises AgentError: BLOB_ORIGIN_UNKNOWN, BLOB_NOT_STORED
        """
        return (await self._parts.origins.put(content_bytes(content)))[0]

    async def fetch(self, blob_hash: str, origins: Sequence[str] = ()) -> bytes:
        """The bytes of a hash from whoever has them.

        :param origins: where else to ask
        :raises AgentError: BLOB_NOT_FOUND
        """
        data = await self._parts.origins.fetch(blob_hash, origins)
        if data is None:
            raise AgentError("BLOB_NOT_FOUND", blob_hash)
        return data

    async def send(
        self,
        to_agent_id: str,
        content: MessageContent,
        *,
        kind: MessageKind = "EVENT",
        conversation_id: str | None = None,
        reply_to: str | None = None,
    ) -> SentMessage:
        """Sends a sealed message that asks for no answer.

        :raises AgentError: RECIPIENT_HAS_NO_KEY, BLOB_NOT_STORED
        :raises NetError: with the code of a refusal
        """
        return await send_message(self._parts, to_agent_id, content, kind, conversation_id, reply_to)

    async def ask(
        self,
        to_agent_id: str,
        content: MessageContent,
        *,
        timeout: float = ANSWER_TIMEOUT,
        conversation_id: str | None = None,
    ) -> Message:
        """Sends a sealed question and waits for its answer.

        :param timeout: seconds
        :raises AgentError: ANSWER_TIMEOUT, MESSAGE_REJECTED, and what ``send`` raises
        """
        self._parts.require_secret()
        # The answer is sealed to the key that the beacon publishes.
        if self._beacon_is_due:
            await self._catch_up_on_beacon()
        self._listen_for_own()
        message_id = fresh_id("m")
        # Before it is sent: the answer may be there before the receipt.
        self._asked.add(message_id)
        try:
            sent = await send_message(
                self._parts, to_agent_id, content, "REQUEST", conversation_id, None, message_id, timeout
            )
            return await await_answer(self._parts, sent, to_agent_id, timeout)
        finally:
            self._asked.discard(message_id)

    async def run(self) -> None:
        """Works until ``stop``, Ctrl-C or SIGTERM; the next start goes on with what is in hand.

        :raises AgentError: SESSION_ENDED where it is the session that has ended
        """
        if self._is_running or self._ended.is_set():
            raise RuntimeError("an agent runs once")
        self._is_running = True
        self._listen_for_own()
        works = [desk.run() for desk in self._desks]
        if self._handler is not None:
            works.append(MessageDesk(self._parts, self._hear, self._asked).run())
        if self._desks:
            works.append(self._listen(type="WorkOrderCreated"))
        works += [self._keep_beacon_current(), self._wait_for_stop()]
        tasks = [asyncio.ensure_future(work) for work in works]
        try:
            with _signals(self._stopping.set):
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
        if self._is_running:
            await self._ended.wait()
        elif not self._ended.is_set():
            await self._end([])

    async def _wait_for_stop(self) -> None:
        await self._stopping.wait()

    async def _end(self, tasks: Sequence[asyncio.Future[None]]) -> None:
        self._parts.origins.hurry()
        try:
            await self._last_checkpoint()
        finally:
            feeds = [self._own_feed] if self._own_feed is not None else []
            for task in [*tasks, *feeds]:
                task.cancel()
            await asyncio.gather(*tasks, *feeds, return_exceptions=True)
            if self._memory is not None:
                self._memory.close()
            self._parts.state.close()
            await self.client.close()
            # A listener may be who waits for the end.
            self._ended.set()
            await self._parts.events.heard()

    async def _last_checkpoint(self) -> None:
        """What has changed is on disk in any case: a network that is away must not hold the end up."""
        if self._memory is None:
            return
        try:
            await asyncio.wait_for(self._memory.commit(), LAST_CHECKPOINT)
        except asyncio.TimeoutError:
            pass
        except Exception as error:
            self._parts.events.warn(error, "the memory")

    async def _hear(self, message: Message) -> Any:
        if message.kind == "RESPONSE":
            self._parts.events.emit("answer", message_id=message.message_id, message=message)
            return None
        return await call(self._handler, message) if self._handler is not None else None

    def _listen_for_own(self) -> None:
        if self._own_feed is None:
            self._own_feed = asyncio.ensure_future(self._listen(agent=self.agent_id))

    async def _listen(self, **filters: str) -> None:
        """Wakes everybody who waits when something happens that may concern them."""
        try:
            async for event in self.client.events(after=self._since, **filters):  # type: ignore[arg-type]
                session_id = self._actor.session_id
                if session_id and event.type == "SessionEnded" and event.data.get("sessionId") == session_id:
                    self._over = AgentError("SESSION_ENDED", str(event.data.get("reason")))
                    self._stopping.set()
                self._parts.pulse.wake()
        except Exception as error:
            # The slow look goes on without it.
            self._parts.events.warn(error, "the event feed")
        await asyncio.Event().wait()

    async def _keep_beacon_current(self) -> None:
        while True:
            try:
                if self._beacon_is_due:
                    await self._catch_up_on_beacon()
                await asyncio.sleep(SLOW_POLL if self._beacon_is_due else BEACON_SECONDS)
                await self._parts.origins.refresh()
                await self._keep_beacon()
            except Exception as error:
                self._parts.events.warn(error, "the beacon")

    async def _keep_beacon(self) -> None:
        if self._beacon is None:
            return
        self._beacon_is_due = await keep_beacon(self._parts, self._beacon) is None

    async def _catch_up_on_beacon(self) -> None:
        """Publishes it once there is a place for its metadata; says so where none comes, once."""
        await self._parts.origins.known(1)
        await self._keep_beacon()
        if self._beacon_is_due and not self._told_of_beacon:
            self._told_of_beacon = True
            self._parts.events.warn(AgentError("BLOB_ORIGIN_UNKNOWN"))

    async def _extend(self, action: str) -> bool:
        """Adds an action of the policy set to what the agent may do. False where it is none of those."""
        outbox, act_id = self._parts.outbox, f"extend/{action}"
        try:
            payload = {"agentId": self.agent_id, "actions": [action]}
            await outbox.act(act_id, "extendAgentCapabilities", payload)
        except NetError:
            return False
        outbox.forget(act_id)
        return True


async def _network_of(client: AsyncNetClient) -> JsonObject:
    try:
        network = await client.network()
    except NetError as error:
        if error.status == 0:
            raise AgentError("NODE_UNREACHABLE", client.url) from error
        raise
    # It comes from the node and names a directory.
    if not isinstance(network["chainId"], str) or not _ACTOR_ID.fullmatch(network["chainId"]):
        raise AgentError("CHAIN_ID_INVALID")
    return network


def _require_chain(found: str, wanted: str) -> None:
    if found != wanted:
        raise AgentError("CHAIN_MISMATCH", f"{found}, not {wanted}")


@contextmanager
def _signals(stop: Callable[[], None]) -> Generator[None, None, None]:
    """Ctrl-C and the service manager end it in order; a second Ctrl-C is the system's own again."""
    loop = asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = (signal.SIGINT, signal.SIGTERM)

    def once() -> None:
        for name in names:
            loop.remove_signal_handler(name)
        stop()

    try:
        for name in names:
            loop.add_signal_handler(name, once)
    except NotImplementedError:  # on Windows Ctrl-C cancels the program, which ends it in order too
        pass
    try:
        yield
    finally:
        for name in names:
            try:
                loop.remove_signal_handler(name)
            except NotImplementedError:
                pass
