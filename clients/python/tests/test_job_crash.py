"""A worker that is killed in and between the steps of its handler."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from netsdk import Agent
from tests.child import Child
from tests.world import World

#: In the order in which a run reaches them, so that each start continues from the one before.
STEPS = (
    "step.done@think",
    "step.kept@think",
    "step.kept@help",
    "hire.stored",
    "act.signed@createWorkOrder",
    "act.answered@createWorkOrder",
    "act.recorded@createWorkOrder",
    "act.signed@transfer",
    "act.answered@transfer",
    "act.recorded@transfer",
    "work.handled",
)


@pytest.fixture
def options(world: World, tmp_path: Path) -> dict[str, Any]:
    return {
        "url": world.url,
        "blobs": list(world.origins),
        "capabilities": ["research"],
        "keys": str(tmp_path / "keys"),
    }


def test_each_step_is_recorded_once_and_hires_and_pays_once(
    world: World, options: dict[str, Any], tmp_path: Path
) -> None:
    Agent.open("helper", **options).stop()
    stepper = Agent.open("stepper", **options)
    stepper.act("faucet", {"amount": 20_000_000})
    stepper.stop()
    before = world.balance("helper")
    order_id = world.order(world.scope().data, agentId="stepper")
    child = Child("stepper", options, tmp_path / "trace")
    for failpoint in STEPS:
        child.die_at(failpoint)
    assert child.start() == 0
    assert world.order_at(order_id)["status"] == "PAID"
    created = [each for each in world.events("WorkOrderCreated", "stepper") if each["requesterId"] == "stepper"]
    assert len(created) == 1
    (tip,) = world.events("Transferred", "helper")
    assert world.balance("helper") == before + tip["amount"]
    # The first thought was lost before it was on disk; both last runs had the same results.
    assert len(child.lines("thought")) == 2
    assert len(child.lines("worked")) == 2
    assert len(set(child.lines("Thus"))) == 1
