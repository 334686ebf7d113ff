"""Where the agent stores blobs and looks for them, what others say of themselves, and what it says: its beacon."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from ..api import Actor
from ..blobs import BlobApi, find, normalize_origin
from ..errors import NetError
from ..flow import AsyncDriver
from ..formats import agent_metadata, public_encryption_key
from ..formats.errors import FormatError
from ..protocol.canonical_json import JsonObject, canonicalize
from ..protocol.hashes import is_hash, sha256
from .errors import AgentError
from .parts import Line, Parts, pause_after

#: Strangers' origins are asked quickly, or not at all: seconds.
TIMEOUT = 20.0
MAX_HINTS = 4
#: Everything is stored at each of them.
MAX_PLACES = 100
#: Seconds after its start in which an agent waits for places: those of a network that is starting are announced some
#: seconds after its node answers.
PATIENCE = 20.0
LOOK_AGAIN = 0.5
#: Seconds for which busy places are asked again.
BUSY_PATIENCE = 60.0
#: How a beacon that offers a replica says that it keeps blobs.
_BLOBS_PROTOCOL = re.compile(r"(^|[-.])blobs/1\Z")
_LOOPBACK = re.compile(r"127\.\d+\.\d+\.\d+|localhost|::1")
_ORIGIN = re.compile(
    r"(https://[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|http://(127\.0\.0\.1|localhost|\[::1\]))(:[0-9]{1,5})?"
)


class Place(NamedTuple):
    """An origin as blobs are asked for there, and who keeps it: distinct ones are what replicas of a memory need."""

    origin: str
    provider_id: str


def _is_loopback(origin: str) -> bool:
    return _LOOPBACK.fullmatch(urlsplit(origin).hostname or "") is not None


def _with_scheme(origin: str, scheme: str) -> str:
    """The same host and port under another scheme: a port that one of them leaves out stands in the other."""
    parts = urlsplit(origin)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    host = parts.hostname or ""
    return normalize_origin(f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}")


def reachable_origin(origin: str) -> str:
    """An https origin on this machine answers plain HTTP on the same port: its certificate is of its own making."""
    return _with_scheme(origin, "http" if _is_loopback(origin) else urlsplit(origin).scheme)


def blob_uri(origin: str, blob_hash: str) -> str:
    """The https URI that the chain names a blob by."""
    return f"{_with_scheme(origin, 'https')}/blobs/{blob_hash}"


def origin_of_uri(uri: object, blob_hash: str) -> str | None:
    """The origin of a URI on the chain that names this very blob: nothing else is ever asked of a stranger's."""
    if not isinstance(uri, str):
        return None
    try:
        parts = urlsplit(uri)
        if parts.scheme == "https" and parts.path == f"/blobs/{blob_hash}" and is_hash(blob_hash):
            return normalize_origin(f"https://{parts.netloc}")
    except ValueError:
        pass
    return None


class Origins:
    """The places of blobs. The hash is all the trust it takes; one that is down, lies or refuses only costs time.

    :param given: origins that the owner has chosen; without them those that the network announces count
    """

    def __init__(
        self,
        line: Line,
        driver: AsyncDriver,
        actor: Actor,
        given: Sequence[str],
        *,
        waiting: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._line = line
        self._waiting = waiting
        self._driver = driver
        self._actor = actor
        self._given = [Place(origin, urlsplit(origin).netloc) for origin in map(reachable_origin, given)]
        self._announced: list[Place] = []
        self._patient_until = time.monotonic() + PATIENCE
        self._hurried = False

    def places(self) -> list[Place]:
        """Where the agent stores, the likeliest first."""
        return self._given or self._announced

    async def refresh(self) -> None:
        """Asks the network who keeps blobs; whom it knows already stays where the network is silent."""
        if self._given:
            return
        told = await self._line.read("/v1/replicas", limit=MAX_PLACES)
        found: dict[str, Place] = {}
        for replica in told["replicas"][:MAX_PLACES]:
            if not any(_BLOBS_PROTOCOL.search(protocol) for protocol in replica["protocols"]):
                continue
            try:
                origin = reachable_origin(replica["endpoint"])
            except ValueError:
                continue
            if not self._may_ask(origin):
                continue
            # The same place under two names is one place.
            found[origin] = Place(origin, replica["agentId"])
        if found:
            # In one order for everybody: else a beacon would change whenever another one is renewed.
            self._announced = sorted(found.values(), key=lambda place: place.provider_id)

    async def known(self, least: int) -> None:
        """Looks again until so many places are known: for a bounded while after the start, then once."""
        while not self._given and len(self.places()) < least:
            await self.refresh()
            if len(self.places()) >= least or time.monotonic() >= self._patient_until:
                return
            await asyncio.sleep(LOOK_AGAIN)

    def hurry(self) -> None:
        """Nothing is waited for any more: the agent is about to stop."""
        self._patient_until = 0.0
        self._hurried = True

    def first(self) -> Place:
        """The likeliest place.

        :raises AgentError: BLOB_ORIGIN_UNKNOWN
        """
        if not self.places():
            raise AgentError("BLOB_ORIGIN_UNKNOWN")
        return self.places()[0]

    async def put(self, data: bytes, least: int = 1, patience: float = BUSY_PATIENCE) -> tuple[str, list[Place]]:
        """Stores bytes at every known place; places that are busy are asked again, with a growing pause.

        :param least: how many have to take them
        :param patience: seconds for which busy places are asked again
        :returns: the hash, and the places that have them
        :raises AgentError: BLOB_NOT_STORED with the reason of each that did not
        """
        await self.known(least)
        end = time.monotonic() + patience
        attempt = 0
        while True:
            self.first()
            places = self.places()
            stores = [self._driver.run(BlobApi(place.origin, self._actor, TIMEOUT).put(data)) for place in places]
            results = await asyncio.gather(*stores, return_exceptions=True)
            stored = []
            failed: list[tuple[Place, Exception]] = []
            for place, result in zip(places, results, strict=True):
                if isinstance(result, Exception):
                    failed.append((place, result))
                elif isinstance(result, BaseException):
                    raise result
                else:
                    stored.append(place)
            if len(stored) >= least:
                return sha256(data).hex(), stored
            pause = pause_after(attempt)
            is_busy = any(isinstance(error, NetError) and error.status in (429, 503) for _, error in failed)
            if self._hurried or time.monotonic() + pause > end or not is_busy:
                raise AgentError("BLOB_NOT_STORED", "; ".join(f"{place.origin}: {error}" for place, error in failed))
            self._waiting("places that are busy")
            await asyncio.sleep(pause)
            attempt += 1

    async def fetch(self, blob_hash: str, hints: Sequence[str | None] = ()) -> bytes | None:
        """The bytes of a hash from whoever has them.

        :param hints: further origins, of strangers
        :returns: None where nobody has them
        """
        found = await self.find(blob_hash, hints)
        return found if isinstance(found, bytes) else None

    async def find(self, blob_hash: str, hints: Sequence[str | None] = ()) -> bytes | Literal["absent", "unknown"]:
        """The same, where it counts whether all say that they do not have them, or one only did not answer."""
        own = [place.origin for place in self.places()]
        others = [reachable_origin(hint) for hint in hints if hint is not None and self._is_origin(hint)]
        allowed = [origin for origin in others if self._may_ask(origin)]
        origins = list(dict.fromkeys([*own, *allowed[:MAX_HINTS]]))
        return await self._driver.run(find(blob_hash, origins, TIMEOUT))

    async def is_everywhere(self, blob_hash: str) -> bool:
        """Whether every known place has the blob, as far as they answer."""
        asked = [self._driver.run(BlobApi(place.origin, timeout=TIMEOUT).has(blob_hash)) for place in self.places()]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        return all(answer is not False for answer in answers)

    @staticmethod
    def _is_origin(hint: str) -> bool:
        if len(hint) > 512 or _ORIGIN.fullmatch(hint) is None:
            return False
        try:
            reachable_origin(hint)
        except ValueError:  # a port of five digits may be none
            return False
        return True

    def _may_ask(self, origin: str) -> bool:
        """A stranger must not make the agent ask its own machine, unless the network itself lives there."""
        return _is_loopback(self._line.client.url) or not _is_loopback(origin)


class Peers:
    """What other agents say of themselves: the metadata behind their beacons."""

    def __init__(self, line: Line, origins: Origins) -> None:
        self._line = line
        self._origins = origins

    async def metadata_of(self, agent_id: str) -> JsonObject | None:
        """Asked anew each time: who changes its key says so with its next beacon.

        :returns: None where there is no beacon, or no readable metadata of this very agent behind it
        """
        # Proven where the agent has an anchor: who names another key here reads what is sealed to it.
        if self._line.proves:
            found = await self._line.state(f"beacon/{agent_id}")
        else:
            found = await self._line.find("/v1/agents/{agentId}", agentId=agent_id)
        beacon = (found or {}).get("beacon")
        if not beacon:
            return None
        blob_hash = beacon["metadataHash"]
        data = await self._origins.fetch(blob_hash, [origin_of_uri(beacon["endpoint"], blob_hash)])
        try:
            metadata = agent_metadata.read(data, blob_hash) if data is not None else {}
        except FormatError:
            return None
        return metadata if metadata.get("agentId") == agent_id else None

    async def origins_of(self, agent_id: str) -> list[str]:
        """Where an agent says that its blobs are."""
        metadata = await self.metadata_of(agent_id)
        return list(metadata["blobs"]) if metadata else []


@dataclass
class BeaconOptions:
    """What the agent says of itself; without an endpoint, where its metadata can be fetched."""

    description: str
    protocols: Sequence[str]
    endpoint: str | None
    prices: Sequence[dict[str, Any]] | None
    links: Sequence[dict[str, Any]] | None


#: Heights left at which the beacon is renewed, and for which it is published: a little less than may be, because the
#: chain goes on between the reading and the block.
RENEW_BEFORE = 1_000
BEACON_LIFETIME = 4_900
#: Seconds: what else changes, for example the places of blobs, is found that soon.
LONGEST_LOOK = 600.0
#: Seconds: whatever a node says of its pace, nobody spins.
SHORTEST_LOOK = 0.1


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
    line, origins = parts.line, parts.origins
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
    # Where the place has lost it, or is a new one.
    if places and await origins.fetch(metadata.hash) is None:
        # An agent opens and works without it; it is tried again by itself.
        await origins.put(metadata.data, patience=0.0)
    # One that was signed by a process that died: its sequence counts, whatever this one would have said.
    await parts.outbox.settle("beacon")
    parts.outbox.forget("beacon")
    agent = await line.read("/v1/agents/{agentId}", agentId=parts.agent_id)
    block_time = (await line.read("/v1/network"))["blockTimeMs"]
    height, beacon = await line.height(), agent.get("beacon")
    # The chain takes the highest sequence that there is: after it no beacon could follow.
    record = await line.state(f"beacon/{parts.agent_id}") if line.proves else None
    last = (record or {}).get("lastSequence", 0) if line.proves else agent["beaconSequence"]
    if beacon:
        published = {name: value for name, value in beacon.items() if name not in ("expiresAtHeight", "sequence")}
        left = beacon["expiresAtHeight"] - height
        if canonicalize(published) == canonicalize(claim) and left > RENEW_BEFORE:
            return next_look(left, block_time)
    more = {"expiresAtHeight": height + BEACON_LIFETIME, "sequence": last + 1}
    await parts.outbox.act("beacon", "publishBeacon", claim | more)
    parts.outbox.forget("beacon")
    return next_look(BEACON_LIFETIME, block_time)


async def join_once(line: Line, actor: Actor, description: str | None, referrer: str | None) -> None:
    """Joins once: whoever is registered under this key already is left as it is.

    :raises AgentError: AGENT_ID_TAKEN, AGENT_INACTIVE
    :raises NetError: where the chain refuses the registration
    """
    if await _is_member(line, actor):
        return
    client = line.client
    try:
        receipt = await line.persist(
            lambda: client.register(description, referrer_agent_id=referrer, actor=actor),
        )
        line.wrote(receipt)
    except NetError as error:
        # An answer that was lost, or a process of ours that was killed.
        if error.code != "AGENT_EXISTS" or not await _is_member(line, actor):
            raise


async def _is_member(line: Line, actor: Actor) -> bool:
    found = await line.find("/v1/agents/{agentId}", agentId=actor.actor_id)
    if found is None:
        return False
    if found["authority"]["publicKeyHash"] != actor.key.public_key_hash:
        raise AgentError("AGENT_ID_TAKEN", actor.actor_id)
    if found["agent"]["status"] != "active":
        raise AgentError("AGENT_INACTIVE", found["agent"]["status"])
    return True
