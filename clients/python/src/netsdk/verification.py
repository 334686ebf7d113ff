"""Verified reads: requests of proofs from a node, and their checks."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import Any, NamedTuple, cast

from .api import Api
from .arguments import require_genesis_hash
from .errors import NetError, StaleStateError, VerificationError
from .flow import Flow
from .protocol.canonical_json import JsonObject, canonicalize
from .protocol.certificates import (
    CertificateError,
    Verdict,
    fingerprint_holds,
    make_validator_set,
)
from .protocol.hashes import block_hash, event_hash, genesis_hash, hash_value
from .protocol.merkle import merkle_root, verify_merkle_proof
from .protocol.set_changes import ValidatorSets
from .protocol.state_tree import ProofError, verify_state_proof

#: Most heights that a node takes in one request.
BLOCKS_AT_ONCE = 100


class VerifiedState(NamedTuple):
    """The JSON value of a state key at ``height``; None if absent."""

    value: Any
    present: bool
    height: int
    verdict: Verdict


def rules_version_of(state: VerifiedState) -> int:
    """Returns the version of the rules for the block after this state.

    :param state: state of the key ``rules/active``
    """
    active = state.value
    if active is None:
        return 1
    return int(active["version" if state.height + 1 >= active["fromHeight"] else "previousVersion"])


class VerifiedHeader(NamedTuple):
    """The header of a block, with its certificate checked."""

    header: JsonObject
    verdict: Verdict


class VerifiedTransition(NamedTuple):
    """A committed envelope, and its receipt with all its events."""

    envelope: JsonObject
    receipt: JsonObject
    verdict: Verdict


class VerifiedBlock(NamedTuple):
    """A block with all transition hashes and events, in order."""

    header: JsonObject
    certificate: JsonObject
    transitions: list[str]
    events: list[JsonObject]
    verdict: Verdict


class VerifiedAudit(NamedTuple):
    """An order at ``height``, and its events, oldest first."""

    order: Any
    height: int
    events: list[JsonObject]
    verdict: Verdict


class _Trust(NamedTuple):
    """Known validator sets. They are anchored if the caller gave a genesis hash or set hash."""

    sets: ValidatorSets
    is_anchored: bool


class Verification:
    """Verified reads from one node, as flows."""

    def __init__(self, api: Api, known_genesis: str | None, known_set: str | None) -> None:
        if known_genesis is not None and known_set is not None:
            raise TypeError("one anchor is enough: the genesis hash or the validator set hash")
        require_genesis_hash(known_genesis)
        self._api = api
        self._known_genesis = known_genesis
        self._known_set = known_set
        self._trust: _Trust | None = None
        #: False once the node has shown that it is too old to answer several blocks at once.
        self._has_whole_blocks = True
        #: Highest proven height. Lower answers are stale.
        self.highest = 0

    def state(self, key: str, min_height: int, max_age: float | None) -> Flow[VerifiedState]:
        """Reads the value of a key, or proves its absence."""
        return (yield from self._proven_state(key, min_height, max_age))[0]

    def head(self) -> Flow[VerifiedHeader]:
        """Reads the header of the newest block that the node proves."""
        state, certificate = yield from self._proven_state("chain/identity", 0, None)
        return VerifiedHeader((yield from self._header_of(certificate)), state.verdict)

    def _proven_state(self, key: str, min_height: int, max_age: float | None) -> Flow[tuple[VerifiedState, JsonObject]]:
        # Fix the bound before the request, because a concurrent read may raise ``highest`` meanwhile.
        least = max(self.highest, min_height)
        yield from self._trusted()
        proof = yield from self._api.read("/v1/state/proof", {"key": key})
        trust = yield from self._knowing(proof)
        with _checked():
            certificate, height, leaf = proof["certificate"], proof["height"], proof["leaf"]
            _require(proof["key"] == key, "the proof is for another key")
            _require(_same(height, certificate["height"]), "the certificate is for another height")
            verdict = _certified(certificate, trust)
            present = leaf["kind"] == "present"
            value = proof["value"] if present else None
            try:
                verify_state_proof(key, canonicalize(value) if present else None, proof, certificate["stateRoot"])
            except ProofError as error:
                raise VerificationError(f"the state proof fails: {error}") from error
        if height < least:
            told = f"the state is of height {height}, there has been one of {least} already"
            raise StaleStateError(told, height)
        if max_age is not None:
            yield from self._require_age(certificate, max_age)
        self.highest = max(self.highest, height)
        return VerifiedState(value, present, height, verdict), certificate

    def _header_of(self, certificate: JsonObject) -> Flow[JsonObject]:
        """Reads the header of a certified block. The whole block would be as large as its transitions."""
        listed = yield from self._api.read("/v1/blocks", {"heights": str(certificate["height"])})
        with _checked():
            _require(listed["blocks"] != [], "the node says that it lacks a certified block")
            header = dict(listed["blocks"][0])
            for name in ("blockHash", "certificateHash"):
                del header[name]
            _require_header(header, certificate)
        return header

    def transition(self, transition_hash: str) -> Flow[VerifiedTransition]:
        """Reads an envelope with its receipt."""
        yield from self._trusted()
        path = "/v1/transitions/{transitionHash}"
        document = yield from self._api.read(path, {"transitionHash": transition_hash})
        trust = yield from self._knowing(document)
        with _checked():
            certificate, receipt = document["certificate"], document["receipt"]
            height = certificate["height"]
            _require(_same(receipt["height"], height), "the receipt is of another height")
        block = yield from self._api.read("/v1/blocks/{height}", {"height": height})
        with _checked():
            envelope, proof, header = document["envelope"], document["proof"], block["header"]
            _require(hash_value(envelope) == transition_hash, "the envelope has another hash")
            _require_header(header, certificate)
            verdict = _certified(certificate, trust)
            leads = verify_merkle_proof(transition_hash, proof, header["transitionsRoot"])
            _require(
                leads and proof["treeSize"] == header["transitionCount"],
                "the inclusion proof does not lead to the transitionsRoot of the block",
            )
            proven = {
                "height": height,
                "blockHash": certificate["blockHash"],
                "stateRoot": certificate["stateRoot"],
                "transitionHash": transition_hash,
                "index": proof["index"],
                "certificateHash": certificate["certificateHash"],
                "events": [
                    {name: event[name] for name in ("id", "type", "data")}
                    for event in _events_of(block)
                    if _same(event["transitionIndex"], proof["index"])
                ],
            }
            _require(_same(receipt, proven), "the receipt says something else")
        self.highest = max(self.highest, height)
        return VerifiedTransition(envelope, proven, verdict)

    def block(self, height: int) -> Flow[VerifiedBlock]:
        """Reads a block with exactly its transitions and events."""
        yield from self._trusted()
        block = yield from self._api.read("/v1/blocks/{height}", {"height": height})
        return (yield from self._proven_block(height, block))

    def blocks(self, heights: Iterable[int]) -> Flow[list[VerifiedBlock]]:
        """Reads the blocks of several heights, each once, with as few requests as the node allows."""
        yield from self._trusted()
        proven: list[VerifiedBlock] = []
        left = list(dict.fromkeys(heights))
        while left:
            for block in (yield from self._first_blocks(left)):
                proven.append((yield from self._proven_block(left.pop(0), block)))
        return proven

    def _proven_block(self, height: int, block: JsonObject) -> Flow[VerifiedBlock]:
        trust = yield from self._knowing(block)
        with _checked():
            verdict = _require_block(block, height, trust)
            header, certificate = block["header"], block["certificate"]
            proven = VerifiedBlock(header, certificate, _transitions_of(block), _events_of(block), verdict)
        self.highest = max(self.highest, height)
        return proven

    def _first_blocks(self, heights: list[int]) -> Flow[list[JsonObject]]:
        """Reads the first of these blocks, unverified. An older node answers one block at a time."""
        asked = heights[:BLOCKS_AT_ONCE]
        if len(asked) > 1 and self._has_whole_blocks:
            try:
                document = yield from self._api.read("/v1/blocks/whole", {"heights": ",".join(map(str, asked))})
            except NetError as error:
                if error.status not in (400, 404) or error.code == "BLOCK_NOT_FOUND":
                    raise
                self._has_whole_blocks = False
            else:
                blocks = document.get("blocks")
                _require(
                    isinstance(blocks, list)
                    and 0 < len(blocks) <= len(asked)
                    and all(isinstance(block, dict) for block in blocks),
                    "the answer has no blocks, or more than asked for",
                )
                return cast("list[JsonObject]", blocks)
        return [(yield from self._api.read("/v1/blocks/{height}", {"height": asked[0]}))]

    def work_audit(self, order_id: str, min_height: int, max_age: float | None) -> Flow[VerifiedAudit]:
        """Reads an order with every event of its audit."""
        yield from self._trusted()
        audit = yield from self._api.read("/v1/work-orders/{orderId}/audit", {"orderId": order_id})
        with _checked():
            _require(fingerprint_holds(audit, "reportHash"), "reportHash is not the hash of the audit")
            events, truncated = audit["timeline"]["events"], audit["timeline"]["truncated"]
            heights = [event["block"]["height"] for event in events]
            _require(len(events) > 0, "the audit has no event, not even the first")
            _require(all(type(height) is int for height in heights), "a height is no integer")
            _require(heights == sorted(heights), "the events are not in order")
        left = list(dict.fromkeys(heights))
        last_height = left[-1]
        while left:
            for block in (yield from self._first_blocks(left)):
                trust = yield from self._knowing(block)
                height = left.pop(0)
                with _checked():
                    _require_block(block, height, trust)
                    told = [event for event, at in zip(events, heights, strict=True) if at == height]
                    held = [event for event in _events_of(block) if event["data"].get("orderId") == order_id]
                    for place, event in enumerate(told):
                        _require(event["data"].get("orderId") == order_id, "an event is of another order")
                        expected = held[place]["id"] if place < len(held) else None
                        _require(event["id"] == expected, "an event stands twice, is left out or misplaced")
                        _require_event(event, block)
                    is_cut = truncated is True and height == last_height
                    _require(is_cut or len(told) == len(held), "an event of the order is left out")
        order, height, verdict = yield from self._order(order_id, max(last_height, min_height), max_age)
        return VerifiedAudit(order, height, events, verdict)

    def _order(self, order_id: str, min_height: int, max_age: float | None) -> Flow[tuple[Any, int, Verdict]]:
        state = yield from self.state(f"order/{order_id}", min_height, max_age)
        _require(state.value is not None, "the state holds no such order")
        return state.value, state.height, state.verdict

    def _require_age(self, certificate: JsonObject, max_age: float) -> Flow[None]:
        header = yield from self._header_of(certificate)
        with _checked():
            made = datetime.strptime(header["timestamp"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
            age = (datetime.now(timezone.utc) - made).total_seconds()
        if age > max_age:
            told = f"the state is {age:.3f} s old, {max_age} s are asked for at most"
            raise StaleStateError(told, certificate["height"])

    def _trusted(self) -> Flow[_Trust]:
        if self._trust is None:
            self._trust = yield from self._establish()
        return self._trust

    def _knowing(self, document: JsonObject) -> Flow[_Trust]:
        trust = yield from self._trusted()
        try:
            is_known = not trust.sets.is_of_unknown_set(document["certificate"])
        except (KeyError, TypeError):
            is_known = True
        after: int | None = None if is_known else trust.sets.from_height
        while after is not None:
            known = trust.sets.from_height
            page = yield from self._api.read("/v1/consensus/validator-set/changes", {"after": after})
            with _checked():
                for change in page["changes"]:
                    try:
                        trust.sets.follow(change)
                    except CertificateError as error:
                        raise VerificationError(str(error)) from error
                after = page["next"] if trust.sets.from_height > known else None
        return trust

    def _establish(self) -> Flow[_Trust]:
        if self._known_genesis is not None:
            genesis = yield from self._api.read("/v1/genesis", {})
            with _checked():
                known = genesis_hash(genesis) == self._known_genesis
                _require(known, "the genesis of the node is not the trusted one")
                made = make_validator_set(genesis["chainId"], genesis["epoch"], genesis["validators"])
                return _Trust(ValidatorSets(made), True)
        told = yield from self._api.read("/v1/consensus/validator-set", {})
        with _checked():
            is_it = self._known_set in (None, told["validatorSetHash"])
            _require(is_it, "the certificate fails: the validator set is not the trusted one")
            return _Trust(ValidatorSets(told), self._known_set is not None)


def _same(one: Any, other: Any) -> bool:
    """Compares as JSON, because True == 1 in Python."""
    return canonicalize(one) == canonicalize(other)


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise VerificationError(otherwise)


@contextmanager
def _checked() -> Generator[None, None, None]:
    """Turns errors from malformed answers into VerificationError."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise VerificationError("the answer is not of the shape it should have") from error


def _certified(certificate: JsonObject, trust: _Trust) -> Verdict:
    try:
        return trust.sets.verify(certificate, trust.is_anchored)
    except CertificateError as error:
        raise VerificationError(f"the certificate fails: {error}") from error


def _require_header(header: JsonObject, certificate: JsonObject) -> None:
    holds = (
        block_hash(header) == certificate["blockHash"]
        and _same(header["height"], certificate["height"])
        and header["stateRoot"] == certificate["stateRoot"]
    )
    _require(holds, "the header is not that of the certified block")


def _require_block(block: JsonObject, height: int, trust: _Trust) -> Verdict:
    _require(_same(block["header"]["height"], height), "the block is of another height")
    _require_header(block["header"], block["certificate"])
    return _certified(block["certificate"], trust)


def _require_event(event: JsonObject, block: JsonObject) -> None:
    header, certificate, proof = block["header"], block["certificate"], event["proof"]
    shown = {
        "height": header["height"],
        "timestamp": header["timestamp"],
        "blockHash": certificate["blockHash"],
        "certificateHash": certificate["certificateHash"],
        "eventsRoot": header["eventsRoot"],
    }
    _require(
        _same(event["block"], shown) and event["id"] == f"{header['height']}.{proof['index']}",
        "an event names a block or an index that is not its own",
    )
    leaf = event_hash(event)
    _require(
        event["eventHash"] == leaf
        and proof["treeSize"] == len(block["events"])
        and verify_merkle_proof(leaf, proof, header["eventsRoot"]),
        "the proof of an event does not lead to the eventsRoot of its block",
    )
    hashes = [transition["transitionHash"] for transition in block["transitions"]]
    index = event["transitionIndex"]
    _require(
        merkle_root(hashes) == header["transitionsRoot"]
        and len(hashes) == header["transitionCount"]
        and type(index) is int
        and 0 <= index < len(hashes)
        and hashes[index] == event["transitionHash"],
        "an event names a transition that did not cause it",
    )


def _transitions_of(block: JsonObject) -> list[str]:
    header, transitions = block["header"], block["transitions"]
    hashes: list[str] = [transition["transitionHash"] for transition in transitions]
    _require(
        merkle_root(hashes) == header["transitionsRoot"]
        and len(hashes) == header["transitionCount"]
        and all(hash_value(transition["envelope"]) == transition["transitionHash"] for transition in transitions),
        "the transitions are not those of the block",
    )
    return hashes


def _events_of(block: JsonObject) -> list[JsonObject]:
    header, events = block["header"], block["events"]
    committed = merkle_root([event_hash(event) for event in events]) == header["eventsRoot"]
    placed = all(event["id"] == f"{header['height']}.{index}" for index, event in enumerate(events))
    _require(committed and placed, "the events are not those of the block")
    found: list[JsonObject] = events
    return found
