"""A verifier's part in a jury whose votes may be sealed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from netsdk import Actor, VerificationError, awaits_vote, next_vote
from netsdk.lab_seed import lab_key
from netsdk.sealed_vote import vote_commitment

EVIDENCE = "e" * 64
#: The JavaScript tests have it too.
COMMITMENT = "2e77c9a489be64aab6bf8e2b0111560bd7a6aebbfde3ece175d6c3bc085b3121"
VERA = Actor("vera", lab_key("vera"))


def _jury(phase: str, **verification: Any) -> dict[str, Any]:
    return {
        "orderId": "o-1",
        "phase": phase,
        "result": {"transitionHash": "a" * 64},
        "verification": {"round": 1, "committee": [{"verifierId": "vera"}], "votes": [], **verification},
    }


def _by(commitment: str) -> list[dict[str, str]]:
    return [{"verifierId": "vera", "commitment": commitment}]


def test_a_verifier_sends_an_open_vote_once() -> None:
    assert next_vote(_jury("REVIEW"), VERA, vote="REJECT", evidence_hash=EVIDENCE) == {
        "orderId": "o-1",
        "verifierId": "vera",
        "vote": "REJECT",
        "evidenceHash": EVIDENCE,
    }
    assert not awaits_vote(_jury("REVIEW", votes=[{"verifierId": "vera"}]), "vera")
    assert not awaits_vote(_jury("REVIEW"), "viki")


def test_a_verifier_commits_and_reveals_the_committed_vote() -> None:
    committed = next_vote(_jury("REVIEW", commitments=[]), VERA, vote="ACCEPT", evidence_hash=EVIDENCE)
    assert committed == {"orderId": "o-1", "verifierId": "vera", "commitment": COMMITMENT}
    again = next_vote(_jury("REVIEW", commitments=_by(COMMITMENT)), VERA, vote="ACCEPT", evidence_hash=EVIDENCE)
    assert again is None
    revealing = _jury("REVEAL", commitments=_by(COMMITMENT))
    revealed = next_vote(revealing, VERA, vote="REJECT", evidence_hash=EVIDENCE)
    assert revealed is not None
    assert revealed["vote"] == "ACCEPT"
    opened = vote_commitment(order_id="o-1", jury_round=1, verifier_id="vera", vote="ACCEPT", salt=revealed["salt"])
    assert opened == COMMITMENT


def test_a_verifier_reveals_nothing_twice_or_for_another_key() -> None:
    cases: list[dict[str, Any]] = [
        {"commitments": _by("c" * 64)},
        {"commitments": _by(COMMITMENT), "votes": [{"verifierId": "vera"}]},
        {"commitments": []},
    ]
    for verification in cases:
        order = _jury("REVEAL", **verification)
        assert next_vote(order, VERA, vote="ACCEPT", evidence_hash=EVIDENCE) is None


def test_a_verifier_tells_a_lying_node_no_vote_early() -> None:
    sealed, revealing = (_jury(phase, commitments=_by(COMMITMENT)) for phase in ("REVIEW", "REVEAL"))

    def reader(record: dict[str, Any] | None, verdict: str = "trusted") -> Any:
        def read_state(key: str) -> Any:
            return SimpleNamespace(value={"order/o-1": record}[key], verdict=verdict)

        return SimpleNamespace(read_state=read_state)

    for told in (revealing, _jury("REVIEW")):
        believed = next_vote(told, VERA, vote="ACCEPT", evidence_hash=EVIDENCE)
        assert believed is not None
        assert "vote" in believed
        for record in (sealed, None):
            assert next_vote(told, VERA, vote="ACCEPT", evidence_hash=EVIDENCE, reader=reader(record)) is None
    with pytest.raises(VerificationError, match="no anchor"):
        next_vote(sealed, VERA, vote="ACCEPT", evidence_hash=EVIDENCE, reader=reader(sealed, "self-consistent"))
    sent = next_vote(sealed, VERA, vote="ACCEPT", evidence_hash=EVIDENCE, reader=reader(revealing))
    assert sent is not None
    assert sent["vote"] == "ACCEPT"
