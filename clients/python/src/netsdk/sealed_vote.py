"""Votes of a verifier, which may be sealed. The salt is derived from the key, so nothing is stored."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Literal, cast

from .api import Actor
from .errors import VerificationError
from .protocol.canonical_json import canonicalize
from .protocol.hashes import hash_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ._sync.verified_reader import VerifiedReader
    from .payloads import VoteWorkPayload

Vote = Literal["ACCEPT", "REJECT", "UNJUDGEABLE"]
VOTES: tuple[Vote, ...] = ("ACCEPT", "REJECT", "UNJUDGEABLE")
#: The round of the second jury, which a contest draws. The first jury has rounds 1 and 2.
SECOND_JURY = 3


def vote_commitment(*, order_id: str, jury_round: int, verifier_id: str, vote: str, salt: str) -> str:
    """Returns the hash that a verifier commits to before it reveals its vote."""
    return hash_value(
        {
            "jury": _jury(jury_round),
            "orderId": order_id,
            "salt": salt,
            "schema": "NET-SEALED-VOTE/1",
            "verifierId": verifier_id,
            "vote": vote,
        }
    )


def awaits_vote(order: Mapping[str, Any], verifier_id: str) -> bool:
    """Returns True if the verifier must send a vote, a commitment or a reveal."""
    verification = order["verification"]
    if not verification:
        return False

    def is_in(members: Iterable[Mapping[str, Any]]) -> bool:
        return any(one["verifierId"] == verifier_id for one in members)

    commitments, votes = verification.get("commitments"), verification["votes"]
    if order["phase"] == "REVEAL":
        return is_in(commitments or []) and not is_in(votes)
    done = votes if commitments is None else commitments
    return order["phase"] == "REVIEW" and is_in(verification["committee"]) and not is_in(done)


def next_vote(
    order: Mapping[str, Any],
    actor: Actor,
    *,
    vote: Vote,
    evidence_hash: str,
    re_execution_hash: str | None = None,
    reader: VerifiedReader | None = None,
) -> VoteWorkPayload | None:
    """Returns the next payload of ``voteWork``: a vote, a commitment to a sealed vote, or the vote that opens it.

    A revealed vote is always the committed one, even if ``vote`` differs. Returns None if there is nothing to send, or
    if another key made the commitment.

    :param actor: must have the same key for both steps
    :param evidence_hash: hash of the reasons; a commitment to a sealed vote does not carry it
    :param re_execution_hash: result of your own run, if the order is sampled
    :param reader: proves the order; it needs a trust anchor. Without a reader, a lying node can say that votes are
        open, or are revealed now, and learns the vote early. With an ``AsyncVerifiedReader``, pass the value of its
        ``read_state("order/…")`` as the order.
    :raises VerificationError: from the reader, or if it has no anchor
    """
    verifier_id, order_id = actor.actor_id, order["orderId"]
    if reader is not None:
        proven = reader.read_state(f"order/{order_id}")
        if proven.verdict != "trusted":
            raise VerificationError("the reader has no anchor, so that it proves nothing: give it one")
        order = proven.value or {"verification": None}
    if not awaits_vote(order, verifier_id):
        return None
    ballot = {"orderId": order_id, "verifierId": verifier_id, "vote": vote, "evidenceHash": evidence_hash}
    if re_execution_hash is not None:
        ballot["reExecutionHash"] = re_execution_hash
    verification = order["verification"]
    commitments = verification.get("commitments")
    if commitments is None:
        return cast("VoteWorkPayload", ballot)
    jury_round = verification["round"]
    salt = _salt(order, actor, jury_round)

    def commitment_to(voted: str) -> str:
        return vote_commitment(order_id=order_id, jury_round=jury_round, verifier_id=verifier_id, vote=voted, salt=salt)

    if order["phase"] == "REVIEW":
        return {"orderId": order_id, "verifierId": verifier_id, "commitment": commitment_to(vote)}
    own = next(made["commitment"] for made in commitments if made["verifierId"] == verifier_id)
    committed = next((each for each in VOTES if commitment_to(each) == own), None)
    return None if committed is None else cast("VoteWorkPayload", ballot | {"vote": committed, "salt": salt})


def _salt(order: Mapping[str, Any], actor: Actor, jury_round: int) -> str:
    """Returns the hash of a signature about this delivery and jury, which only the holder of the key can make."""
    result = order["result"]
    about = {
        "jury": _jury(jury_round),
        "orderId": order["orderId"],
        "resultHash": result["transitionHash"] if result else None,
        "schema": "NET-VOTE-SALT/1",
        "verifierId": actor.actor_id,
    }
    return hashlib.sha256(actor.key.sign_bytes(canonicalize(about).encode())).hexdigest()


def _jury(jury_round: int) -> int:
    return 2 if jury_round == SECOND_JURY else 1
