"""Orders that a worker refuses before it takes them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from netsdk import AgentError
from netsdk.agent.workable import require_workable
from netsdk.formats import provable_acceptance


@pytest.mark.anyio
async def test_declared_kinds_must_not_let_the_requester_choose_the_jury() -> None:
    async def read(*_: Any, **__: Any) -> dict[str, Any]:
        return {}

    parts: Any = SimpleNamespace(agent_id="bob", client=SimpleNamespace(read=read, proves=False))
    scope: Any = {"acceptance": [{"kind": "sha256", "hash": "d" * 64}], "deliverable": {"maxBytes": 1}, "inputs": []}
    order: Any = {"orderId": "o-1", "requesterId": "alice", "conditionKinds": ["sha256"]}
    await require_workable(parts, order, scope, False)
    with pytest.raises(AgentError, match="declares the kind rare"):
        await require_workable(parts, order | {"conditionKinds": ["sha256", "rare"]}, scope, False)


@pytest.mark.anyio
async def test_an_acceptance_hash_must_not_prove_other_conditions_or_sealed_results_unmet() -> None:
    async def read(*_: Any, **__: Any) -> dict[str, Any]:
        return {}

    parts: Any = SimpleNamespace(agent_id="bob", client=SimpleNamespace(read=read, proves=False))
    scope: Any = {
        "schema": "NET-WORK-SCOPE/1",
        "title": "Count",
        "instructions": "",
        "inputs": [],
        "deliverable": {"mediaType": "text/plain", "maxBytes": 9},
        "acceptance": [{"kind": "sha256", "hash": "d" * 64}],
    }
    foreign = scope | {"acceptance": [{"kind": "sha256", "hash": "e" * 64}]}
    own = {"orderId": "o-1", "requesterId": "alice", "acceptanceHash": provable_acceptance(scope).hash}
    await require_workable(parts, own, scope, False)
    with pytest.raises(AgentError, match="not that of its conditions"):
        await require_workable(parts, own | {"acceptanceHash": provable_acceptance(foreign).hash}, scope, False)
    with pytest.raises(AgentError, match="results are sealed"):
        await require_workable(parts, own, scope, True)
