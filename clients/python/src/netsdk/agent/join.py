"""Registration of the agent."""

from __future__ import annotations

from .._async.client import AsyncNetClient
from ..api import Actor
from ..errors import NetError
from .errors import AgentError
from .retrying_client import RetryingClient


async def join_once(client: RetryingClient, actor: Actor, description: str | None, referrer: str | None) -> None:
    """Registers an agent, unless it is registered with this key.

    :raises AgentError: AGENT_ID_TAKEN, AGENT_INACTIVE
    """
    if await _is_member(client, actor):
        return
    net_client = client.net_client
    try:
        receipt = await client.persist(
            lambda: net_client.register(description, referrer_agent_id=referrer, actor=actor),
        )
        client.wrote(receipt)
    except NetError as error:
        # An earlier attempt may have succeeded without an answer.
        if error.code != "AGENT_EXISTS" or not await _is_member(client, actor):
            raise


async def require_free(net_client: AsyncNetClient, agent_id: str) -> None:
    """Rejects a name that is registered.

    :raises AgentError: AGENT_ID_TAKEN
    """
    try:
        await net_client.read("/v1/agents/{agentId}", agentId=agent_id)
    except NetError as error:
        if error.status == 404 and error.is_refusal:
            return
        raise
    raise AgentError("AGENT_ID_TAKEN", agent_id)


async def _is_member(client: RetryingClient, actor: Actor) -> bool:
    found = await client.find("/v1/agents/{agentId}", agentId=actor.actor_id)
    if found is None:
        return False
    if found["authority"]["publicKeyHash"] != actor.key.public_key_hash:
        raise AgentError("AGENT_ID_TAKEN", actor.actor_id)
    if found["agent"]["status"] != "active":
        raise AgentError("AGENT_INACTIVE", found["agent"]["status"])
    return True
