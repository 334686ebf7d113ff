"""Scopes of orders: fetched, checked against their hash, and unsealed if needed."""

from __future__ import annotations

import asyncio

import anyio

from ..formats import FormatError, open_content, recipients_of, work_scope
from ..protocol.canonical_json import JsonObject
from .errors import AgentError
from .parts import Parts
from .workable import require_workable

#: Limits for all inputs of an order, which are fetched before its handler runs: bytes, seconds, parallel requests.
MAX_INPUT_BYTES = 64 * 1024 * 1024
INPUTS_TIMEOUT = 120.0
INPUTS_AT_ONCE = 4


async def scope_bytes(parts: Parts, order: JsonObject) -> bytes:
    """Returns the bytes of a scope, sealed or not."""
    data = await parts.peers.blob_of(order["scopeHash"], order["requesterId"])
    if data is None:
        raise AgentError("SCOPE_MISSING", order["scopeHash"])
    return data


async def fetch_scope(parts: Parts, order: JsonObject) -> tuple[bytes, JsonObject, bool]:
    """Returns the bytes of a scope, the scope, and True if it was sealed."""
    data = await scope_bytes(parts, order)
    scope, sealed = read_scope(parts, order, data)
    if sealed and await parts.peers.metadata_of(order["requesterId"]) is None:
        raise AgentError("REQUESTER_HAS_NO_KEY", order["requesterId"])
    return data, scope, sealed


async def require_scope(parts: Parts, order_id: object) -> None:
    """Rejects an open order before acceptance if its scope cannot be fetched, read or judged."""
    order = await parts.client.order(order_id) if isinstance(order_id, str) else None
    if order is not None and order["status"] == "OPEN":
        await parts.origins.require_clock()
        _, scope, sealed = await fetch_scope(parts, order)
        await require_workable(parts, order, scope, sealed)


def require_sound_scope(content: object) -> None:
    """Rejects an invalid or unjudgeable work scope. Ignores other content."""
    if isinstance(content, dict) and content.get("schema") == "NET-WORK-SCOPE/1":
        work_scope.make(content)


async def stored_scope(parts: Parts, order: JsonObject, name: str) -> bytes:
    """Returns the bytes of a scope, from the local copy or a store."""
    return parts.state.get(name) or await scope_bytes(parts, order)


def _beyond(count: int) -> AgentError:
    return AgentError("ORDER_UNSUITABLE", f"its inputs have {count} bytes, at most {MAX_INPUT_BYTES} are fetched")


def require_small_inputs(scope: JsonObject) -> None:
    """Raises ORDER_UNSUITABLE if the declared inputs exceed ``MAX_INPUT_BYTES``."""
    count = sum(each["byteLength"] for each in scope["inputs"])
    if count > MAX_INPUT_BYTES:
        raise _beyond(count)


async def fetch_inputs(parts: Parts, order: JsonObject, scope: JsonObject) -> dict[str, bytes]:
    """Returns the bytes of every input by name, fetched in parallel.

    :raises AgentError: ORDER_UNSUITABLE if they are too large, BLOB_UNAVAILABLE also if they take too long
    """
    room = asyncio.Semaphore(INPUTS_AT_ONCE)
    count = 0

    async def one(blob_hash: str) -> bytes:
        nonlocal count
        async with room:
            data = await fetch_input(parts, order, blob_hash)
        # The declared lengths may be false.
        count += len(data)
        if count > MAX_INPUT_BYTES:
            raise _beyond(count)
        return data

    tasks = {each: asyncio.create_task(one(each)) for each in dict.fromkeys(made["hash"] for made in scope["inputs"])}
    try:
        with anyio.fail_after(INPUTS_TIMEOUT):
            await asyncio.gather(*tasks.values())
    except TimeoutError:
        raise AgentError("BLOB_UNAVAILABLE", f"the inputs of {order['orderId']}") from None
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
    return {each["name"]: tasks[each["hash"]].result() for each in scope["inputs"]}


async def fetch_input(parts: Parts, order: JsonObject, blob_hash: str) -> bytes:
    """Returns the bytes of an input.

    :raises AgentError: BLOB_NOT_FOUND, BLOB_UNAVAILABLE
    """
    data = await parts.peers.blob_of(blob_hash, order["requesterId"])
    if data is None:
        raise AgentError("BLOB_NOT_FOUND", blob_hash)
    return data


def read_scope(parts: Parts, order: JsonObject, data: bytes) -> tuple[JsonObject, bool]:
    """Returns the scope, and True if it was sealed.

    :raises AgentError: SCOPE_SEALED_TO_OTHERS
    :raises FormatError: if the scope breaks a rule
    """
    try:
        return work_scope.read(data, order["scopeHash"]), False
    except FormatError as error:
        if error.code == "DOCUMENT_HASH_MISMATCH" or not _is_sealed(data):
            raise
    facts = {
        "chainId": parts.chain_id,
        "fromAgentId": order["requesterId"],
        "toAgentId": parts.agent_id,
        "orderId": order["orderId"],
        "part": "scope",
    }
    if parts.encryption is None:
        raise AgentError("SCOPE_SEALED_TO_OTHERS", "this session reads nothing sealed")
    try:
        opened = open_content(data, parts.encryption, facts, order["scopeHash"])
    except FormatError as error:
        raise AgentError("SCOPE_SEALED_TO_OTHERS", str(error)) from error
    return work_scope.read(opened), True


def _is_sealed(data: bytes) -> bool:
    try:
        recipients_of(data)
    except FormatError:
        return False
    return True
