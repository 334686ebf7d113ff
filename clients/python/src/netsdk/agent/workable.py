"""Checks before acceptance and escrow that an order can be verified.

The chain cannot check this, because scopes are off chain.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from ..formats import JudgingMeans, UnjudgeableCondition, provable_acceptance, unjudgeable_conditions
from ..protocol.canonical_json import JsonObject
from .errors import AgentError
from .parts import Parts

#: Name prefix of the operator's verifier groups and agents.
OPERATOR_GROUP_PREFIX = "house-"
#: Kinds of conditions that a verifier judges if it has declared none.
DEFAULT_CONDITION_KINDS = ("sha256", "json-schema", "chain-replay")
_ABLE_TO_NOTHING = JudgingMeans(-1, False)


async def require_workable(parts: Parts, order: JsonObject, scope: JsonObject, sealed: bool) -> None:
    """Rejects an order if no committee could accept a result, or no store has its inputs.

    :param sealed: True skips the acceptance, because verifiers accept sealed results unseen
    :raises AgentError: ORDER_UNVERIFIABLE, INPUT_MISSING, BLOB_UNAVAILABLE
    """
    path = f"/v1/work-orders/{order['orderId']}/brief"
    brief = await parts.client.read(path, actorId=parts.agent_id)
    has_jury = order.get("jury") != "none"
    if has_jury:
        require_roster(brief.get("warnings", []))
        await _require_proven_roster(parts, order)
    _require_own_acceptance(order, None if sealed else scope)
    if has_jury and not sealed:
        conditions = {condition["kind"] for condition in scope["acceptance"]}
        for foreign in set(order.get("conditionKinds", ())) - conditions:
            detail = (
                f"it declares the kind {foreign}, which no condition has, so its requester may have chosen the jury"
            )
            raise AgentError("ORDER_UNVERIFIABLE", detail)
        # The jury consists of verifiers that judge the declared kinds.
        reviewed = "review" in order.get("conditionKinds", ())
        for condition in await _unjudgeable(parts, scope, order["requesterId"], has_reviewers=reviewed):
            raise AgentError("ORDER_UNVERIFIABLE", f"{condition.path}: {condition.reason}")
    await require_inputs(parts, scope, order["requesterId"])


def _require_own_acceptance(order: JsonObject, scope: JsonObject | None) -> None:
    """Refuses an acceptanceHash of other conditions or of sealed results: its requester could prove them unmet."""
    if "acceptanceHash" not in order:
        return
    if scope is None:
        detail = "its results are sealed, and its acceptanceHash would let the requester prove them unmet"
    elif provable_acceptance(scope).hash != order["acceptanceHash"]:
        detail = "its acceptanceHash is not that of its conditions, so its requester could prove others unmet"
    else:
        return
    raise AgentError("ORDER_UNVERIFIABLE", detail)


def require_roster(warnings: Iterable[Mapping[str, Any]]) -> None:
    """Raises ORDER_UNVERIFIABLE, with the node's figures, if the node warns that the roster is too small."""
    for warning in warnings:
        if warning["code"] == "ROSTER_TOO_SMALL":
            data = warning["data"]
            raise _unverifiable(data.get("requiredAccepts"), data.get("eligibleGroups"))


def _unverifiable(accepts: object, groups: object) -> AgentError:
    detail = f"it needs {accepts} accepts from as many groups, verifiers of {groups} can be drawn"
    return AgentError("ORDER_UNVERIFIABLE", detail)


async def _require_proven_roster(parts: Parts, order: JsonObject) -> None:
    """With a trust anchor, rejects an order if the proven roster is too small."""
    if not parts.client.proves:
        return
    roster = await parts.client.state("verifier-roster/active") or {"verifiers": []}
    parties = (parts.agent_id, order["requesterId"])
    kinds = set(order.get("conditionKinds", ()))
    groups = {
        each["independenceGroup"]
        for each in roster["verifiers"]
        if each["verifierId"] not in parties and kinds <= set(each.get("conditionKinds", DEFAULT_CONDITION_KINDS))
    }
    accepts = order["validationPolicy"]["requiredAccepts"]
    if len(groups) < accepts:
        raise _unverifiable(accepts, len(groups))


async def require_judgeable(
    parts: Parts, scope: JsonObject, *, review_anyway: bool = False, unverified_anyway: bool = False
) -> None:
    """Rejects a scope that this network's verifiers would call UNJUDGEABLE.

    :raises AgentError: REVIEW_NEEDS_A_MIND, ORDER_UNVERIFIABLE
    """
    if unverified_anyway:
        return
    for condition in await _unjudgeable(parts, scope, parts.agent_id):
        detail = f"{condition.path}: {condition.reason}"
        if condition.kind != "review":
            raise AgentError("ORDER_UNVERIFIABLE", detail)
        if not review_anyway:
            raise AgentError("REVIEW_NEEDS_A_MIND", detail)


async def _unjudgeable(
    parts: Parts, scope: JsonObject, requester_id: str, *, has_reviewers: bool = False
) -> list[UnjudgeableCondition]:
    # Ask the node only if the answer depends on the network.
    if not unjudgeable_conditions(scope, _ABLE_TO_NOTHING):
        return []
    said = await parts.client.read("/v1/validation")
    actual = said["actual"]
    # The operator's verifiers are programs, and answer questions only for the operator's own agents.
    answers = requester_id.startswith(OPERATOR_GROUP_PREFIX) or actual["verifierGroups"] > actual["operatorGroups"]
    return unjudgeable_conditions(scope, JudgingMeans(said["height"], answers or has_reviewers))


async def require_inputs(parts: Parts, scope: JsonObject, owner_id: str) -> None:
    """Rejects a scope if no store has one of its inputs.

    :param owner_id: the requester, whose metadata names further stores
    :raises AgentError: INPUT_MISSING, BLOB_UNAVAILABLE
    """
    found = await asyncio.gather(*(parts.peers.has_blob(each["hash"], owner_id) for each in scope["inputs"]))
    for each, answer in zip(scope["inputs"], found, strict=True):
        if answer == "absent":
            raise AgentError("INPUT_MISSING", f"{each['name']}: {each['hash']}")
        if answer == "unknown":
            raise AgentError("BLOB_UNAVAILABLE", each["hash"])
