"""The story of the orders of a network, for a failing test."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from .._sync.client import NetClient
from ..agent.blocking import Agent

MOST_ORDERS = 5
#: Lines of an order.
MOST_LINES = 100
MOST_TOLD = 2_000
MOST_PAGES = 10
PAGE = 1_000
LONGEST_LINE = 300


class Story:
    """Events of the chain, and of the agents that it follows."""

    def __init__(self, client: NetClient) -> None:
        self._client = client
        self._told: deque[tuple[str, str]] = deque(maxlen=MOST_TOLD)

    def follow(self, agent: Agent) -> None:
        """Records the events of an agent from now on."""

        def tell(name: str, facts: Mapping[str, Any]) -> None:
            order_id = facts.get("order_id")
            if isinstance(order_id, str):
                self._told.append((order_id, f"{agent.agent_id} {name}  {_shown(facts)}"))

        agent._agent._parts.events.tap = tell

    def text(self, order_id: str | None = None) -> str:
        """Returns the story of an order, by default of the last few."""
        lines: dict[str, list[str]] = {}
        about = "" if order_id is None else f"&order={quote(order_id, safe='')}"
        after = "0.0"
        for _ in range(MOST_PAGES):
            events = self._client.get(f"/v1/events?after={after}&limit={PAGE}{about}")["events"]
            for event in events:
                height, _, _ = event["id"].partition(".")
                line = f"height {height}  {event['type']}  {_shown(event['data'])}"
                lines.setdefault(str(event["data"].get("orderId")), []).append(line)
            if len(events) < PAGE:
                break
            after = events[-1]["id"]
        for of, line in self._told:
            lines.setdefault(of, []).append(line)
        wanted = [of for of in lines if (of != "None" if order_id is None else of == order_id)][-MOST_ORDERS:]
        stories = [[f"The story of order {of}:", *(f"  {line}" for line in lines[of][-MOST_LINES:])] for of in wanted]
        return "\n".join(line for story in stories for line in story)


def _shown(facts: Mapping[str, Any]) -> str:
    parts = [
        f"{name}: {value}"
        for name, value in facts.items()
        if name not in ("order_id", "orderId") and value is not None and not isinstance(value, (dict, list))
    ]
    return ", ".join(parts)[:LONGEST_LINE]
