"""Orders that a worker refuses before it takes them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from netsdk import AgentError
from netsdk.agent.workable import require_workable


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
