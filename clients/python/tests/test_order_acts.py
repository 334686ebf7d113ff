from __future__ import annotations

from typing import Any, cast

import pytest

from netsdk.agent.order_acts import disprove_once, dispute_bond_of, must_answer
from netsdk.agent.retrying_client import ORDER_FACTS, RetryingClient


def order_of(**members: Any) -> dict[str, Any]:
    return {"phase": "CONTESTED", "funding": 5, "dispute": {"openedBy": "rita"}, **members}


def test_a_dispute_names_half_the_funding_unless_the_order_keeps_version_1() -> None:
    assert dispute_bond_of(order_of(rulesVersion=2)) == 3
    assert dispute_bond_of(order_of()) is None


def test_a_dispute_is_answered_by_the_other_side_only() -> None:
    assert [must_answer(order_of(), agent_id) for agent_id in ("rita", "walt")] == [False, True]
    assert not must_answer(order_of(phase="DISPUTED"), "walt")


@pytest.mark.anyio
async def test_a_node_cannot_hide_a_dispute_from_a_worker_with_an_anchor(monkeypatch: pytest.MonkeyPatch) -> None:
    record = order_of(orderId="o-1", requesterId="rita", workerId="walt", rulesVersion=2)
    facts: dict[str, Any] = {name: record.get(name) for name in ORDER_FACTS}

    async def hidden(*_: Any, **__: Any) -> dict[str, Any]:
        return {"order": {"orderId": "o-1", "dispute": None}}

    async def proven(_: str) -> dict[str, Any]:
        return facts

    client = RetryingClient(cast("Any", None), cast("Any", object()))
    monkeypatch.setattr(client, "find", hidden)
    monkeypatch.setattr(client, "state", proven)
    order = await client.order("o-1")
    assert order is not None
    assert must_answer(order, "walt")
    assert dispute_bond_of(order) == 3


@pytest.mark.anyio
async def test_a_result_that_is_only_too_large_is_not_proven_because_the_proof_would_pay_its_worker() -> None:
    scope: Any = {
        "schema": "NET-WORK-SCOPE/1",
        "title": "A text",
        "instructions": "",
        "inputs": [],
        "deliverable": {"mediaType": "application/json", "maxBytes": 3},
        "acceptance": [{"kind": "json-schema", "schema": {"type": "string"}}],
    }
    order = order_of(orderId="o-1", acceptanceHash="a" * 64, status="VERIFYING")
    acts: Any = object()
    assert not await disprove_once(acts, order, scope, b'"good"')
    with pytest.raises(AttributeError):
        await disprove_once(acts, order, scope, b"12345")
