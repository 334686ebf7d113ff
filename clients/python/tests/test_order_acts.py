from __future__ import annotations

from typing import Any

from netsdk.agent.order_acts import dispute_bond_of, must_answer


def order_of(**members: Any) -> dict[str, Any]:
    return {"phase": "CONTESTED", "funding": 5, "dispute": {"openedBy": "rita"}, **members}


def test_a_dispute_names_half_the_funding_unless_the_order_keeps_version_1() -> None:
    assert dispute_bond_of(order_of(rulesVersion=2)) == 3
    assert dispute_bond_of(order_of()) is None


def test_a_dispute_is_answered_by_the_other_side_only() -> None:
    assert [must_answer(order_of(), agent_id) for agent_id in ("rita", "walt")] == [False, True]
    assert not must_answer(order_of(phase="DISPUTED"), "walt")
