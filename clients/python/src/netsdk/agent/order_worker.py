"""Selection of orders: finds and accepts matching ones up to the limit, and continues accepted ones."""

from __future__ import annotations

import asyncio
import json
import math
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..formats import FormatError
from ..protocol.amount import net_text
from ..protocol.canonical_json import JsonObject
from .amount import unet_of
from .errors import AgentError
from .handler_call import call, cancel
from .parts import SLOW_POLL, Parts
from .poll_loop import keep_polling
from .poller import pause_after
from .retry import RetryPolicy
from .scope import fetch_input, fetch_scope, require_small_inputs
from .typed import INPUT, HandlerOf, read_input
from .work_job import RESTING, JobRunner
from .work_offer import WorkOffer, bond_beyond_balance
from .workable import require_workable

PAGE = 100
MAX_SKIPPED = 10_000
MAX_LOGGED = 100
SCOPE_TRIES = 8
NOT_YET = frozenset(["SCOPE_MISSING", "INPUT_MISSING", "BLOB_UNAVAILABLE"])
#: Seconds after which the next order no longer waits for the check of this one.
QUICK = 1.0
#: Slow orders checked in parallel, at most one per requester.
MOST_SLOW = 16


@dataclass
class WorkOptions:
    """Filters for orders to accept. Amounts are ``'1 NET'`` or a number of unet."""

    min_funding: str | int | None = None
    capabilities: Sequence[str] | None = None
    max_worker_bond: str | int = 0
    concurrency: int = 1
    accept: Callable[..., Any] | None = None
    retry: RetryPolicy | None = None


class _Skip(NamedTuple):
    until: float
    tries: int


class OrderWorker:
    """Finds and accepts orders."""

    def __init__(self, parts: Parts, options: WorkOptions, handler_of: HandlerOf) -> None:
        self._parts = parts
        self._options = options
        #: Minimum funding in unet; None until it is read from the network's policy.
        self._least = None if options.min_funding is None else unet_of(options.min_funding, "min_funding")
        self._most_bond = unet_of(options.max_worker_bond, "max_worker_bond")
        able = parts.capabilities if options.capabilities is None else options.capabilities
        self._able = {_tag(word) for word in able}
        self._handler_of = handler_of
        self._runner = JobRunner(parts, handler_of, options.retry)
        self._jobs: dict[str, asyncio.Task[None]] = {}
        self._working: set[str] = set()
        self._logged: set[str] = set()
        self._skipped: dict[str, _Skip] = {}
        self._looking: dict[str, str] = {}
        self._left: set[asyncio.Task[None]] = set()
        #: Serializes acceptance, to respect the concurrency limit.
        self._taking = asyncio.Lock()
        #: Elapsed time before which the chain would refuse further orders.
        self._full_until = 0.0
        #: Monotonic time before which no orders are accepted, because the machine's clock is wrong.
        self._clock_wrong_until = -math.inf

    def resume(self, job_type: str | None) -> None:
        """Resumes a kind of work that was paused after rejections; None resumes all kinds."""
        self._runner.rejections.resume(job_type)

    async def run(self) -> None:
        """Works until canceled."""

        def tasks() -> list[asyncio.Task[None]]:
            return [*self._left, *self._jobs.values()]

        try:
            await self._resume()
            await keep_polling(self._parts, self._look, lambda: [skip.until for skip in self._skipped.values()], tasks)
        finally:
            await cancel(tasks())

    async def _resume(self) -> None:
        for record in self._runner.records.all():
            self._start(record)
        for status in ("ACCEPTED", "VERIFYING"):
            async for order in self._orders(status):
                order_id = order["orderId"]
                if order.get("workerId") != self._parts.agent_id or order_id in self._jobs:
                    continue
                deliverable = (order.get("result") or {}).get("deliverableHash")
                step = {"step": "accepted", "attempts": 0, "deliverableHash": deliverable}
                self._start({"orderId": order_id, **step})

    async def _look(self) -> None:
        if self._is_full():
            return
        if not self._parts.origins.places():
            await self._parts.origins.refresh()
        async for order in self._candidates():
            if self._is_full() or len(self._looking) >= MOST_SLOW:
                return
            # A store that hangs delays only its requester's orders.
            if order["requesterId"] not in self._looking.values():
                await self._unless_slow(order["orderId"], order["requesterId"])

    async def _unless_slow(self, order_id: str, requester_id: str) -> None:
        """Waits up to ``QUICK`` for the check of an order, which then continues in the background."""
        look = asyncio.get_running_loop().create_task(self._consider(order_id, requester_id))
        self._left.add(look)
        look.add_done_callback(self._left.discard)
        try:
            done, _ = await asyncio.wait([look], timeout=QUICK)
        except asyncio.CancelledError:
            look.cancel()
            raise
        if done:
            look.result()
        else:
            look.add_done_callback(lambda task: self._has_looked(order_id, task))

    def _has_looked(self, order_id: str, look: asyncio.Task[None]) -> None:
        if look.cancelled():
            return
        error = look.exception()
        if isinstance(error, Exception):
            self._parts.events.warn(error, order_id)
        self._parts.poller.wake()

    def _is_full(self) -> bool:
        if time.monotonic() < self._clock_wrong_until or self._parts.poller.is_spent:
            return True
        return len(self._working) >= self._options.concurrency or self._parts.time.elapsed() < self._full_until

    async def _candidates(self) -> AsyncIterator[JsonObject]:
        if self._least is None:
            policy = await self._parts.client.state("policy/limits")
            self._least = int(policy["work"]["minimumFunding"])
        async for order in self._orders("OPEN"):
            if self._is_worth_a_look(order, names_agent=True):
                yield order
        async for order in self._listed("/v1/agent-opportunities", "opportunities"):
            if self._is_worth_a_look(order, names_agent=False):
                yield order

    async def _orders(self, status: str) -> AsyncIterator[JsonObject]:
        async for order in self._listed("/v1/work-orders", "orders", agentId=self._parts.agent_id, status=status):
            yield order

    async def _listed(self, path: str, member: str, **query: str) -> AsyncIterator[JsonObject]:
        async for page in self._parts.client.pages(path, limit=PAGE, **query):
            for order in page[member]:
                yield order

    def _is_worth_a_look(self, order: Mapping[str, Any], names_agent: bool) -> bool:
        """Returns True if an order should be checked now. Reports an unsuitable order once."""
        order_id = order["orderId"]
        if self._runner.rejections.is_paused(order["jobType"]) or order_id in self._jobs:
            return False
        if order_id in self._looking:
            return False
        skip = self._skipped.get(order_id)
        if skip is not None and self._parts.time.elapsed() < skip.until:
            return False
        reason = self._unsuitability(order)
        if reason is None:
            return True
        unsuitable = AgentError("ORDER_UNSUITABLE", reason)
        said = self._says(reason, names_agent)
        self._skip(order_id, unsuitable.code, str(unsuitable), said=said)
        return False

    def _says(self, reason: str, names_agent: bool) -> bool:
        """Returns True if a skip should be reported: always to listeners or if the order names the agent, else once per
        reason.
        """
        if names_agent or self._parts.events.has("skipped"):
            return True
        if reason in self._logged or len(self._logged) >= MAX_LOGGED:
            return False
        self._logged.add(reason)
        return True

    def _require_match(self, order: JsonObject) -> None:
        """Raises ORDER_CHANGED if an order does not suit, although its row in the list did."""
        if self._unsuitability(order) is not None:
            raise AgentError("ORDER_CHANGED", order["orderId"])

    def _unsuitability(self, order: Mapping[str, Any]) -> str | None:
        wanted, funding, bond = order["requirements"], order["funding"], order["workerBond"]
        if order["requesterId"] == self._parts.agent_id:
            return "it is an order of this agent itself"
        handler = self._handler_of(order)
        if handler is None:
            return f"its type is {_words([order['jobType']])}, which this agent does not serve"
        # Who serves a service offers it.
        able = self._able if handler.least is None else self._able | {_tag(order["jobType"])}
        if wanted and not any(_tag(word) in able for word in wanted):
            return f"it requires {_words(wanted)}, but this agent offers {_words(sorted(able))}"
        least = self._least if handler.least is None else handler.least
        if handler.least is not None and funding < handler.least:
            return (
                f"it pays {net_text(funding)}, but the price of {_words([order['jobType']])} "
                f"is {net_text(handler.least)}"
            )
        if least is None or funding < least:
            whose = "minimumFunding of the network" if self._options.min_funding is None else "min_funding"
            return f"it pays {net_text(funding)}, but {whose} is {net_text(least or 0)}"
        if bond > self._most_bond:
            return f"it asks for a bond of {net_text(bond)}, but max_worker_bond is {net_text(self._most_bond)}"
        return None

    async def _is_beyond_means(self, order: JsonObject) -> bool:
        """Returns True if the bond exceeds the balance. The order is then checked again later."""
        order_id, bond = order["orderId"], order["workerBond"]
        if bond == 0:
            return False
        agent = await self._parts.client.read("/v1/agents/{agentId}", agentId=self._parts.agent_id)
        if agent["account"]["balance"] >= bond:
            return False
        unsuitable = bond_beyond_balance(bond)
        until = self._parts.time.elapsed() + SLOW_POLL
        self._skip(order_id, unsuitable.code, str(unsuitable), until=until)
        return True

    async def _consider(self, order_id: str, requester_id: str) -> None:
        self._looking[order_id] = requester_id
        try:
            order = await self._parts.client.order(order_id)
            if order is None or order["status"] != "OPEN":
                return
            await self._parts.origins.require_clock()
            self._require_match(order)
            if await self._is_beyond_means(order):
                return
            data, scope, sealed = await fetch_scope(self._parts, order)
            require_small_inputs(scope)
            await require_workable(self._parts, order, scope, sealed)
            await self._require_input(order, scope)
            async with self._taking:
                if self._is_full():
                    return
                accept = self._options.accept
                if accept is not None and not await call(accept, WorkOffer(order, scope, sealed)):
                    reason = f"the accept function declined {_words([order['jobType']])}"
                    self._skip(order_id, "NOT_ACCEPTED", reason)
                    return
                self._start(self._runner.choose(order, data))
        except (FormatError, AgentError) as error:
            if error.code == "CLOCK_WRONG":
                self._wait_for_clock(error)
                return
            before = self._skipped.get(order_id)
            tries = (before.tries if before else 0) + 1
            # More verifiers may register at any time.
            again = error.code == "ORDER_UNVERIFIABLE" or (error.code in NOT_YET and tries < SCOPE_TRIES)
            until = self._parts.time.elapsed() + 2 * pause_after(tries) if again else math.inf
            self._skip(order_id, error.code, str(error), until=until)
        finally:
            self._looking.pop(order_id, None)

    async def _require_input(self, order: JsonObject, scope: JsonObject) -> None:
        """Rejects an order before acceptance if its input is not of the handler's type."""
        handler = self._handler_of(order)
        if handler is not None and handler.input is not None:
            hashes = [each["hash"] for each in scope["inputs"] if each["name"] == INPUT]
            read_input(handler.input, await fetch_input(self._parts, order, hashes[0]) if hashes else None)

    def _wait_for_clock(self, error: Exception) -> None:
        if time.monotonic() >= self._clock_wrong_until:
            self._clock_wrong_until = time.monotonic() + SLOW_POLL / 2
            self._parts.events.warn(error)

    def _skip(self, order_id: str, code: str, reason: str, *, until: float = math.inf, said: bool = True) -> None:
        """Skips an order. Reports it the first time, and when it is final.

        :param until: elapsed time before which the order is not checked again
        """
        before = self._skipped.pop(order_id, None)
        tries = (before.tries if before else 0) + 1
        self._skipped[order_id] = _Skip(until, tries)
        if said and (tries == 1 or until == math.inf):
            self._parts.events.emit("skipped", order_id=order_id, code=code, reason=reason)
        if len(self._skipped) > MAX_SKIPPED:
            del self._skipped[next(iter(self._skipped))]

    def _start(self, record: JsonObject) -> None:
        order_id = record["orderId"]
        self._working.add(order_id)

        def busy(working: bool) -> None:
            if not working and order_id in self._working:
                self._working.discard(order_id)
                self._parts.poller.wake()

        async def run() -> None:
            after: str | None = None
            try:
                after = await self._runner.run(record, busy)
            finally:
                self._jobs.pop(order_id, None)
                later = self._parts.time.elapsed() + SLOW_POLL
                if after == "full":
                    self._full_until = later
                elif after is not None and after != RESTING:
                    self._skipped[order_id] = _Skip(later if after == "later" else math.inf, 1)
                elif after is None:
                    # An ended order frees a place in the chain's limit, so poll now.
                    self._full_until = 0.0
                    self._parts.poller.wake()
                if after != RESTING:
                    busy(False)

        self._jobs[order_id] = asyncio.get_running_loop().create_task(run())


def _words(words: Sequence[str]) -> str:
    """Returns at most five requirements, quoted because they are untrusted."""
    return " or ".join(json.dumps(word, ensure_ascii=False) for word in words[:5]) or "nothing"


def _tag(text: str) -> str:
    """Normalizes a capability as the node does to match beacons with orders."""
    lowered = re.sub(r"[A-Z]+", lambda letters: letters[0].lower(), text)
    return re.sub(r"[ \t-\r_]+", "-", re.sub(r"^[ \t-\r_]+|[ \t-\r_]+\Z", "", lowered))
