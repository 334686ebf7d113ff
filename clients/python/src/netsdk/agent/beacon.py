"""Publishing of the agent's beacon when it changes or is about to expire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import NetError
from ..formats import agent_metadata, public_encryption_key
from ..protocol.canonical_json import JsonObject, canonicalize
from .origins import blob_uri
from .parts import Parts

#: Remaining heights at which the beacon is renewed, and its lifetime in heights. The lifetime is below the chain's
#: maximum, because the chain may grow before the beacon is in a block.
RENEW_BEFORE = 1_000
BEACON_LIFETIME = 4_900
#: Half of the sequences that a safe integer allows.
SEQUENCES = 2**52
#: Most seconds between two checks. A check also notices changes such as new stores.
LONGEST_LOOK = 600.0
#: Fewest seconds between two checks, even if a node reports a shorter block time.
SHORTEST_LOOK = 0.1


@dataclass
class BeaconOptions:
    """Content of the beacon. ``endpoint`` defaults to the URI of the metadata."""

    description: str
    protocols: Sequence[str]
    endpoint: str | None
    prices: Sequence[dict[str, Any]] | None
    links: Sequence[dict[str, Any]] | None


def next_look(left: int, block_time_ms: int) -> float:
    """Returns the seconds after which a beacon that expires in ``left`` heights may need renewal."""
    seconds = max(left - RENEW_BEFORE, RENEW_BEFORE // 3) * block_time_ms / 1_000
    return min(max(seconds, SHORTEST_LOOK), LONGEST_LOOK)


def sequence_after(last: object, height: int) -> int:
    """Returns the next sequence of a beacon.

    A false sequence near the maximum would leave none for the next beacon. Each block allows one more sequence, so that
    an honest chain never reaches the bound.

    :raises NetError: without a problem if no chain of this height can have reached ``last``
    """
    if isinstance(last, int) and not isinstance(last, bool) and 0 <= last < SEQUENCES + height:
        return last + 1
    raise NetError(200, None)


async def keep_beacon(parts: Parts, options: BeaconOptions) -> float | None:
    """Publishes the beacon if it changed or is about to expire.

    :returns: seconds until the next check; None if there is neither an endpoint nor a store for the metadata
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
    if places and await origins.fetch(metadata.hash) is None:
        # Don't retry busy stores here: the agent works without the beacon, and tries again later.
        await origins.put(metadata.data, patience=0.0)
    # First settle a beacon that an earlier process signed, because it uses up a sequence.
    await parts.outbox.settle("beacon")
    parts.outbox.forget("beacon")
    agent = await client.read("/v1/agents/{agentId}", agentId=parts.agent_id)
    block_time = (await client.read("/v1/network"))["blockTimeMs"]
    height, beacon = await client.height(), agent.get("beacon")
    # The sequence must be proven: no beacon could follow a false sequence that is too high.
    record = await client.state(f"beacon/{parts.agent_id}") if client.proves else None
    last = (record or {}).get("lastSequence", 0) if client.proves else agent["beaconSequence"]
    if beacon:
        published = {name: value for name, value in beacon.items() if name not in ("expiresAtHeight", "sequence")}
        left = beacon["expiresAtHeight"] - height
        if canonicalize(published) == canonicalize(claim) and left > RENEW_BEFORE:
            return next_look(left, block_time)
    more = {"expiresAtHeight": height + BEACON_LIFETIME, "sequence": sequence_after(last, height)}
    await parts.outbox.act("beacon", "publishBeacon", claim | more)
    parts.outbox.forget("beacon")
    return next_look(BEACON_LIFETIME, block_time)
