"""A client that retries until the node answers or refuses, or the agent ends."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, TypeVar

from .._async.client import AsyncNetClient
from .._async.verified_reader import AsyncVerifiedReader
from ..api import NAMED_GENESIS, next_cursor, require_height, rules_version_in
from ..errors import NetError, VerificationError
from ..paths import Parameter
from ..protocol.canonical_json import JsonObject, canonicalize
from ..verification import rules_version_of
from .emitter import Emitter
from .errors import AgentError
from .handler_call import cancel
from .health import HealthNotes
from .home import GenesisBinding
from .poller import pause_after

T = TypeVar("T")
#: Polls of a node that lags. With growing pauses, they take some minutes.
MOST_LOOKS = 12
MAX_PAGES = 5
# Refusals of new names that last for hours, and are not retried.
LONG_REFUSALS = frozenset({"REGISTRATION_LIMIT", "FIRST_DRAW_LIMIT"})
#: Members of an order and of a message that an agent's decisions depend on.
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
    "acceptedAt",
    "result",
    "dispute",
    "rulesVersion",
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


class RetryingClient:
    """Retries until the node answers or refuses, or the agent ends."""

    def __init__(
        self,
        net_client: AsyncNetClient,
        reader: AsyncVerifiedReader | None = None,
        events: Emitter | None = None,
    ) -> None:
        self.net_client = net_client
        self._reader = reader
        self._events = events
        self._outage: tuple[float, float] | None = None
        #: Height of the newest receipt. A follower may get its block a moment later.
        self._written_at = 0
        self._node_at = 0
        self.health = HealthNotes()
        self.binding: GenesisBinding | None = None
        self._replaced: Callable[[AgentError], None] | None = None
        self._end: AgentError | None = None
        self._has_ended = asyncio.Event()
        self._is_gone = asyncio.Event()

    def bind_to(self, replaced: Callable[[AgentError], None]) -> None:
        """Requires the node to serve the chain of ``binding``. This is checked after an outage, and if the node's
        height falls.

        :param replaced: called with CHAIN_REPLACED once the node serves another chain
        """
        self._replaced = replaced

    def end(self, error: AgentError) -> None:
        """Makes pending and later calls raise this error."""
        self._end = error
        self._has_ended.set()

    @property
    def seen_height(self) -> int:
        """The highest block that the agent has seen, in an answer or a receipt."""
        return max(self._node_at, self._written_at)

    async def when_away(self) -> None:
        """Waits until the node stops answering."""
        await self._is_gone.wait()

    async def pause(self, seconds: float) -> None:
        """Waits before the next try. Raises the error that ended the agent."""
        try:
            await asyncio.wait_for(self._has_ended.wait(), seconds)
        except asyncio.TimeoutError:
            pass
        self._require_open()

    async def _unless_ended(self, work: Awaitable[T]) -> T:
        answer, ended = asyncio.ensure_future(work), asyncio.ensure_future(self._has_ended.wait())
        try:
            await asyncio.wait([answer, ended], return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                self._require_open()
            return await answer
        finally:
            # The client closes its connections next, and forgets one that a cancelled request still opens.
            await cancel([answer, ended])

    def _require_open(self) -> None:
        if self._end is not None:
            raise self._end

    async def _check_chain(self) -> None:
        if self._replaced is None or self.binding is None:
            return
        try:
            network = await self.net_client.run(self.net_client.api.chain(self.binding.genesis_hash))
        except AgentError as error:
            self.end(error)
            self._replaced(error)
            raise
        # A laboratory may have been reset to a snapshot, which does not contain later writes.
        if network.get("laboratory") is True:
            self._written_at = min(self._written_at, self._node_at)

    @property
    def proves(self) -> bool:
        """True if the agent has a trust anchor and verifies proofs. Otherwise it trusts the node."""
        return self._reader is not None

    async def read(self, path: str, /, **parameters: Parameter) -> JsonObject:
        """Returns a document.

        Polls while the node is behind the agent's own writes, because its answers would be outdated. Accepts the answer
        after some minutes.

        :raises NetError: if the node refuses
        """
        for attempt in itertools.count():
            is_behind = self._node_at < self._written_at
            try:
                document: JsonObject = await self.persist(
                    lambda: self.net_client.run(self.net_client.api.read(path, parameters))
                )
                height = document.get("height")
                if not isinstance(height, int):
                    return document
                has_fallen, self._node_at = height < self._node_at, height
                if has_fallen:
                    await self.persist(self._check_chain)
                if height >= self._written_at:
                    return document
                if attempt >= MOST_LOOKS:
                    # Later reads must not wait again.
                    self._written_at = height
                    return document
            except NetError as error:
                if error.status != 404 or not is_behind or attempt >= MOST_LOOKS:
                    raise
                self._node_at = require_height((await self.persist(self.net_client.network)).get("height"))
                if self._node_at >= self._written_at:
                    continue
            await self.pause(pause_after(attempt))
        raise AssertionError

    async def pages(self, path: str, /, **parameters: Parameter) -> AsyncIterator[JsonObject]:
        """Yields the first pages of a list, enough for one poll.

        :raises NetError: if the node refuses, or if the cursors form a cycle
        """
        seen: set[str] = set()
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await self.read(path, cursor=cursor, **parameters)
            yield page
            cursor = next_cursor(page, seen)
            if cursor is None:
                return

    def wrote(self, receipt: Mapping[str, Any]) -> None:
        """Records the height that the node must reach before its answers count as current."""
        self._written_at = max(self._written_at, int(receipt["height"]))

    async def find(self, path: str, /, **parameters: Parameter) -> JsonObject | None:
        """Returns the document, or None if the node says that it does not exist."""
        try:
            return await self.read(path, **parameters)
        except NetError as error:
            if error.status == 404 and error.is_refusal:
                return None
            raise

    async def height(self) -> int:
        """Returns the height of the last block."""
        return (await self.tip())[0]

    async def tip(self) -> tuple[int, str | None]:
        """Returns the height, and the genesis hash that envelopes must name from version 2 of the rules on.

        With a trust anchor, the height is proven, because a false height could keep an envelope valid.
        """
        binding, reader = self.binding, self._reader
        if reader is not None:
            state = await self._proven(lambda: reader.read_state("rules/active"))
            height, version = state.height, rules_version_of(state)
        else:
            network = await self.persist(self.net_client.network)
            height, version = require_height(network.get("height")), rules_version_in(network)
            if binding is not None and version > binding.rules_version:
                version = await self._proven_version(binding)
        if binding is None:
            return height, None
        if version > binding.rules_version:
            binding.raise_to(version)
        if binding.rules_version < NAMED_GENESIS:
            return height, None
        self.net_client.name_genesis(binding.genesis_hash)
        return height, binding.genesis_hash

    async def _proven_version(self, binding: GenesisBinding) -> int:
        """Returns the version that the node proves from the state's genesis; 1 if it cannot."""
        reader = AsyncVerifiedReader(self.net_client, genesis_hash=binding.genesis_hash)
        try:
            return rules_version_of(await self.persist(lambda: reader.read_state("rules/active")))
        except VerificationError:
            return 1

    async def state(self, key: str) -> Any:
        """Returns the record of a state key, or None. With a trust anchor, it is proven.

        :raises AgentError: ANSWER_NOT_PROVEN
        """
        if self._reader is None:
            return (await self.read("/v1/state/proof", key=key)).get("value")
        reader = self._reader
        return (await self._proven(lambda: reader.read_state(key))).value

    async def order(self, order_id: str) -> JsonObject | None:
        """Returns an order, or None. With a trust anchor, its ``ORDER_FACTS`` are proven.

        :raises AgentError: ANSWER_NOT_PROVEN, ANSWER_MISMATCHED if the node returns another order
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
        told = {name: value for name, value in order.items() if name not in ORDER_FACTS}
        return told | {name: record[name] for name in ORDER_FACTS if name in record}

    async def prove_message(self, facts: Mapping[str, Any]) -> str:
        """Returns the status of a message. With a trust anchor, proves that the sender committed the message.

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
        """Sends one envelope until the node answers. A repeated envelope gets the first receipt.

        :raises NetError: with the code of a refusal; the envelope was not executed
        """
        api = self.net_client.api
        receipt = await self.persist(lambda: self.net_client.run(api.submit(path, envelope)))
        self.wrote(receipt)
        if self._reader is None:
            return dict(receipt)
        reader, name = self._reader, receipt["transitionHash"]
        # A refused proof does not mean a refused envelope, so this must not look like a refusal.
        try:
            return (await self._proven(lambda: reader.read_transition(name))).receipt
        except NetError as error:
            raise AgentError("ANSWER_NOT_PROVEN", name) from error

    async def persist(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Retries until the node answers or refuses. Emits ``offline`` before retries and ``online`` after them."""
        attempt = 0
        while True:
            self._require_open()
            try:
                answer = await self._answer(ask)
            except NetError as error:
                self.health.answered(error)
                if _is_final(error):
                    self._is_back()
                    raise
                wait = max(pause_after(attempt), min(error.retry_after or 0, 60))
                # A node that answers 429 is reachable.
                if error.status != 429:
                    self._is_away(error, wait)
            else:
                self._is_back()
                return answer
            attempt += 1
            await self.pause(wait)

    async def _answer(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Asks once. After an outage, or if the node lacks a document, checks that the node serves the same chain."""
        try:
            answer = await self._unless_ended(ask())
        except NetError as error:
            if _is_final(error) and (self._outage is not None or error.status == 404):
                await self._check_chain()
            raise
        self.health.answered(None)
        if self._outage is not None:
            await self._check_chain()
        return answer

    def _is_away(self, error: NetError, wait: float) -> None:
        now = time.monotonic()
        self._is_gone.set()
        since, quiet_until = self._outage or (now, now)
        self._outage = since, quiet_until
        if now < quiet_until or self._events is None:
            return
        self._outage = since, now + wait
        self._events.emit(
            "offline",
            url=self.net_client.url,
            for_milliseconds=round((now - since) * 1_000),
            next_try_in=round(wait * 1_000),
            reason=str(error),
        )

    def outage(self) -> str:
        """Returns an addition to a timeout's error: the node does not answer. Empty if it answers."""
        return "" if self._outage is None else f"; {self.net_client.url} does not answer"

    def _is_back(self) -> None:
        if self._outage is None or self._events is None:
            return
        since, _ = self._outage
        self._outage = None
        self._is_gone.clear()
        lasted = round((time.monotonic() - since) * 1_000)
        self._events.emit("online", url=self.net_client.url, for_milliseconds=lasted)


def _is_final(error: NetError) -> bool:
    """True if the node has refused. A portal or proxy may answer with its own page, even with status 200, and is
    retried. Redirects are permanent."""
    is_busy = error.status == 429 and error.code not in LONG_REFUSALS
    return (error.is_refusal and not is_busy) or 300 <= error.status < 400


def _said(message: Mapping[str, Any]) -> str:
    return canonicalize([message.get(name) for name in MESSAGE_FACTS])
