"""The health of an agent."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Literal

from .._async.client import AsyncNetClient
from ..api import document_of, require_height
from ..errors import NetError
from ..flow import Flow, Request, send
from ..protocol.canonical_json import JsonObject
from ..tables import AGENT_HEALTH
from .table import table_of

#: Seconds. The header of the node has whole seconds.
MOST_SKEW = 30.0
#: Idle blocks that may be missing before a head is old, and seconds beyond them.
MOST_IDLE = 3
IDLE_GRACE = 30.0
#: Seconds that a stream may take to open again.
MOST_CLOSED = 5.0


@dataclass(frozen=True)
class HealthReason:
    """A fault of an agent.

    :ivar code: of :data:`netsdk.tables.AGENT_HEALTH`
    :ivar since: UTC time at which the agent noticed it
    :ivar message: title, facts and advice, for people
    """

    code: str
    since: datetime
    message: str


@dataclass(frozen=True)
class AgentHealth:
    """Answer of ``agent.health()``.

    :ivar status: ``ok`` without reasons; ``stopped`` once the agent has stopped
    :ivar online: True if the node answers
    :ivar deaf: True if the agent listens to events, but has no stream
    :ivar clock_skew: seconds that this clock is ahead of the node's; None if unknown
    :ivar throttled: UTC time until which the node refuses requests; None if it does not
    :ivar behind: True if the head of the node is old, or below a block that the agent has seen
    """

    status: Literal["ok", "degraded", "stopped"]
    online: bool
    deaf: bool
    clock_skew: float | None
    throttled: datetime | None
    behind: bool
    reasons: tuple[HealthReason, ...]

    def _repr_html_(self) -> str:
        members = {"online": self.online, "deaf": self.deaf, "clock skew": self.clock_skew, "behind": self.behind}
        return table_of(f"Agent: {self.status}", members | {reason.code: reason.message for reason in self.reasons})


class HealthNotes:
    """Notes of the agent's parts about their node."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self._throttled_until = 0.0
        #: None while a stream is open, or none is needed.
        self._closed_since: float | None = None

    def heard(self, is_streaming: bool) -> None:
        """Notes that the event stream is open or closed."""
        self._closed_since = None if is_streaming else self._closed_since or time.time()

    def answered(self, error: NetError | None) -> None:
        """Notes an answer of the node, or its error."""
        if error is not None and error.status in (429, 503) and error.retry_after is not None:
            self._throttled_until = time.time() + error.retry_after
        elif error is None or error.status != 0:
            self._throttled_until = 0.0

    def _note(self, code: str, is_so: bool) -> bool:
        if is_so:
            self._since.setdefault(code, time.time())
        else:
            self._since.pop(code, None)
        return is_so

    async def check(
        self, net_client: AsyncNetClient, timeout: float, *, agent_id: str, seen_height: int, has_stopped: bool
    ) -> AgentHealth:
        """Asks the node once, and reports. Never raises because the node is away."""
        url = f"{net_client.url}/v1/network"
        sent_at, date, head, fault = time.time(), None, None, None
        told: list[float] = []
        try:
            head = await net_client.run(_head(url, timeout, told.append))
        except NetError as error:
            fault = error
        self.answered(fault)
        now = time.time()
        date = told[0] if told else None
        # The header names the second in which the node answered.
        skew = None if date is None else (sent_at + now) / 2 - date - 0.5
        if skew is not None and abs(skew) <= 1.5:
            skew = 0.0
        is_throttled = self._throttled_until > now
        is_behind = head is not None and _is_behind(head, seen_height, now if date is None else date)
        height = None if head is None else head.get("height")
        found = [
            ("STOPPED", has_stopped, agent_id),
            ("NODE_AWAY", head is None and not is_throttled, str(fault)),
            ("THROTTLED", is_throttled, f"until {_utc(self._throttled_until).isoformat()}"),
            ("DEAF", now - (self._closed_since or now) > MOST_CLOSED, url),
            ("CLOCK_SKEWED", abs(skew or 0.0) > MOST_SKEW, f"{skew} s"),
            ("BEHIND", is_behind, f"height {height}"),
        ]
        reasons = tuple(
            HealthReason(code, _utc(self._since[code]), f"{AGENT_HEALTH[code][0]} ({detail}). {AGENT_HEALTH[code][1]}")
            for code, is_so, detail in found
            if self._note(code, is_so)
        )
        codes = {reason.code for reason in reasons}
        return AgentHealth(
            "stopped" if "STOPPED" in codes else "degraded" if codes else "ok",
            online=head is not None or is_throttled,
            deaf="DEAF" in codes,
            clock_skew=skew,
            throttled=_utc(self._throttled_until) if is_throttled else None,
            behind=is_behind,
            reasons=reasons,
        )


def _head(url: str, timeout: float, told: Callable[[float], object]) -> Flow[JsonObject]:
    answer = yield from send(Request("GET", url, timeout))
    try:
        told(parsedate_to_datetime(answer.headers["date"]).timestamp())
    except (KeyError, TypeError, ValueError):
        pass  # A proxy may drop the header.
    head = document_of(answer)
    # Anything else that answers with JSON is no node.
    require_height(head.get("height"))
    return head


def _is_behind(head: JsonObject, seen_height: int, now: float) -> bool:
    height, idle = head.get("height"), head.get("idleBlockTimeMs")
    try:
        made = datetime.fromisoformat(str(head.get("timestamp")).replace("Z", "+00:00")).timestamp()
    except (ValueError, OverflowError):
        made = now
    idle_seconds = idle / 1_000 if isinstance(idle, (int, float)) else 60.0
    return now - made > MOST_IDLE * idle_seconds + IDLE_GRACE or (isinstance(height, int) and height < seen_height)


def _utc(moment: float) -> datetime:
    return datetime.fromtimestamp(moment, timezone.utc)
