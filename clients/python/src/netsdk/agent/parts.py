"""What the desks of an agent share: the line to the node, waiting, telling."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import re
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from .._async.client import AsyncNetClient
from .._async.verified_reader import AsyncVerifiedReader
from ..api import require_height
from ..errors import NetError, VerificationError
from ..formats.encryption_key import Keyring
from ..paths import Parameter
from ..protocol.canonical_json import MAX_SAFE_INTEGER, JsonObject, canonicalize
from .errors import AgentError

if TYPE_CHECKING:
    from .chain_time import ChainTime
    from .home import AgentState
    from .outbox import Outbox
    from .places import Origins, Peers

T = TypeVar("T")

#: Seconds between looks where no event has asked for one.
SLOW_POLL = 60.0
#: For a node that is behind: pauses grow, so this is some minutes. A chain that begins anew never gets there.
MOST_LOOKS = 12
#: Called at named moments, so that a test can make the process die: name, and the action where it is one of an act.
Reach = Callable[[str, str | None], None]

_AMOUNT = re.compile(r"(\d{1,10})(?:\.(\d{1,6}))?\s*NET", re.IGNORECASE | re.ASCII)


def pause_after(attempt: int) -> float:
    """0.5, 1, 2, … up to 30 seconds."""
    return float(min(0.5 * 2 ** min(attempt, 16), 30.0))


def unet_of(amount: str | int) -> int:
    """An amount as people write it.

    :param amount: ``'1 NET'``, ``'0.5NET'``, or a whole number of unet
    :raises AgentError: AMOUNT_INVALID
    """
    if isinstance(amount, int) and not isinstance(amount, bool) and 0 <= amount <= MAX_SAFE_INTEGER:
        return amount
    match = _AMOUNT.fullmatch(amount.strip()) if isinstance(amount, str) else None
    if match is None:
        raise AgentError("AMOUNT_INVALID", repr(amount))
    return int(match[1]) * 1_000_000 + int((match[2] or "").ljust(6, "0"))


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """Runs a blocking function beside the loop, on a thread that holds up nobody's end."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is None:
            done.set_result(result)  # type: ignore[arg-type]
        else:
            done.set_exception(error)

    def run() -> None:
        result: T | None = None
        failure: BaseException | None = None
        try:
            result = function(*arguments)
        except StopIteration as error:  # which no future can carry
            failure = RuntimeError(f"StopIteration: {error}")
        except BaseException as error:
            failure = error
        try:
            loop.call_soon_threadsafe(settle, result, failure)
        except RuntimeError:
            pass  # The loop has ended: nobody waits any more.

    threading.Thread(target=run, daemon=True, name="netsdk-handler").start()
    return await done


async def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a handler: a coroutine function in the loop, any other beside it."""
    if inspect.iscoroutinefunction(function):
        return await function(*arguments)
    result = await in_thread(function, *arguments)
    return await result if inspect.isawaitable(result) else result


class Pulse:
    """Waiting that something can end: an event of the chain, or a change in hand."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()
        #: Counts wakes. Taken before a look: what happens during the look is then not slept over.
        self.beat = 0

    def wake(self) -> None:
        """Everybody looks again."""
        self.beat += 1
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def wait(self, seconds: float, since: int) -> None:
        """Waits for a wake, at most so long.

        :param since: the beat before the look that found nothing to do
        """
        if self.beat != since:
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            await asyncio.wait([future], timeout=min(seconds, 86_400.0))
        finally:
            self._waiting.discard(future)


class Emitter:
    """Tells listeners what happened; whoever listens badly harms nobody else."""

    def __init__(self, log: Callable[[str], None] | None) -> None:
        self._log = log or (lambda line: None)
        self._listeners: dict[str, list[Callable[..., Any]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def on(self, name: str, listener: Callable[..., Any]) -> None:
        """Adds a listener, who gets the facts of the event as a dict."""
        self._listeners.setdefault(name, []).append(listener)

    def has(self, name: str) -> bool:
        """Whether a listener waits for events of this name."""
        return bool(self._listeners.get(name))

    def emit(self, name: str, **facts: Any) -> None:
        """Whoever listens hears it; a line of the log says it where nobody does."""
        listeners = self._listeners.get(name, [])
        if not listeners:
            shown = {key: _shown(value) for key, value in facts.items()}
            self._log(f"{name}  {', '.join(f'{key}: {value}' for key, value in shown.items() if value is not None)}")
        for listener in listeners:
            self.tell(name, listener, facts)

    def tell(self, name: str, listener: Callable[..., Any], facts: dict[str, Any]) -> None:
        """Tells one listener."""
        task = asyncio.get_running_loop().create_task(self._tell(name, listener, facts))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell(self, name: str, listener: Callable[..., Any], facts: dict[str, Any]) -> None:
        try:
            await call(listener, facts)
        except Exception as error:
            self._log(f"a listener of {name} raised: {error}")

    def warn(self, error: BaseException, about: str = "") -> None:
        """Something goes on all the same, and its owner should know."""
        code = getattr(error, "code", "UNEXPECTED")
        self.emit("warning", code=code, message=f"{about}: {error}" if about else str(error))

    async def heard(self) -> None:
        """Waits until every listener has heard what was told."""
        if self._tasks:
            await asyncio.wait(list(self._tasks), timeout=5)


def _shown(value: Any) -> str | None:
    """As a line of the log has it; None where it would be no line."""
    if isinstance(value, list):
        return "; ".join(value) if value and all(isinstance(each, str) for each in value) else None
    return None if isinstance(value, dict) else str(value)


def print_line(line: str) -> None:
    """What an agent says where nobody listens."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


#: What an agent decides by, of an order and of a message.
ORDER_FACTS = (
    "orderId",
    "requesterId",
    "workerId",
    "scopeHash",
    "requirements",
    "funding",
    "workerBond",
    "validationPolicy",
    "status",
    "phase",
    "reason",
    "result",
)
MESSAGE_FACTS = (
    "messageId",
    "conversationId",
    "fromAgentId",
    "toAgentId",
    "sequence",
    "kind",
    "contentHash",
    "replyTo",
)


def _said(message: Mapping[str, Any]) -> str:
    return canonicalize([message.get(name) for name in MESSAGE_FACTS])


class Line:
    """The line to a node, which may be cut: a read or an envelope is sent again until there is an answer.

    For as long as the agent lives; a refusal is an answer.
    """

    def __init__(self, client: AsyncNetClient, reader: AsyncVerifiedReader | None = None) -> None:
        self.client = client
        self._reader = reader
        #: The height of the newest receipt. A follower that hands writes on may have their blocks a moment later.
        self._written_at = 0
        #: How far the node was when it was asked last.
        self._node_at = 0

    @property
    def proves(self) -> bool:
        """Whether what decides is proven: else what the node says is believed."""
        return self._reader is not None

    async def read(self, path: str, /, **parameters: Parameter) -> JsonObject:
        """A document.

        A node that is behind what the agent has written is asked again until it is there: it may call unknown what was
        just made, and tell of an order or account as it was before. One that does not get there in some minutes is
        taken as it is.

        :raises NetError: for a refusal
        """
        for attempt in itertools.count():
            is_behind = self._node_at < self._written_at
            try:
                document: JsonObject = await self.persist(
                    lambda: self.client.run(self.client.api.read(path, parameters))
                )
                # Not every document is one of a height; some never change.
                height = document.get("height")
                if not isinstance(height, int):
                    return document
                self._node_at = height
                if height >= self._written_at:
                    return document
                if attempt >= MOST_LOOKS:
                    # A chain that begins anew never gets there: what is read next does not wait as long again.
                    self._written_at = height
                    return document
            except NetError as error:
                if error.status != 404 or not is_behind or attempt >= MOST_LOOKS:
                    raise
                self._node_at = require_height((await self.persist(self.client.network)).get("height"))
                if self._node_at >= self._written_at:
                    continue
            await asyncio.sleep(pause_after(attempt))
        raise AssertionError

    def wrote(self, receipt: Mapping[str, Any]) -> None:
        """Remembers how far a node must be that knows all that the agent has written."""
        self._written_at = max(self._written_at, int(receipt["height"]))

    async def find(self, path: str, /, **parameters: Parameter) -> JsonObject | None:
        """The document, or None where the node says that there is none."""
        try:
            return await self.read(path, **parameters)
        except NetError as error:
            if error.status == 404:
                return None
            raise

    async def height(self) -> int:
        """Of the last block: certified where the agent has an anchor, because a far one lets an envelope live long."""
        if self._reader is None:
            return require_height((await self.persist(self.client.network)).get("height"))
        reader = self._reader
        return (await self._proven(lambda: reader.read_state("chain/identity"))).height

    async def state(self, key: str) -> Any:
        """The record of a state key, None where there is none: proven where the agent has an anchor.

        :raises AgentError: ANSWER_NOT_PROVEN
        """
        if self._reader is None:
            return (await self.read("/v1/state/proof", key=key)).get("value")
        reader = self._reader
        return (await self._proven(lambda: reader.read_state(key))).value

    async def order(self, order_id: str) -> JsonObject | None:
        """An order, None where there is none. What is decided by is proven where the agent has an anchor.

        :raises AgentError: ANSWER_NOT_PROVEN, ANSWER_MISMATCHED where the node answers with another one
        """
        found = await self.find("/v1/work-orders/{orderId}", orderId=order_id)
        order: JsonObject | None = found["order"] if found is not None else None
        if order is not None and order.get("orderId") != order_id:
            raise AgentError("ANSWER_MISMATCHED", f"order {order_id}")
        if self._reader is None:
            return order
        record = await self.state(f"order/{order_id}")
        if order is None and record is None:
            return None
        if order is None or record is None:
            raise AgentError("ANSWER_NOT_PROVEN", f"order {order_id}")
        return order | {name: record[name] for name in ORDER_FACTS}

    async def prove_message(self, facts: Mapping[str, Any]) -> str:
        """Makes sure that the sender has committed to this message, where the agent has an anchor. Returns its status.

        :raises AgentError: ANSWER_NOT_PROVEN
        """
        if self._reader is None:
            return str(facts["status"])
        record = await self.state(f"message/{facts['messageId']}")
        if record is None or _said(record["message"]) != _said(facts):
            raise AgentError("ANSWER_NOT_PROVEN", f"message {facts['messageId']}")
        return str(record["status"])

    async def _proven(self, prove: Callable[[], Awaitable[T]]) -> T:
        try:
            return await self.persist(prove)
        except VerificationError as error:
            raise AgentError("ANSWER_NOT_PROVEN", str(error)) from error

    async def submit(self, path: str, envelope: Mapping[str, Any]) -> JsonObject:
        """Sends one envelope until the node has answered: what was committed already is answered with its receipt.

        :raises NetError: with the code of a refusal; then it was not executed
        """
        api = self.client.api
        # What something on the way says, a proxy for example, tells nothing of what the node has done.
        receipt = await self.persist(
            lambda: self.client.run(api.submit(path, envelope)), lambda error: error.is_refusal
        )
        self.wrote(receipt)
        if self._reader is None:
            return dict(receipt)
        reader, name = self._reader, receipt["transitionHash"]
        # Until it is proven its fate is open: a refusal of the proof is none of the envelope.
        try:
            return (await self._proven(lambda: reader.read_transition(name))).receipt
        except NetError as error:
            raise AgentError("ANSWER_NOT_PROVEN", name) from error

    async def persist(
        self, ask: Callable[[], Awaitable[T]], is_answer: Callable[[NetError], bool] = lambda error: True
    ) -> T:
        """Does it again while the node is away or busy."""
        attempt = 0
        while True:
            try:
                return await ask()
            except NetError as error:
                is_away = error.status in (0, 429) or error.status >= 500
                if not is_away and is_answer(error):
                    raise
                wait = max(pause_after(attempt), min(error.retry_after or 0, 60))
            attempt += 1
            await asyncio.sleep(wait)


@dataclass
class Parts:
    """Everything that the desks of one agent work with."""

    agent_id: str
    chain_id: str
    #: None for a session that reads nothing sealed.
    encryption: Keyring | None
    capabilities: Sequence[str]
    #: The runtime that this process is, where memories are handed over to one.
    runtime: str | None
    line: Line
    outbox: Outbox
    origins: Origins
    peers: Peers
    pulse: Pulse
    time: ChainTime
    state: AgentState
    events: Emitter
    reach: Reach
    #: From now on, whatever happens to the agent wakes who waits.
    watch: Callable[[], None]
    #: What goes on beside, until the agent ends.
    background: set[asyncio.Task[None]] = field(default_factory=set)

    def in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Goes on beside, until it is done or the agent ends."""
        task = asyncio.get_running_loop().create_task(work)
        self.background.add(task)
        task.add_done_callback(self.background.discard)

    def require_keyring(self) -> Keyring:
        """The keys that open what is sealed to the agent, the newest first.

        :raises AgentError: SESSION_READS_NOTHING
        """
        if self.encryption is None:
            raise AgentError("SESSION_READS_NOTHING")
        return self.encryption

    def require_secret(self) -> JsonObject:
        """The key that others seal to now.

        :raises AgentError: SESSION_READS_NOTHING
        """
        return self.require_keyring()[0]
