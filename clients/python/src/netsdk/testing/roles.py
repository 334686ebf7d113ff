"""Grants roles in tests: application, approval by the operator, claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from .._sync.client import NetClient
from ..api import Actor

#: The roles of an agent in a test.
TestRole = Literal["verifier", "runtime-provider", "auditor", "governor", "human"]

#: Heights between application and claim.
LIFETIME = 2_000
GROUPED = {"verifier", "auditor"}
NOT_GIVEN = {"AGENT", "VALIDATOR"}


class Duty(NamedTuple):
    """A role, its actions, its bond in unet, and its independence group."""

    role: TestRole
    capabilities: Sequence[str] | None
    bond: int | None
    independence_group: str | None


def give_role(client: NetClient, *, operator: Actor, actor: Actor, duty: Duty) -> None:
    """Gives an agent a role, with the bond that it needs.

    :raises NetError: if the chain refuses a step
    :raises ValueError: if the role is unknown
    """
    manifest = client.get("/v1/manifest")
    name = duty.role.upper().replace("-", "_")
    actions = manifest["capabilitySets"]["roles"].get(name)
    if actions is None or name in NOT_GIVEN:
        raise ValueError(f"{duty.role} is no role that a test gives")
    profile = _profile(duty, actor.actor_id, manifest["policy"]["operators"]["minimumBonds"])
    bond = profile.get("bond", 0)
    if bond > 0:
        client.act("transfer", {"to": actor.actor_id, "amount": bond}, actor=operator)
    height = client.network()["height"]
    application = f"{actor.actor_id}-{duty.role}-{height}"
    client.apply(
        {
            "applicationId": application,
            "role": name,
            "capabilities": [{"action": action} for action in duty.capabilities or actions],
            "profile": profile,
            "expiresAtHeight": height + LIFETIME,
        },
        actor=actor,
    )
    invitation: Any = {"applicationId": application}
    if duty.role in GROUPED:
        invitation["independenceGroup"] = duty.independence_group or f"group-of-{actor.actor_id}"
    approved = client.act("createOperatorInvitation", invitation, actor=operator)
    client.claim(approved["transitionHash"], actor=actor)


def _profile(duty: Duty, actor_id: str, least: dict[str, int]) -> dict[str, Any]:
    if duty.role == "verifier":
        return {"bond": least["verifier"] if duty.bond is None else duty.bond}
    if duty.role == "runtime-provider":
        bond = least["runtimeProvider"] if duty.bond is None else duty.bond
        return {"bond": bond, "region": "lab", "faultDomain": actor_id}
    return {}
