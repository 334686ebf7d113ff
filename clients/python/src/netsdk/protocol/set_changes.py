"""Changes of the validator set. The previous set certifies the event that names the new set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .certificates import CertificateError, Verdict, validate_validator_set, verify_certificate
from .hashes import block_hash, hash_value
from .merkle import verify_merkle_proof


def set_change_fault(known: Mapping[str, Any], from_height: int, change: Mapping[str, Any]) -> str | None:
    """Returns why a change does not follow from a trusted set, or None if it does.

    :param known: the trusted set
    :param from_height: first height that the trusted set certifies
    """
    try:
        return _fault(known, from_height, change)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError, RecursionError):
        return "it is not of the shape it should have"


def _fault(known: Mapping[str, Any], from_height: int, change: Mapping[str, Any]) -> str | None:
    header, certificate, event = change["header"], change["certificate"], change["event"]
    height, validator_set = header["height"], change["validatorSet"]
    if type(height) is not int or change["fromHeight"] != height + 1:
        return "the set begins at another height than after its block"
    if height < from_height:
        return "its block is older than the set that is known"
    place = [header["chainId"], header["epoch"]]
    if hash_value(place) != hash_value([known["chainId"], known["epoch"]]):
        return "it is of another chain"
    if header["validatorSetHash"] != known["validatorSetHash"]:
        return "its block is of another set than the one that is known"
    told = [certificate["blockHash"], certificate["height"], certificate["stateRoot"]]
    if hash_value(told) != hash_value([block_hash(header), height, header["stateRoot"]]):
        return "the certificate is about another block"
    try:
        verify_certificate(certificate, known, known["validatorSetHash"])
    except CertificateError as error:
        return f"its block is not certified by the set that is known: {error}"
    if event["type"] != "ValidatorSetChanged" or event["data"]["height"] != height + 1:
        return "its event is another one"
    hashed = {name: event[name] for name in ("type", "transitionIndex", "data")}
    if not verify_merkle_proof(hash_value(hashed), change["proof"], header["eventsRoot"]):
        return "its event is not under the eventsRoot of the block"
    if event["data"]["validatorSetHash"] != validator_set["validatorSetHash"]:
        return "its event names another set"
    invalid = validate_validator_set(validator_set)
    if invalid is not None:
        return f"the validator set is wrong: {invalid}"
    of_chain = hash_value(place) == hash_value([validator_set["chainId"], validator_set["epoch"]])
    return None if of_chain else "the validator set is of another chain"


class ValidatorSets:
    """The validator sets that follow from a trusted one, by height."""

    def __init__(self, validator_set: Mapping[str, Any], from_height: int = 0) -> None:
        self._known: list[tuple[int, Mapping[str, Any]]] = [(from_height, validator_set)]

    @property
    def from_height(self) -> int:
        """First height of the newest set."""
        return self._known[-1][0]

    def follow(self, change: Mapping[str, Any]) -> None:
        """Adds the next change. Ignores a known one.

        :raises CertificateError: if it does not follow from the newest set
        """
        at = change["fromHeight"]
        if at <= self.from_height:
            return
        fault = set_change_fault(self._known[-1][1], self.from_height, change)
        if fault is not None:
            raise CertificateError(f"the change of validators at height {at}: {fault}")
        self._known.append((at, change["validatorSet"]))

    def at(self, height: int) -> Mapping[str, Any]:
        """Returns the known set for a height."""
        found = [known for at, known in self._known if at <= height]
        return found[-1] if found else self._known[0][1]

    def is_of_unknown_set(self, certificate: Mapping[str, Any]) -> bool:
        """Returns True if the certificate names a newer set, which is not known yet."""
        newest = self._known[-1][1]["validatorSetHash"]
        return bool(certificate["height"] >= self.from_height and certificate["validatorSetHash"] != newest)

    def verify(self, certificate: Mapping[str, Any], trusted: bool) -> Verdict:
        """Verifies a certificate against the set of its height.

        :param trusted: False if the first set came from the node itself
        :raises CertificateError: if the certificate is invalid
        """
        height = certificate["height"]
        if type(height) is not int:
            raise CertificateError("it is not of the shape it should have")
        known = self.at(height)
        return verify_certificate(certificate, known, known["validatorSetHash"] if trusted else None)
