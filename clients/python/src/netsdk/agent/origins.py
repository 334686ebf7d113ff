"""The stores to which the agent writes blobs, and from which it reads them."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from ..api import Actor
from ..blobs import BlobApi, Found, clock_fault, find, normalize_origin
from ..errors import NetError
from ..flow import Answer, AsyncDriver, Flow, LateError, Request
from ..protocol.hashes import is_hash, sha256
from ..strangers import Reach, may_stranger_name
from .errors import AgentError
from .poller import pause_after
from .retrying_client import RetryingClient

#: Seconds.
TIMEOUT = 20.0
MAX_HINTS = 4
#: Limit of stores, because each blob is written to all.
MAX_PLACES = 100
#: Seconds after the start in which the agent waits for stores. A new network announces them after its node answers.
PATIENCE = 20.0
LOOK_AGAIN = 0.5
BUSY_PATIENCE = 60.0
#: Seconds to wait for stores that do not answer, because a restart takes some seconds.
AWAY_PATIENCE = 20.0
#: Seconds for which a correct clock is not checked again, and the timeout of the check.
CLOCK_TRUSTED = 30.0
CLOCK_TIMEOUT = 2.0
BLOBS_CAPABILITY = "blobs"
#: Name prefix of the operator's agents. The ledger refuses it to all other agents.
OPERATORS_NAME = "house-"
_BLOBS_PROTOCOL = re.compile(r"(^|[-.])blobs/1\Z")
_LOOPBACK = re.compile(r"127\.\d+\.\d+\.\d+|localhost|::1")
_ORIGIN = re.compile(
    r"(https://[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|http://(127\.0\.0\.1|localhost|\[::1\]))(:[0-9]{1,5})?"
)


#: ``unknown`` if no store has the blob, and at least one did not answer.
Presence = Literal["present", "absent", "unknown"]


class Place(NamedTuple):
    """A store's origin and its provider. Replicas of a memory need distinct providers."""

    origin: str
    provider_id: str
    #: True if the operator of a node on this machine announces it, at any address.
    is_operators: bool = False


def _is_loopback(origin: str) -> bool:
    return _LOOPBACK.fullmatch(urlsplit(origin).hostname or "") is not None


def _is_address(host: str) -> bool:
    return ":" in host or re.fullmatch(r"[\d.]+", host) is not None


def _with_scheme(origin: str, scheme: str) -> str:
    parts = urlsplit(origin)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    host = parts.hostname or ""
    return normalize_origin(f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}")


def reachable_origin(origin: str) -> str:
    """Returns the origin to request: plain HTTP for loopback, because a local store has no trusted certificate."""
    return _with_scheme(origin, "http" if _is_loopback(origin) else urlsplit(origin).scheme)


def _patience_with(error: Exception) -> float:
    """Returns the seconds after which a store that failed so is not asked again."""
    if isinstance(error, LateError) or (isinstance(error, NetError) and error.status in (429, 503)):
        return BUSY_PATIENCE
    return AWAY_PATIENCE if isinstance(error, NetError) and error.code == "UNREACHABLE" else 0.0


def blob_uri(origin: str, blob_hash: str) -> str:
    """Returns the https URI that names a blob on the chain."""
    return f"{_with_scheme(origin, 'https')}/blobs/{blob_hash}"


def origin_of_uri(uri: object, blob_hash: str) -> str | None:
    """Returns the origin of a URI from the chain, or None unless the URI names this blob."""
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
    """The stores of blobs. Bytes are verified by their hash, so a bad store only costs time.

    :param given: origins chosen by the owner; default: those that the network announces
    :param trusted: origins that other agents may name at any address
    """

    def __init__(
        self,
        client: RetryingClient,
        driver: AsyncDriver,
        actor: Actor,
        given: Sequence[str],
        *,
        trusted: Sequence[str] = (),
        waiting: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._client = client
        self._waiting = waiting
        self._driver = driver
        self._actor = actor
        self._given = [Place(origin, urlsplit(origin).netloc) for origin in map(reachable_origin, given)]
        self._trusted = frozenset(map(reachable_origin, (*given, *trusted, client.net_client.url)))
        self._announced: list[Place] = []
        self._patient_until = time.monotonic() + PATIENCE
        self._told_of_waiting = False
        self._hurried = False
        self._clock_right_at = -math.inf

    def places(self) -> list[Place]:
        """Returns the stores to write to, the preferred one first."""
        return self._given or self._announced

    async def refresh(self) -> None:
        """Reads the announced stores. Keeps the known ones if the network announces none."""
        if self._given:
            return
        told = await self._client.read("/v1/discovery", capability=BLOBS_CAPABILITY, limit=MAX_PLACES)
        found: dict[str, Place] = {}
        for beacon in told["beacons"][:MAX_PLACES]:
            if not any(_BLOBS_PROTOCOL.search(protocol) for protocol in beacon["protocols"]):
                continue
            try:
                origin = reachable_origin(beacon["endpoint"])
            except ValueError:
                continue
            is_operators = _is_loopback(self._client.net_client.url) and beacon["agentId"].startswith(OPERATORS_NAME)
            if not is_operators and origin not in self._trusted and self._is_refused_as_written(origin):
                continue
            # Two providers may announce one origin. It is the operator's if either provider is.
            if is_operators or origin not in found or not found[origin].is_operators:
                found[origin] = Place(origin, beacon["agentId"], is_operators)
        if found:
            # The order must be stable: otherwise the agent's beacon would change whenever a store renews its own.
            self._announced = sorted(found.values(), key=lambda place: place.provider_id)

    async def known(self, least: int) -> None:
        """Refreshes until ``least`` stores are known: repeatedly for some seconds after the start, later once."""
        while not self._given and len(self.places()) < least:
            await self.refresh()
            if len(self.places()) >= least or time.monotonic() >= self._patient_until:
                return
            if not self._told_of_waiting:
                self._waiting("stores for blobs")
            self._told_of_waiting = True
            await asyncio.sleep(LOOK_AGAIN)

    def hurry(self) -> None:
        """Ends all waiting, because the agent is about to stop."""
        self._patient_until = 0.0
        self._hurried = True

    async def require_clock(self) -> None:
        """Compares this machine's clock with the Date headers of the stores, or of the node if no store answers.

        The clock is right if at least one store would accept a signature now. The headers have real time, even if the
        node is a laboratory.

        :raises AgentError: CLOCK_WRONG
        """
        if time.monotonic() - self._clock_right_at < CLOCK_TRUSTED:
            return
        faults = await self._clock_faults([place.origin for place in self.places()])
        faults = faults or await self._clock_faults([self._client.net_client.url])
        if faults and faults[0] is not None and None not in faults:
            raise AgentError("CLOCK_WRONG", faults[0])
        self._clock_right_at = time.monotonic()

    async def _clock_faults(self, urls: Sequence[str]) -> list[str | None]:
        """Returns the clock's fault for each server that sends a date; None if that server would accept the clock."""
        asked = [self._driver.run(self._head(url)) for url in urls]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        faults: list[str | None] = []
        for url, answer in zip(urls, answers, strict=True):
            if isinstance(answer, Answer) and "date" in answer.headers:
                fault = clock_fault(answer.headers["date"])
                faults.append(None if fault is None else f"{fault} of {url}")
        return faults

    def _head(self, url: str) -> Flow[Answer | None]:
        way = yield from self._reach().way(url)
        return None if way is None else (yield from way.send(Request("HEAD", url, CLOCK_TIMEOUT)))

    def _reach(self) -> Reach:
        operators = (place.origin for place in self._announced if place.is_operators)
        return Reach(self._client.net_client.url, self._trusted | frozenset(operators))

    def first(self) -> Place:
        """Returns the preferred store. Raises BLOB_ORIGIN_UNKNOWN if none is known."""
        if not self.places():
            raise AgentError("BLOB_ORIGIN_UNKNOWN")
        return self.places()[0]

    async def put(self, data: bytes, least: int = 1, patience: float = BUSY_PATIENCE) -> tuple[str, list[Place]]:
        """Stores bytes at every known store. Retries busy and unreachable ones until ``least`` stores have the bytes.

        :param patience: seconds for retries
        :returns: the hash, and the stores that have the bytes
        :raises AgentError: BLOB_NOT_STORED with each failure, BLOB_ORIGIN_UNKNOWN
        """
        await self.known(least)
        began = time.monotonic()
        attempt = 0
        while True:
            self.first()
            places = self.places()
            reach = self._reach()
            stores = [
                self._driver.run(BlobApi(place.origin, self._actor, TIMEOUT, reach).put(data)) for place in places
            ]
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
            end = began + min(patience, max(_patience_with(error) for _, error in failed))
            if self._hurried or time.monotonic() + pause > end:
                raise AgentError("BLOB_NOT_STORED", "; ".join(f"{place.origin}: {error}" for place, error in failed))
            self._waiting("stores that are busy or away")
            await asyncio.sleep(pause)
            attempt += 1

    async def fetch(self, blob_hash: str, hints: Sequence[str | None] = ()) -> bytes | None:
        """Returns the bytes of a hash from the first store that has them, or None.

        :param hints: further, untrusted origins
        """
        found = await self.find(blob_hash, hints)
        return found if isinstance(found, bytes) else None

    async def read(self, blob_hash: str, hints: Sequence[str | None] = ()) -> bytes | None:
        """Returns the bytes of a hash, or None if all stores say that they do not have them.

        :raises AgentError: BLOB_UNAVAILABLE if a store fails, is busy or does not answer
        """
        found = await self.find(blob_hash, hints)
        if found == "unknown":
            raise AgentError("BLOB_UNAVAILABLE", blob_hash)
        return found if isinstance(found, bytes) else None

    async def find(self, blob_hash: str, hints: Sequence[str | None] = ()) -> Found:
        """Returns the bytes of a hash; ``absent`` if all stores say that they do not have them, else ``unknown``."""
        return await self._driver.run(find(blob_hash, self._asked(hints), TIMEOUT, self._reach()))

    def _asked(self, hints: Sequence[str | None]) -> list[str]:
        own = [place.origin for place in self.places()]
        others = [reachable_origin(hint) for hint in hints if hint is not None and self._is_origin(hint)]
        return list(dict.fromkeys([*own, *others[:MAX_HINTS]]))

    async def has(self, blob_hash: str, hints: Sequence[str | None] = ()) -> Presence:
        """Checks whether a store has a blob, without fetching it."""
        reach = self._reach()
        apis = [BlobApi(one, timeout=TIMEOUT, reach=reach) for one in self._asked(hints)]
        asked = [self._driver.run(api.has(blob_hash)) for api in apis]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        if True in answers:
            return "present"
        return "absent" if all(answer is False for answer in answers) else "unknown"

    async def is_everywhere(self, blob_hash: str) -> bool:
        """Returns False if a known store says that it does not have the blob."""
        reach = self._reach()
        apis = [BlobApi(place.origin, timeout=TIMEOUT, reach=reach) for place in self.places()]
        asked = [self._driver.run(api.has(blob_hash)) for api in apis]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        return all(answer is not False for answer in answers)

    @staticmethod
    def _is_origin(hint: str) -> bool:
        if len(hint) > 512 or _ORIGIN.fullmatch(hint) is None:
            return False
        try:
            reachable_origin(hint)
        except ValueError:
            return False
        return True

    def _is_refused_as_written(self, origin: str) -> bool:
        """Returns True for an IP address or localhost that a stranger may not name. Names are checked when they are
        resolved.
        """
        host = urlsplit(origin).hostname or ""
        if host == "localhost" or host.endswith(".localhost"):
            return True
        node = urlsplit(self._client.net_client.url).hostname or ""
        # A node's host name is not resolved here, so private addresses pass until they are requested.
        return _is_address(host) and not may_stranger_name(host, [node if _is_address(node) else host])
