"""Creation of orders: checks the terms, stores the scope, and pays the escrow once despite crashes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

from ..arguments import require_record_id
from ..completion import fresh_id
from ..formats import provable_acceptance, work_scope
from ..payloads import CreateWorkOrderPayload
from ..protocol.canonical_json import JsonObject, canonicalize
from ..protocol.hashes import sha256
from .amount import unet_of
from .errors import AgentError
from .hired import AsyncHired
from .order_acts import require_order
from .own_acts import ActId, act_extended, error_of, forgetting, permit, refusal_of
from .parts import Bound, Parts
from .scope import scope_bytes
from .typed import INPUT, MEDIA_TYPE, Codec, codec_of, input_bytes
from .workable import require_inputs, require_judgeable, require_roster

if TYPE_CHECKING:
    from typing_extensions import Required

DELIVERABLE = {"mediaType": "text/plain", "maxBytes": 65_536}


class Span(TypedDict):
    """A span in heights and milliseconds, which ends once both have passed."""

    heights: int
    milliseconds: int


class Terms(TypedDict, total=False):
    """Arguments of ``hire`` beside ``returns``, for type checkers; ``hire`` describes them."""

    title: Required[str]
    instructions: Required[str]
    funding: Required[str | int]
    acceptance: Sequence[Mapping[str, Any]]
    provable: bool
    input: object
    id: str | None
    inputs: Sequence[Mapping[str, Any]]
    deliverable: Mapping[str, Any] | None
    job_type: str
    requirements: Sequence[str] | None
    worker: str | None
    worker_bond: str | int
    verification_fee_bps: int | None
    validation_policy: Mapping[str, Any] | None
    jury: Literal["none"] | None
    sealed_votes: bool | None
    accept_within: Span | None
    deliver_within: Span | None
    verify_within: Span | None
    review_anyway: bool
    unverified_anyway: bool
    timeout: float | None


@dataclass(frozen=True)
class HireOptions:
    """Options of ``AsyncAgent.hire``."""

    title: str
    instructions: str
    funding: str | int
    acceptance: Sequence[Mapping[str, Any]] = ()
    provable: bool = False
    returns: Any = None
    input: object = None
    id: str | None = None
    inputs: Sequence[Mapping[str, Any]] = ()
    deliverable: Mapping[str, Any] | None = None
    job_type: str = "general"
    requirements: Sequence[str] | None = None
    worker: str | None = None
    worker_bond: str | int = 0
    verification_fee_bps: int | None = None
    validation_policy: Mapping[str, Any] | None = None
    jury: Literal["none"] | None = None
    sealed_votes: bool | None = None
    accept_within: Span | None = None
    deliver_within: Span | None = None
    verify_within: Span | None = None
    review_anyway: bool = False
    unverified_anyway: bool = False


async def hire_once(parts: Parts, options: HireOptions, act_id: ActId, bound: Bound | None = None) -> AsyncHired[Any]:
    """Creates an order within the bound. A repeated call with the same id returns the order of the first call."""
    with parts.telemetry.span("hire", {"netsdk.order.id": act_id.id, "netsdk.skill": options.job_type}):
        return await parts.live(lambda: _hire(parts, options, act_id), bound)


async def _hire(parts: Parts, options: HireOptions, act_id: ActId) -> AsyncHired[Any]:
    if options.id is not None:
        require_record_id(options.id)
    returns = None if options.returns is None else codec_of(options.returns, "returns")
    data = None if options.input is None else input_bytes(options.input)
    scope = _scope_of(options, returns, data)
    blob = work_scope.make(scope)
    payload = _payload_of(options, blob.hash, provable_acceptance(scope).hash if options.provable else None)
    order_id = payload["orderId"]
    name = f"hire/{order_id}"

    known = parts.outbox.signed(name)
    if known is not None:
        asked = {name: value for name, value in known["payload"].items() if name != "conditionKinds"}
        if canonicalize(asked) != canonicalize(dict(payload)):
            raise AgentError("ACT_ID_USED", order_id)
    settled = await parts.outbox.settle(name) if known is not None else None
    if settled is not None:
        return AsyncHired(parts, order_id, scope, since=settled["height"], receipt=settled, returns=returns)._watched()
    # Local records may be lost, but the chain has the order.
    before = await parts.client.order(order_id)
    if before is not None:
        if not _is_same(before, payload, parts.agent_id):
            raise AgentError("ACT_ID_USED", f"{order_id}, an order of {before['requesterId']}")
        return AsyncHired(parts, order_id, scope, since=before["createdAt"]["height"], returns=returns)._watched()
    anyway = options.unverified_anyway
    if options.jury is None:
        await require_judgeable(parts, scope, review_anyway=options.review_anyway, unverified_anyway=anyway)
    if data is not None:
        await parts.origins.put(data)
    await require_inputs(parts, scope, parts.agent_id)
    if known is None:
        payload = await _declaring(parts, payload, options, scope)
    else:
        payload = cast("CreateWorkOrderPayload", known["payload"])
    warnings = await _require_acceptable(parts, "createWorkOrder", payload)
    if not anyway:
        require_roster(warnings)
    for warning in warnings:
        parts.events.emit("warning", code=warning["code"], message=warning["message"])
    await parts.origins.put(blob.data)
    parts.reach("hire.stored", None)
    with forgetting(parts, name, act_id):
        receipt = await act_extended(parts, name, "createWorkOrder", payload)
    parts.telemetry.count("spent", unet_of(options.funding, "funding"), {"netsdk.skill": options.job_type})
    return AsyncHired(parts, order_id, scope, since=receipt["height"], receipt=receipt, returns=returns)._watched()


async def _declaring(
    parts: Parts, payload: CreateWorkOrderPayload, options: HireOptions, scope: JsonObject
) -> CreateWorkOrderPayload:
    if options.jury == "none" or options.review_anyway or options.unverified_anyway:
        return payload
    _, genesis_hash = await parts.client.tip()
    if genesis_hash is None:
        return payload
    return {**payload, "conditionKinds": list(dict.fromkeys(each["kind"] for each in scope["acceptance"]))}


async def hired_before(parts: Parts, order_id: str, returns: Any) -> AsyncHired[Any]:
    """Returns an earlier order of this agent."""
    codec = None if returns is None else codec_of(returns, "returns")
    order = await require_order(parts, order_id)
    if order["requesterId"] != parts.agent_id:
        raise AgentError("NOT_YOUR_ORDER", order_id)
    scope = work_scope.read(await scope_bytes(parts, order), order["scopeHash"])
    return AsyncHired(parts, order_id, scope, since=order["createdAt"]["height"], returns=codec)


def _scope_of(options: HireOptions, returns: Codec | None, data: bytes | None) -> JsonObject:
    derived = [] if returns is None else [{"kind": "json-schema", "schema": returns.schema}]
    own = [] if data is None else [_input_of(data)]
    deliverable = DELIVERABLE if returns is None else DELIVERABLE | {"mediaType": MEDIA_TYPE}
    return {
        "schema": "NET-WORK-SCOPE/1",
        "title": options.title,
        "instructions": options.instructions,
        "inputs": [*own, *(dict(each) for each in options.inputs)],
        "deliverable": dict(deliverable if options.deliverable is None else options.deliverable),
        "acceptance": [*derived, *(dict(each) for each in options.acceptance)],
    }


def _input_of(data: bytes) -> JsonObject:
    return {"name": INPUT, "hash": sha256(data).hex(), "mediaType": MEDIA_TYPE, "byteLength": len(data)}


def _payload_of(options: HireOptions, scope_hash: str, acceptance_hash: str | None) -> CreateWorkOrderPayload:
    funding, bond = unet_of(options.funding, "funding"), unet_of(options.worker_bond, "worker_bond")
    if funding == 0:
        raise AgentError("AMOUNT_INVALID", "funding: 0")
    given: JsonObject = {
        "orderId": fresh_id("order") if options.id is None else options.id,
        "title": options.title,
        "scopeHash": scope_hash,
        "acceptanceHash": acceptance_hash,
        "jobType": options.job_type,
        "funding": funding,
        "requirements": None if options.requirements is None else list(options.requirements),
        "agentId": options.worker,
        "workerBond": bond or None,
        "verificationFeeBps": options.verification_fee_bps,
        "validationPolicy": options.validation_policy and dict(options.validation_policy),
        "jury": options.jury,
        "sealedVotes": options.sealed_votes,
        "acceptWithin": options.accept_within,
        "deliverWithin": options.deliver_within,
        "verifyWithin": options.verify_within,
    }
    return {name: value for name, value in given.items() if value is not None}  # type: ignore[return-value]


def _is_same(order: JsonObject, payload: CreateWorkOrderPayload, requester_id: str) -> bool:
    """Returns True if an order has the requested terms. Ignores terms that were left to the network's policy."""
    asked: JsonObject = {"agentId": None, "workerBond": 0, "requirements": [], **payload, "requesterId": requester_id}
    bps = asked.pop("verificationFeeBps", None)
    if bps is not None:
        # The chain rounds up, so that the fee is never 0.
        asked["verificationFee"] = -(-asked["funding"] * bps // 10_000)
    return all(name in order and order[name] == value for name, value in asked.items())


async def _require_acceptable(parts: Parts, action: str, payload: Mapping[str, Any]) -> list[JsonObject]:
    """Simulates an action before anything is signed, stored or paid. Adds missing capabilities.

    :returns: the node's warnings
    :raises NetError: with the code of the refusal
    """
    client = parts.client.net_client

    async def asked() -> JsonObject:
        return await parts.client.persist(lambda: client.run(client.api.simulate(parts.agent_id, action, payload)))

    told = await asked()
    refusal = refusal_of(told)
    if refusal is not None and refusal["code"] == "CAPABILITY_MISSING" and await permit(parts, action, payload):
        refusal = refusal_of(told := await asked())
    if refusal is not None:
        raise error_of(refusal)
    # Older nodes send no warnings.
    warnings: list[JsonObject] = told.get("warnings", [])
    return warnings
