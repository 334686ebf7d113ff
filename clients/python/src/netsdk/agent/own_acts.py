"""Acts requested by the owner."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar, cast

from ..amount import in_unet
from ..api import sound_problem
from ..completion import complete, fresh_id
from ..contracts import contract
from ..errors import AmountError, NetError
from ..exact_value import exact_value
from ..protocol.canonical_json import JsonObject, canonicalize
from .errors import AgentError
from .parts import Parts
from .scope import require_scope

Result = TypeVar("Result")


async def act_once(parts: Parts, action: str, payload: Mapping[str, Any], act_id: ActId) -> JsonObject:
    """Executes an action; see ``AsyncAgent.act``."""
    name = f"own/{act_id.id}"
    whole = await _completed(parts, name, action, _in_unet(action, exact_value(dict(payload))))
    with forgetting(parts, name, act_id):
        return await act_extended(parts, name, action, whole)


class ActId(NamedTuple):
    """The id of an act."""

    id: str
    #: False if the SDK made it up.
    is_named: bool

    @classmethod
    def of(cls, id: str | None, kind: str) -> ActId:
        """Returns the given id, or a new one."""
        return cls(fresh_id(kind) if id is None else id, id is not None)


@contextmanager
def forgetting(parts: Parts, name: str, act_id: ActId) -> Generator[None, None, None]:
    """Forgets an act at its end. Keeps it if its caller named it, or if a timeout or a cancellation has ended the call,
    whose error names the id that continues it."""
    try:
        yield
    except asyncio.CancelledError:
        if parts.end is not None and not act_id.is_named:
            parts.outbox.forget(name)
        raise
    except BaseException:
        if not act_id.is_named:
            parts.outbox.forget(name)
        raise
    if not act_id.is_named:
        parts.outbox.forget(name)


def _in_unet(action: str, payload: Mapping[str, Any]) -> JsonObject:
    try:
        return in_unet(action, payload)
    except AmountError as error:
        raise AgentError("AMOUNT_INVALID", f"{error.path}: {error.given!r}") from None


async def act_extended(parts: Parts, name: str, action: str, payload: Mapping[str, Any]) -> JsonObject:
    """Executes an action under this id. If the capability is missing, adds it and retries once."""
    try:
        return await parts.outbox.act(name, action, payload)
    except NetError as error:
        if error.code != "CAPABILITY_MISSING" or not await permit(parts, action, payload):
            raise
    return await parts.outbox.act(name, action, payload)


async def _completed(parts: Parts, name: str, action: str, given: JsonObject) -> JsonObject:
    """Completes a payload. A known act keeps its first completion, with its ids.

    :raises AgentError: ACT_ID_USED
    """
    known = parts.outbox.signed(name)
    if known is not None:
        payload: JsonObject = known["payload"]
        is_same = known["action"] == action and all(
            member in payload and canonicalize(payload[member]) == canonicalize(value)
            for member, value in given.items()
        )
        if not is_same:
            raise AgentError("ACT_ID_USED", name.removeprefix("own/"))
        return payload
    if action == "acceptWork":
        await require_scope(parts, given.get("orderId"))
    client = parts.client
    height = await client.height()
    api = client.net_client.api
    return await client.persist(
        lambda: client.net_client.run(complete(api.read, parts.agent_id, action, given, height=height))
    )


async def permit(parts: Parts, action: str, payload: Mapping[str, Any]) -> bool:
    """Adds the capability that an act lacks, unless the node would refuse the act even with it. Older nodes
    cannot tell.

    :returns: False if the chain refuses the capability
    :raises NetError: with the refusal, before anything is signed
    """
    client = parts.client.net_client
    unsigned = {"actorId": parts.agent_id, "action": action, "payload": payload, "capabilities": [action]}
    try:
        told = await parts.client.persist(lambda: client.run(client.api.post("/v1/intents:simulate", unsigned)))
    except NetError:
        # A node that cannot simulate this decides about the act itself.
        told = {}
    refusal = refusal_of(told)
    if refusal is not None and refusal["code"] != "CAPABILITY_MISSING":
        raise error_of(refusal)
    return await extend(parts, action)


def refusal_of(told: JsonObject) -> JsonObject | None:
    """Returns the refusal of a simulation, or None.

    :raises NetError: if the refusal is malformed
    """
    refusal = told.get("refusal")
    if refusal is not None and sound_problem(refusal) is None:
        raise NetError(200, None, detail="the answer is not a simulation")
    return cast("JsonObject | None", refusal)


def error_of(refusal: JsonObject) -> NetError:
    """Returns the refusal of a simulation as an error."""
    entry = contract("errors")["errors"].get(refusal["code"], {})
    status = int(entry.get("status", 409))
    return NetError(status, {"status": status, "title": entry.get("title", ""), **refusal})


async def extend(parts: Parts, action: str) -> bool:
    """Adds an action of the policy set to the agent's capabilities. Concurrent calls for one action share one
    extension.

    :returns: False if the chain refuses the extension
    """
    extension = parts.extending.get(action)
    if extension is None:
        extension = asyncio.ensure_future(_extend_once(parts, action))
        parts.extending[action] = extension
        extension.add_done_callback(lambda _: parts.extending.pop(action, None))
    # Canceling one caller must not cancel the extension for others.
    return await asyncio.shield(extension)


async def _extend_once(parts: Parts, action: str) -> bool:
    act_id = f"extend/{action}"
    try:
        payload = {"agentId": parts.agent_id, "actions": [action]}
        await parts.outbox.act(act_id, "extendAgentCapabilities", payload)
    except NetError as error:
        if error.path == "/expiresAtHeight":
            raise
        # Another extension may have added the action meanwhile.
        return error.code == "CAPABILITIES_UNCHANGED"
    parts.outbox.forget(act_id)
    return True


async def with_actions(parts: Parts, actions: Sequence[str], operation: Callable[[], Awaitable[Result]]) -> Result:
    """Runs an operation. Whenever a refusal names a missing action, adds that action and retries.

    :param actions: actions of the operation, in the order of its payload
    """
    added: set[str] = set()
    while True:
        try:
            return await operation()
        except NetError as error:
            index = error.path.rpartition("/")[2]
            if error.code != "SESSION_TOO_WIDE" or not index.isdecimal() or int(index) >= len(actions):
                raise
            missing = actions[int(index)]
            if missing in added or not await extend(parts, missing):
                raise
            added.add(missing)
