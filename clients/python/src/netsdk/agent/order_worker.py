"""Looks for orders that match, takes as many as it may, and goes on with those in hand."""

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
from ..protocol.canonical_json import JsonObject
from .amount import unet_of
from .errors import AgentError
from .handler_call import call
from .parts import SLOW_POLL, Parts
from .poll_loop import keep_polling
from .poller import pause_after
from .scope import fetch_scope, require_small_inputs
from .work_job import JobHandler, JobRunner, has_given_up
from .work_offer import WorkOffer, bond_beyond_balance
from .workable import require_workable

#: Orders of a page.
PAGE = 100
#: Orders remembered as not worth another look.
MAX_SKIPPED = 10_000
#: Reasons of unsuitable orders that the log names.
MAX_LOGGED = 100
#: How often a scope that no store has, or gives now, is asked for.
SCOPE_TRIES = 8
NOT_YET = frozenset(["SCOPE_MISSING", "INPUT_MISSING", "BLOB_UNAVAILABLE"])
#: Seconds that the next order waits for this one, whose blobs may lie at a place that does not answer.
QUICK = 1.0
#: Orders that are looked at beside the others, since they took longer; one of a requester.
MOST_SLOW = 16
#: Refusals that say something of the agent, not of the order.
NOT_NOW = frozenset(
    ["WORK_UNPROVEN_LIMIT", "WORK_UNFINISHED_LIMIT", "CAPABILITY_MISSING"],
)


@dataclass
class WorkOptions:
    """Which orders are taken; amounts as ``'1 NET'`` or a number of unet."""

    min_funding: str | int | None = None
    capabilities: Sequence[str] | None = None
    max_worker_bond: str | int = 0
    concurrency: int = 1
    accept: Callable[..., Any] | None = None


class _Skip(NamedTuple):
    until: float
    tries: int


class OrderWorker:
    """Takes orders.

    :raises AgentError: AMOUNT_INVALID
    """

    def __init__(self, parts: Parts, options: WorkOptions, handler: JobHandler) -> None:
        self._parts = parts
        self._options = options
        #: The least payment of an order, in unet; None until the network has said which orders count.
        self._least = None if options.min_funding is None else unet_of(options.min_funding)
        self._most_bond = unet_of(options.max_worker_bond)
        able = parts.capabilities if options.capabilities is None else options.capabilities
        self._able = {_tag(word) for word in able}
        self._runner = JobRunner(parts, handler)
        self._jobs: dict[str, asyncio.Task[None]] = {}
        self._working: set[str] = set()
        #: Why orders of the market did not suit, as far as the log has it.
        self._logged: set[str] = set()
        self._skipped: dict[str, _Skip] = {}
        #: Orders that are being looked at, and whose they are.
        self._looking: dict[str, str] = {}
        self._left: set[asyncio.Task[None]] = set()
        #: One is taken after the other, so that none is one too many.
        self._taking = asyncio.Lock()
        #: The chain lets the agent have no further order before this time.
        self._full_until = 0.0
        #: The monotonic time before which no orders are taken, since the clock of the machine is wrong.
        self._clock_wrong_until = -math.inf

    def resume(self, job_type: str | None) -> None:
        """Takes what was paused after rejections again."""
        self._runner.rejections.resume(job_type)

    async def run(self) -> None:
        """Until it is cancelled."""
        try:
            await self._resume()
            await keep_polling(self._parts, self._look, lambda: [skip.until for skip in self._skipped.values()])
        finally:
            tasks = [*self._left, *self._jobs.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _resume(self) -> None:
        """Takes up what is in hand: by the records on this machine, and by the chain where those were lost."""
        for record in self._runner.records.all():
            # Also where it was stopped before it could be given back.
            if has_given_up(record):
                record.update(step="accepted", attempts=0)
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
            # A requester whose store hangs delays its own orders only.
            if order["requesterId"] not in self._looking.values():
                await self._unless_slow(order["orderId"], order["requesterId"])

    async def _unless_slow(self, order_id: str, requester_id: str) -> None:
        """Waits for a look at an order while it is quick, and leaves it to itself then."""
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
        if time.monotonic() < self._clock_wrong_until:
            return True
        return len(self._working) >= self._options.concurrency or self._parts.time.elapsed() < self._full_until

    async def _candidates(self) -> AsyncIterator[JsonObject]:
        """Orders that name the agent, then those of the open market; only what may be looked at now."""
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
        """Orders that name the agent, or that it has accepted."""
        async for order in self._listed("/v1/work-orders", "orders", agentId=self._parts.agent_id, status=status):
            yield order

    async def _listed(self, path: str, member: str, **query: str) -> AsyncIterator[JsonObject]:
        async for page in self._parts.client.pages(path, limit=PAGE, **query):
            for order in page[member]:
                yield order

    def _is_worth_a_look(self, order: Mapping[str, Any], names_agent: bool) -> bool:
        """An order that does not suit is said to be so, once."""
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
        """Listeners hear of each order; the log of each that names the agent, and of the market each reason once."""
        if names_agent or self._parts.events.has("skipped"):
            return True
        if reason in self._logged or len(self._logged) >= MAX_LOGGED:
            return False
        self._logged.add(reason)
        return True

    def _require_match(self, order: JsonObject) -> None:
        """Checks the order itself, which may differ from what the list said of it."""
        if self._unsuitability(order) is not None:
            raise AgentError("ORDER_CHANGED", order["orderId"])

    def _unsuitability(self, order: Mapping[str, Any]) -> str | None:
        """Why an order does not suit; None where it does."""
        wanted, funding, bond = order["requirements"], order["funding"], order["workerBond"]
        if order["requesterId"] == self._parts.agent_id:
            return "it is an order of this agent itself"
        if wanted and not any(_tag(word) in self._able for word in wanted):
            return f"it requires {_words(wanted)}, this agent offers {_words(sorted(self._able))}"
        if self._least is None or funding < self._least:
            whose = "minimumFunding of the network" if self._options.min_funding is None else "min_funding"
            return f"it pays {funding} unet, {whose} is {self._least}"
        if bond > self._most_bond:
            return f"it asks for a bond of {bond} unet, max_worker_bond is {self._most_bond}"
        return None

    async def _is_beyond_means(self, order: JsonObject) -> bool:
        """Whether its bond is more than the agent has: it is looked at again when there may be money."""
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
        """Checks everything about an order, and takes it."""
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
            async with self._taking:
                # Another may have been quicker meanwhile.
                if self._is_full():
                    return
                accept = self._options.accept
                if accept is not None and not await call(accept, WorkOffer(order, scope, sealed)):
                    self._skip(order_id, "NOT_ACCEPTED", "accept said no")
                    return
                self._start(self._runner.choose(order, data))
        except (FormatError, AgentError) as error:
            if error.code == "CLOCK_WRONG":
                self._wait_for_clock(error)
                return
            before = self._skipped.get(order_id)
            tries = (before.tries if before else 0) + 1
            # A roster can grow at any time.
            again = error.code == "ORDER_UNVERIFIABLE" or (error.code in NOT_YET and tries < SCOPE_TRIES)
            until = self._parts.time.elapsed() + 2 * pause_after(tries) if again else math.inf
            self._skip(order_id, error.code, str(error), until=until)
        finally:
            self._looking.pop(order_id, None)

    def _wait_for_clock(self, error: Exception) -> None:
        """Takes no orders for a while, and says why once in that time."""
        if time.monotonic() >= self._clock_wrong_until:
            # Less than until the next poll, which would come too early otherwise.
            self._clock_wrong_until = time.monotonic() + SLOW_POLL / 2
            self._parts.events.warn(error)

    def _skip(self, order_id: str, code: str, reason: str, *, until: float = math.inf, said: bool = True) -> None:
        """:param until: before this time it is not looked at again; said once, and again where that is never"""
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
            # Room for the next one: look now.
            if not working and order_id in self._working:
                self._working.discard(order_id)
                self._parts.poller.wake()

        async def run() -> None:
            try:
                await self._runner.run(record, busy)
            finally:
                self._jobs.pop(order_id, None)
                refusal = self._runner.refusals.pop(order_id, None)
                if refusal in NOT_NOW:
                    self._full_until = self._parts.time.elapsed() + SLOW_POLL
                elif refusal is not None:
                    # Of all that was checked before, only what the agent has can have changed.
                    again = refusal == "ORDER_UNSUITABLE"
                    until = self._parts.time.elapsed() + SLOW_POLL if again else math.inf
                    self._skipped[order_id] = _Skip(until, 1)
                else:
                    # An order that has ended makes room where the chain counts: look now.
                    self._full_until = 0.0
                    self._parts.poller.wake()
                busy(False)

        self._jobs[order_id] = asyncio.get_running_loop().create_task(run())


def _words(words: Sequence[str]) -> str:
    """Requirements are words of others: quoted, and few of them."""
    return " or ".join(json.dumps(word, ensure_ascii=False) for word in words[:5]) or "nothing"


def _tag(text: str) -> str:
    """The form in which the node compares words of beacons and orders."""
    lowered = re.sub(r"[A-Z]+", lambda letters: letters[0].lower(), text)
    return re.sub(r"[ \t-\r_]+", "-", re.sub(r"^[ \t-\r_]+|[ \t-\r_]+\Z", "", lowered))
