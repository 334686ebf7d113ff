"""Delivery of results: judged as verifiers will, sealed if the scope was sealed, stored and committed."""

from __future__ import annotations

import contextlib
from typing import Any

from ..exact_value import exact_value
from ..formats import judge_in_time, seal_content
from ..protocol.canonical_json import JsonObject, canonical_bytes
from .errors import AgentError
from .origins import blob_uri
from .parts import Parts

#: A dict or a list becomes canonical JSON.
JobResult = str | bytes | dict[str, Any] | list[Any]


async def seal_result(parts: Parts, order: JsonObject, result: bytes) -> bytes:
    """Seals a result to the requester."""
    requester = order["requesterId"]
    metadata = await parts.peers.metadata_of(requester)
    if metadata is None:
        raise AgentError("REQUESTER_HAS_NO_KEY", requester)
    facts = {
        "chainId": parts.chain_id,
        "fromAgentId": parts.agent_id,
        "toAgentId": requester,
        "orderId": order["orderId"],
        "part": "deliverable",
    }
    return seal_content(result, [metadata["encryptionKey"]], facts).data


async def submit_result(parts: Parts, order: JsonObject, blob: bytes, scope: bytes | None) -> str:
    """Stores a result at every known store and commits it. Returns its hash.

    :param scope: bytes of the scope if known; stored too, so that verifiers can judge even if the requester deletes its
        copy
    """
    order_id = order["orderId"]
    blob_hash, places = await parts.origins.put(blob)
    if scope is not None:
        with contextlib.suppress(Exception):
            await parts.origins.put(scope)
    parts.reach("work.stored", None)
    evidence = {"schema": "NET-WORK-EVIDENCE/1", "artifactHash": blob_hash}
    if "ARTIFACT_HASH" in order["validationPolicy"]["proofTypes"]:
        evidence["proofType"] = "ARTIFACT_HASH"
    if places:
        evidence["uri"] = blob_uri(places[0].origin, blob_hash)
    payload = {
        "orderId": order_id,
        "agentId": parts.agent_id,
        "deliverableHash": blob_hash,
        "evidence": evidence,
    }
    await parts.outbox.act(f"submit/{order_id}", "submitWorkResult", payload)
    return blob_hash


def bytes_of(result: object) -> bytes:
    """Returns the bytes to deliver for a handler's result.

    :raises AgentError: RESULT_INVALID
    """
    data = b""
    if isinstance(result, str):
        data = result.encode("utf-8", "surrogatepass")
    elif isinstance(result, (bytes, bytearray)):
        data = bytes(result)
    elif isinstance(result, (dict, list)):
        data = canonical_bytes(exact_value(result, "RESULT_INVALID"))
    elif result is not None:
        exact_value(result, "RESULT_INVALID")
    if not data:
        raise AgentError("RESULT_INVALID")
    return data


async def require_met(scope: JsonObject, result: bytes) -> None:
    """Rejects a result that verifiers would reject. A result passes if judging takes too long.

    :raises AgentError: RESULT_UNMET
    """
    judgement = await judge_in_time(scope, result)
    if judgement is not None and judgement.verdict == "unmet":
        reasons = [condition.reason for condition in judgement.conditions if condition.verdict == "unmet"]
        raise AgentError("RESULT_UNMET", "; ".join(reasons))
