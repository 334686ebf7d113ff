"""Finality certificates and validator sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from .canonical_json import JsonObject, canonical_bytes
from .cometbft import is_precommitted, trust_step_fault, validators_hash
from .ed25519 import canonical_base64, raw_key, validate_public_key, verify
from .hashes import hash_value, hash_without

#: ``trusted``: certified by the caller's trust anchor. ``self-consistent``: only internally valid.
Verdict = Literal["trusted", "self-consistent"]

#: Limit of the total voting power, so that every language counts exactly.
MAX_TOTAL_VOTING_POWER = 2**50

STATEMENT_SCHEME = "ed25519-statement-v1"
COMMIT_SCHEME = "cometbft-commit-v0.38"

_STATEMENT = ("chainId", "epoch", "height", "blockHash", "stateRoot", "validatorSetHash")


class CertificateError(Exception):
    """A certificate is invalid."""


def quorum_of(total_voting_power: int) -> int:
    """Returns the least voting power of a quorum: floor(2 * total / 3) + 1."""
    return 2 * total_voting_power // 3 + 1


def vote_bytes(statement: Mapping[str, Any], validator_id: str) -> bytes:
    """Returns the bytes that a validator signs."""
    members = {name: statement[name] for name in _STATEMENT}
    return canonical_bytes({"schema": "NET-FINALITY-VOTE/1", "validatorId": validator_id} | members)


def certificate_hash(statement: Mapping[str, Any], scheme: str = STATEMENT_SCHEME) -> str:
    """Returns the hash of a statement without its votes, which differ between honest nodes."""
    members = {name: statement[name] for name in _STATEMENT}
    schemas = {"schema": "NET-FINALITY-CERTIFICATE/1", "scheme": scheme}
    return hash_value(schemas | members)


def make_validator_set(chain_id: str, epoch: int, validators: Sequence[Mapping[str, Any]]) -> JsonObject:
    """Returns the NET-VALIDATOR-SET/1 of validators in any order."""
    ordered = sorted((dict(validator) for validator in validators), key=lambda each: str(each["validatorId"]))
    total = sum(validator["votingPower"] for validator in ordered)
    body = {
        "schema": "NET-VALIDATOR-SET/1",
        "chainId": chain_id,
        "epoch": epoch,
        "validators": ordered,
        "totalVotingPower": total,
        "quorum": quorum_of(total),
    }
    return body | {"validatorSetHash": hash_value(body)}


def validate_validator_set(validator_set: Mapping[str, Any]) -> str | None:
    """Returns the fault of a validator set, or None."""
    validators = validator_set["validators"]
    ids = [validator["validatorId"] for validator in validators]
    if len(set(ids)) != len(ids):
        return "a validatorId stands twice"
    if any(type(each["votingPower"]) is not int or each["votingPower"] < 1 for each in validators):
        return "a votingPower is not a positive integer"
    if any(validate_public_key(each["consensusPublicKey"]) is not None for each in validators):
        return "a consensusPublicKey is not a valid Ed25519 key"
    again = make_validator_set(validator_set["chainId"], validator_set["epoch"], validators)
    if again["totalVotingPower"] > MAX_TOTAL_VOTING_POWER:
        return "the total voting power is too large"
    if hash_value(again) != hash_value(dict(validator_set)):
        return "its sums, order or hash do not follow from its validators"
    return None


def verify_certificate(
    certificate: Mapping[str, Any], validator_set: Mapping[str, Any], trusted_set_hash: str | None = None
) -> Verdict:
    """Verifies a finality certificate of either scheme.

    :param trusted_set_hash: validatorSetHash from genesis or another trusted source
    :raises CertificateError: if the certificate is invalid or malformed
    """
    try:
        _require(certificate, validator_set, trusted_set_hash)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise CertificateError("it is not of the shape it should have") from error
    return "self-consistent" if trusted_set_hash is None else "trusted"


def _require(certificate: Mapping[str, Any], validator_set: Mapping[str, Any], trusted: str | None) -> None:
    def require(holds: bool, otherwise: str) -> None:
        if not holds:
            raise CertificateError(otherwise)

    require(certificate["schema"] == "NET-FINALITY-CERTIFICATE/1", "it is not a NET-FINALITY-CERTIFICATE/1")
    scheme = certificate["scheme"]
    require(scheme in (STATEMENT_SCHEME, COMMIT_SCHEME), f"the scheme {scheme} is not known here")
    fault = validate_validator_set(validator_set)
    require(fault is None, f"the validator set is wrong: {fault}")
    set_hash = validator_set["validatorSetHash"]
    require(certificate["validatorSetHash"] == set_hash, "it names another validator set")
    place = [certificate["chainId"], certificate["epoch"]]
    known = hash_value(place) == hash_value([validator_set["chainId"], validator_set["epoch"]])
    require(known, "its chain or epoch is not that of the validator set")
    require(certificate["certificateHash"] == certificate_hash(certificate, scheme), "certificateHash is wrong")
    total = certificate["totalVotingPower"]
    require(type(total) is int and total == validator_set["totalVotingPower"], "totalVotingPower is wrong")
    if scheme == COMMIT_SCHEME:
        header = certificate["commit"]["header"]
        require(header["chainId"] == certificate["chainId"], "the header of CometBFT is of another chain")
        states = header["appHash"] == certificate["certificateHash"]
        require(states, "the header of CometBFT states another certificateHash")
        of_set = header["validatorsHash"] == validators_hash(validator_set["validators"])
        require(of_set, "the header of CometBFT names other validators")
    power = _power_of_votes(certificate, validator_set)
    told = certificate["votingPower"]
    require(type(told) is int and power == told, "votingPower is not the sum of its votes")
    quorum = validator_set["quorum"]
    require(power >= quorum, f"its power {power} is below the quorum {quorum}")
    require(trusted is None or trusted == set_hash, "the validator set is not the trusted one")


def _power_of_votes(certificate: Mapping[str, Any], validator_set: Mapping[str, Any]) -> int:
    validators = {validator["validatorId"]: validator for validator in validator_set["validators"]}
    power, previous = 0, ""
    for vote in certificate["votes"]:
        validator_id = vote["validatorId"]
        if validator_id <= previous:
            raise CertificateError("the votes are not sorted, or one stands twice")
        previous = validator_id
        validator = validators.get(validator_id)
        if validator is None:
            raise CertificateError(f"{validator_id} is not a validator")
        if type(vote["votingPower"]) is not int or vote["votingPower"] != validator["votingPower"]:
            raise CertificateError(f"the power of {validator_id} is wrong")
        if not _is_signed(certificate, validator, vote):
            raise CertificateError(f"the signature of {validator_id} does not verify")
        power += validator["votingPower"]
    return power


def _is_signed(certificate: Mapping[str, Any], validator: Mapping[str, Any], vote: Mapping[str, Any]) -> bool:
    if certificate["scheme"] == COMMIT_SCHEME:
        return is_precommitted(certificate["commit"], validator, vote)
    key, signature = raw_key(validator["consensusPublicKey"]), canonical_base64(vote["signature"], 64)
    message = vote_bytes(certificate, validator["validatorId"])
    return key is not None and signature is not None and verify(key, message, signature)


def verify_trust_step(
    trusted: tuple[Mapping[str, Any], Mapping[str, Any]], later: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> None:
    """Verifies a later CometBFT certificate, and that its validators follow from trusted ones.

    :param trusted: a verified certificate, and its validator set
    :param later: an unverified certificate, and its validator set
    :raises CertificateError: if either check fails
    """
    (certificate, validator_set), (known, known_set) = later, trusted
    verify_certificate(certificate, validator_set)
    if certificate["scheme"] != COMMIT_SCHEME:
        raise CertificateError("it is no certificate of CometBFT")
    voters = {vote["validatorId"] for vote in certificate["votes"]}
    signers = [each for each in validator_set["validators"] if each["validatorId"] in voters]
    fault = trust_step_fault((known["commit"]["header"], known_set), (certificate["commit"]["header"], signers))
    if fault is not None:
        raise CertificateError(fault)


def fingerprint_holds(document: Mapping[str, Any], member: str) -> bool:
    """Returns True if this member is the hash of the rest of the document."""
    return hash_without(document, member) == document.get(member)
