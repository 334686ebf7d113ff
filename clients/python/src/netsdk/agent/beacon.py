"""Keeps the agent's beacon current: published when something changed or it is about to expire, else left alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..formats import agent_metadata, public_encryption_key
from ..protocol.canonical_json import JsonObject, canonicalize
from .origins import blob_uri
from .parts import Parts

#: Heights left at which the beacon is renewed, and for which it is published: a little less than may be, because the
#: chain goes on between the reading and the block.
RENEW_BEFORE = 1_000
BEACON_LIFETIME = 4_900
#: Seconds: what else changes, for example the stores of blobs, is found that soon.
LONGEST_LOOK = 600.0
#: Seconds: whatever a node says of its pace, there is no busy loop.
SHORTEST_LOOK = 0.1


@dataclass
class BeaconOptions:
    """What the agent says of itself; without an endpoint, where its metadata can be fetched."""

    description: str
    protocols: Sequence[str]
    endpoint: str | None
    prices: Sequence[dict[str, Any]] | None
    links: Sequence[dict[str, Any]] | None


def next_look(left: int, block_time_ms: int) -> float:
    """When the beacon is to be looked at again: when it may be due for renewal at the pace of full blocks, which is the
    quickest there is; from then on thrice within the heights that are left to renew it.

    :param left: heights until it expires
    :returns: seconds
    """
    seconds = max(left - RENEW_BEFORE, RENEW_BEFORE // 3) * block_time_ms / 1_000
    return min(max(seconds, SHORTEST_LOOK), LONGEST_LOOK)


async def keep_beacon(parts: Parts, options: BeaconOptions) -> float | None:
    """Publishes the beacon where something changed or it is about to expire; else leaves it alone.

    :returns: the seconds after which it is to be looked at again; None where there is neither an endpoint nor a place
        for the metadata
    :raises AgentError: BLOB_NOT_STORED
    :raises NetError:
    """
    client, origins = parts.client, parts.origins
    places = origins.places()
    said: JsonObject = {
        "schema": "NET-AGENT-METADATA/1",
        "agentId": parts.agent_id,
        "description": options.description,
        "encryptionKey": public_encryption_key(parts.require_secret()),
        "blobs": [place.origin for place in places],
    }
    for name, value in (("prices", options.prices), ("links", options.links)):
        if value is not None:
            said[name] = list(value)
    metadata = agent_metadata.make(said)
    endpoint = options.endpoint or (blob_uri(places[0].origin, metadata.hash) if places else None)
    if endpoint is None:
        return None
    claim: JsonObject = {
        "schema": "NET-AGENT-BEACON/1",
        "agentId": parts.agent_id,
        "indexable": True,
        "endpoint": endpoint,
        "capabilities": list(parts.capabilities),
        "protocols": list(options.protocols),
        "metadataHash": metadata.hash,
    }
    # Stored again where the store has lost it, or is a new one.
    if places and await origins.fetch(metadata.hash) is None:
        # An agent opens and works without it; it is tried again by itself.
        await origins.put(metadata.data, patience=0.0)
    # One that was signed by a process that died: its sequence counts, whatever this one would have said.
    await parts.outbox.settle("beacon")
    parts.outbox.forget("beacon")
    agent = await client.read("/v1/agents/{agentId}", agentId=parts.agent_id)
    block_time = (await client.read("/v1/network"))["blockTimeMs"]
    height, beacon = await client.height(), agent.get("beacon")
    # The chain takes the highest sequence that there is: after it no beacon could follow.
    record = await client.state(f"beacon/{parts.agent_id}") if client.proves else None
    last = (record or {}).get("lastSequence", 0) if client.proves else agent["beaconSequence"]
    if beacon:
        published = {name: value for name, value in beacon.items() if name not in ("expiresAtHeight", "sequence")}
        left = beacon["expiresAtHeight"] - height
        if canonicalize(published) == canonicalize(claim) and left > RENEW_BEFORE:
            return next_look(left, block_time)
    more = {"expiresAtHeight": height + BEACON_LIFETIME, "sequence": last + 1}
    await parts.outbox.act("beacon", "publishBeacon", claim | more)
    parts.outbox.forget("beacon")
    return next_look(BEACON_LIFETIME, block_time)
