"""Verified reads from several origins, as flows.

Each read asks the fastest origin that is up to date, verifies the answer against one trust anchor, and tries the next
origin if that fails.
"""

from __future__ import annotations

import ipaddress
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar
from urllib.parse import urlsplit

from .api import NAMED_GENESIS, Actor, Api
from .errors import NetError, StaleStateError, VerificationError
from .flow import Flow, gather
from .paths import Parameter, normalize_url
from .protocol.canonical_json import JsonObject
from .verification import Verification, VerifiedAudit, VerifiedState, VerifiedTransition, rules_version_of

if TYPE_CHECKING:
    from .documents import Receipt

R = TypeVar("R")

#: Seconds after which a read measures the origins again.
MEASURE_EVERY = 15.0
FIRST_REST = 0.5
LONGEST_REST = 30.0
#: Answers kept as evidence for a ban. No proof consists of more answers.
KEPT_ANSWERS = 4


class ReceivedDocument(NamedTuple):
    """A document from an origin, with its request."""

    path: str
    parameters: Mapping[str, Parameter]
    document: JsonObject


class OriginFault(NamedTuple):
    """The reason for a ban, with the last answers as evidence."""

    reason: str
    answers: list[ReceivedDocument]


class OriginStatus(NamedTuple):
    """The status of one origin.

    ``banned``: a proof failed, so the origin is never asked again. ``backoff``: it does not answer. ``behind``: it lags
    by more than ``max_lag``. ``latency`` is in seconds. ``height`` is claimed, not proven.
    """

    origin: str
    state: Literal["unknown", "good", "behind", "backoff", "banned"]
    latency: float | None
    height: int | None
    fault: OriginFault | None


class _RememberingApi(Api):
    def __init__(self, url: str, timeout: float) -> None:
        super().__init__(url, timeout)
        self.received: list[ReceivedDocument] = []

    def read(self, path: str, parameters: Mapping[str, Parameter]) -> Flow[JsonObject]:
        document = yield from super().read(path, parameters)
        self.received = [*self.received, ReceivedDocument(path, dict(parameters), document)][-KEPT_ANSWERS:]
        return document


class _Origin:
    def __init__(self, url: str, genesis_hash: str | None, set_hash: str | None, timeout: float) -> None:
        self.url = url
        self.api = _RememberingApi(url, timeout)
        self.reader = Verification(self.api, genesis_hash, set_hash)
        self.latency: float | None = None
        #: The height that the origin claims, lowered if it cannot prove it.
        self.claimed: int | None = None
        self.rest_until = -math.inf
        self.fault: OriginFault | None = None
        self._failures = 0

    def status(self, is_behind: bool) -> OriginStatus:
        state: Literal["unknown", "good", "behind", "backoff", "banned"]
        if self.fault is not None:
            state = "banned"
        elif self.rest_until > time.monotonic():
            state = "backoff"
        elif is_behind:
            state = "behind"
        else:
            state = "unknown" if self.latency is None else "good"
        return OriginStatus(self.url, state, self.latency, self.claimed, self.fault)

    def probe(self) -> Flow[None]:
        begun = time.monotonic()
        try:
            height: Any = (yield from self.api.network())["height"]
        except (NetError, KeyError, TypeError) as error:
            self.failed(error, 0)
            return
        self.latency = time.monotonic() - begun
        self.claimed = height if type(height) is int else 0
        self.answered()

    def answered(self) -> None:
        self._failures, self.rest_until = 0, -math.inf
        self.claimed = max(self.claimed or 0, self.reader.highest)

    def failed(self, error: Exception, least: int) -> None:
        """Updates the status after a failure. ``least`` is the requested height."""
        if isinstance(error, StaleStateError):
            # Lag is no reason for a ban, because an honest follower may lag.
            self.claimed = min(self.claimed or 0, least - 1, error.height)
        elif isinstance(error, VerificationError):
            self.fault = OriginFault(str(error), self.api.received)
        elif not isinstance(error, NetError) or _is_away(error):
            rest = min(FIRST_REST * 2 ** min(self._failures, 16), LONGEST_REST)
            self._failures += 1
            self.rest_until = time.monotonic() + rest


class Origins:
    """Reads and writes over several origins, for both clients."""

    def __init__(
        self,
        origins: Sequence[str],
        *,
        genesis_hash: str | None,
        validator_set_hash: str | None,
        timeout: float,
        max_lag: int,
    ) -> None:
        if genesis_hash is None and validator_set_hash is None:
            raise TypeError("an anchor is needed, the same for all: genesis_hash or validator_set_hash")
        urls = list(dict.fromkeys(map(normalize_url, origins)))
        if not urls:
            raise ValueError("at least one origin is needed")
        self._timeout = timeout
        self._max_lag = max_lag
        self._all = [_Origin(url, genesis_hash, validator_set_hash, timeout) for url in urls]
        self._measured_at = -math.inf
        self._chain_id: str | None = None
        self._genesis_hash = ""
        #: True once version 2 of the rules is proven. Envelopes then name the genesis.
        self._is_named = False
        self._writer: Api | None = None

    def statuses(self) -> list[OriginStatus]:
        """Returns the status of each origin, in the order of use."""
        return [one.status(self._is_behind(one)) for one in self._in_order()]

    @property
    def height(self) -> int:
        """Highest proven height."""
        return max(one.reader.highest for one in self._all)

    def state(self, key: str, min_height: int, max_age: float | None) -> Flow[VerifiedState]:
        """Reads a value, no older than the highest height proven before."""
        least = max(self.height, min_height)
        return (yield from self._ask(lambda reader: reader.state(key, least, max_age), least))

    def transition(self, transition_hash: str) -> Flow[VerifiedTransition]:
        """Reads an envelope with its receipt."""
        return (yield from self._ask(lambda reader: reader.transition(transition_hash), 0))

    def work_audit(self, order_id: str, min_height: int, max_age: float | None) -> Flow[VerifiedAudit]:
        """Reads an order with every event of its audit."""
        least = max(self.height, min_height)
        return (yield from self._ask(lambda reader: reader.work_audit(order_id, least, max_age), least))

    def act(self, actor: Actor, action: str, payload: Mapping[str, Any]) -> Flow[Receipt]:
        """Performs an action at a node that accepts writes."""
        return (yield from self._write(lambda api: api.act(actor, action, payload)))

    def send(self, path: str, envelope: Mapping[str, Any]) -> Flow[Receipt]:
        """Sends a signed envelope to a node that accepts writes."""
        return (yield from self._write(lambda api: api.submit(path, envelope)))

    def _write(self, call: Callable[[Api], Flow[R]]) -> Flow[R]:
        """Calls a node that accepts writes: an origin, or a node that a follower names."""
        if self._chain_id is None:
            identity = (yield from self.state("chain/identity", 0, None)).value
            self._chain_id, self._genesis_hash = identity["chainId"], identity["genesisHash"]
        if not self._is_named:
            active = yield from self.state("rules/active", 0, None)
            self._is_named = rules_version_of(active) >= NAMED_GENESIS
        queue = [self._writer.url] if self._writer is not None else []
        queue += [one.url for one in self._in_order() if one.fault is None]
        asked: set[str] = set()
        refusal: NetError | None = None
        while queue:
            url = queue.pop(0)
            if url in asked:
                continue
            asked.add(url)
            api = self._writer
            try:
                if api is None or api.url != url:
                    # Probe before signing, so that an unreachable origin never gets a signed envelope.
                    api = Api(url, self._timeout, self._chain_id)
                    yield from api.network()
            except NetError as error:
                refusal = refusal or error
                continue
            if self._is_named:
                api.name_genesis(self._genesis_hash)
            try:
                result = yield from call(api)
            except NetError as error:
                if error.code != "FOLLOWER_TAKES_NO_WRITES":
                    raise
                refusal = error
                named = _address_in(str((error.problem or {}).get("detail")), url)
                if named is not None:
                    queue.insert(0, named)
                continue
            self._writer = api
            return result
        assert refusal is not None
        raise refusal

    def _ask(self, read: Callable[[Verification], Flow[R]], least: int) -> Flow[R]:
        if time.monotonic() - self._measured_at > MEASURE_EVERY:
            self._measured_at = time.monotonic()
            yield from gather([one.probe() for one in self._all if one.fault is None])
        failures: list[Exception] = []
        for origin in self._in_order():
            if origin.fault is not None:
                continue
            try:
                result = yield from read(origin.reader)
            except (NetError, VerificationError) as error:
                origin.failed(error, least)
                failures.append(error)
            else:
                origin.answered()
                return result
        # Report a refusal rather than an outage, because it is more useful.
        refused = [error for error in failures if isinstance(error, NetError) and not _is_away(error)]
        stale = [error for error in failures if isinstance(error, StaleStateError)]
        away = [error for error in failures if not isinstance(error, VerificationError)]
        for telling in (*refused, *stale, *away):
            raise telling
        reasons = "; ".join(f"{one.url}: {one.fault.reason}" for one in self._all if one.fault is not None)
        raise VerificationError(f"no origin is left to be believed: {reasons}")

    def _in_order(self) -> list[_Origin]:
        """Sorts by state (up to date, behind, backoff, banned), then by latency."""

        def rank(one: _Origin) -> tuple[int, float]:
            place = 2 if one.rest_until > time.monotonic() else int(self._is_behind(one))
            return (3 if one.fault is not None else place, math.inf if one.latency is None else one.latency)

        return sorted(self._all, key=rank)

    def _is_behind(self, one: _Origin) -> bool:
        heights = [other.claimed or 0 for other in self._all if other.fault is None]
        return one.claimed is not None and max([*heights, self.height]) - one.claimed > self._max_lag


def _is_away(error: NetError) -> bool:
    return error.status == 0 or error.status >= 500 or error.status == 429


def _address_in(sentence: str, teller: str) -> str | None:
    """Returns the URL in a follower's error. Only a loopback node may name a loopback URL."""
    found = re.search(r"https?://[^\s\"<>]+", sentence)
    try:
        address = normalize_url(found[0].rstrip(".,;)")) if found else ""
        if not urlsplit(address).hostname or (_is_local(address) and not _is_local(teller)):
            return None
    except ValueError:
        return None
    return address


def _is_local(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
