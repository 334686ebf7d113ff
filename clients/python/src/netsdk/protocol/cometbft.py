"""CometBFT 0.38: header hash, validator set hash, precommit votes, light client rule."""

from __future__ import annotations

import calendar
import hashlib
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .ed25519 import canonical_base64, raw_key, verify_zip215
from .hashes import sha256
from .merkle import inner_hash, leaf_hash

_TIME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{0,8}[1-9]))?Z")
_HEX = re.compile(r"([0-9a-f]{2})*")
_PRECOMMIT = 2
_HASHES = (
    "lastCommitHash",
    "dataHash",
    "validatorsHash",
    "nextValidatorsHash",
    "consensusHash",
    "appHash",
    "lastResultsHash",
    "evidenceHash",
    "proposerAddress",
)


def header_hash(header: Mapping[str, Any]) -> str:
    """Returns the RFC 6962 root over the 14 encoded fields, in hex.

    :raises ValueError: if a field is malformed
    """
    version, last = header["version"], header["lastBlockId"]
    fields = [
        _number(1, version["block"]) + _number(2, version["app"]),
        _bytes(1, header["chainId"].encode()),
        _number(1, header["height"]),
        _timestamp(header["time"]),
        _block_id(last["hash"], last["parts"]),
        *(_bytes(1, _unhex(header[name])) for name in _HASHES),
    ]
    return _root(fields).hex()


def address_of(raw: bytes) -> str:
    """Returns the first 20 bytes of the SHA-256 of a key, in hex."""
    return hashlib.sha256(raw).digest()[:20].hex()


def validators_hash(validators: Iterable[Mapping[str, Any]]) -> str:
    """Returns the hash of a validator set as headers name it. Its order is descending power, then address.

    :raises ValueError: if a key is not Ed25519 in SPKI PEM
    """
    leaves = []
    for validator in validators:
        key, power = raw_key(validator["consensusPublicKey"]), validator["votingPower"]
        if key is None:
            raise ValueError("a consensusPublicKey is not an Ed25519 key")
        leaves.append((-power, address_of(key), _nested(1, _bytes(1, key)) + _number(2, power)))
    return _root([leaf for _, _, leaf in sorted(leaves)]).hex()


def precommit_bytes(commit: Mapping[str, Any], timestamp: str) -> bytes:
    """Returns the bytes of a precommit vote for the header of a commit."""
    header = commit["header"]
    vote = (
        _number(1, _PRECOMMIT)
        + _fixed(2, header["height"])
        + _fixed(3, commit["round"])
        + _nested(4, _block_id(header_hash(header), commit["parts"]))
        + _nested(5, _timestamp(timestamp))
        + _bytes(6, header["chainId"].encode())
    )
    return _varint(len(vote)) + vote


def is_precommitted(commit: Mapping[str, Any], validator: Mapping[str, Any], vote: Mapping[str, Any]) -> bool:
    """Returns True if the vote is the validator's precommit of the commit's header."""
    key, signature = raw_key(validator["consensusPublicKey"]), canonical_base64(vote["signature"], 64)
    if key is None or signature is None:
        return False
    try:
        return verify_zip215(key, precommit_bytes(commit, vote["timestamp"]), signature)
    except ValueError:
        return False


def trust_step_fault(
    trusted: tuple[Mapping[str, Any], Mapping[str, Any]], later: tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]
) -> str | None:
    """Returns why a header does not follow from a trusted one, or None if it does.

    Applies the rule of CometBFT's light client. The caller must reject trusted headers older than the time for which
    stake stays bonded.

    :param trusted: a header and its validator set
    :param later: a header, verified against its own set, and its signers
    """
    (known, validator_set), (header, signers) = trusted, later
    if known["chainId"] != header["chainId"]:
        return "it is of another chain"
    if header["height"] <= known["height"]:
        return "it is not later than the trusted one"
    if _instant(header["time"]) <= _instant(known["time"]):
        return "its time is not after that of the trusted one"
    if header["height"] == known["height"] + 1:
        follows = header["validatorsHash"] == known["nextValidatorsHash"]
        return None if follows else "its validators are not those that the trusted one announces"
    powers = {each["consensusPublicKey"]: each["votingPower"] for each in validator_set["validators"]}
    power = sum(powers.get(key, 0) for key in {each["consensusPublicKey"] for each in signers})
    if power * 3 > validator_set["totalVotingPower"]:
        return None
    return f"only {power} of the trusted power {validator_set['totalVotingPower']} has signed it"


def _instant(text: str) -> tuple[int, int]:
    match = _TIME.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} is not a time with nanoseconds")
    parts = time.strptime(match[1], "%Y-%m-%dT%H:%M:%S")
    if time.strftime("%Y-%m-%dT%H:%M:%S", parts) != match[1]:
        raise ValueError(f"{text} names no real instant")
    return calendar.timegm(parts), int((match[2] or "").ljust(9, "0"))


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def _number(field: int, value: int) -> bytes:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is not a count")
    return _varint(field << 3) + _varint(value) if value else b""


def _fixed(field: int, value: int) -> bytes:
    return bytes([field << 3 | 1]) + value.to_bytes(8, "little", signed=True) if value else b""


def _nested(field: int, inner: bytes) -> bytes:
    return bytes([field << 3 | 2]) + _varint(len(inner)) + inner


def _bytes(field: int, value: bytes) -> bytes:
    return _nested(field, value) if value else b""


def _unhex(text: str) -> bytes:
    if _HEX.fullmatch(text) is None:
        raise ValueError(f"{text} is not hex")
    return bytes.fromhex(text)


def _timestamp(text: str) -> bytes:
    seconds, nanos = _instant(text)
    return _number(1, seconds) + _number(2, nanos)


def _block_id(block_hash: str, parts: Mapping[str, Any]) -> bytes:
    inner = _number(1, parts["total"]) + _bytes(2, _unhex(parts["hash"]))
    return _bytes(1, _unhex(block_hash)) + _nested(2, inner)


def _root(leaves: Sequence[bytes]) -> bytes:
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return inner_hash(_root(leaves[:split]), _root(leaves[split:]))
