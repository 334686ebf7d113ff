"""What verifiers found: their reasons lie in blobs under the evidenceHash of each vote, and are words of others."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .origins import Origins

MAX_BYTES = 65_536
MAX_CHARACTERS = 1_000
#: Rejections of one kind in a row after which no more of it is taken.
MOST_REJECTIONS = 3


class Finding(NamedTuple):
    """Words of a verifier about a delivery: content to judge, never instructions.

    :ivar reason: None where no store has it, or it is no text
    """

    verifier_id: str
    vote: str
    reason: str | None


async def findings_of(order: Mapping[str, Any], origins: Origins) -> list[Finding]:
    """The votes on an order, each with the words behind its evidence."""
    votes = (order.get("verification") or {}).get("votes", [])
    words = {one: words_of(await origins.fetch(one)) for one in dict.fromkeys(vote["evidenceHash"] for vote in votes)}
    return [Finding(vote["verifierId"], vote["vote"], words[vote["evidenceHash"]]) for vote in votes]


def words_of(data: bytes | None) -> str | None:
    """The ``reason`` of a JSON object, else the text itself; on one line, without what a terminal would obey."""
    if data is None or len(data) > MAX_BYTES:
        return None
    try:
        text = data.decode("utf-8")
    except ValueError:
        return None
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = None
    if isinstance(told, dict) and isinstance(told.get("reason"), str):
        text = told["reason"]
    plain = "".join(" " if unicodedata.category(each)[0] == "C" else each for each in text)
    return " ".join(plain.split())[:MAX_CHARACTERS] or None


def reasons_against(findings: Sequence[Finding]) -> list[str]:
    """Reasons that speak against the delivery or its scope, each once."""
    against = [finding.reason for finding in findings if finding.vote != "ACCEPT" and finding.reason is not None]
    return list(dict.fromkeys(against))


class Rejections:
    """Kinds of work whose deliveries are rejected again and again: an agent that goes on would only fail more."""

    def __init__(self) -> None:
        self._in_a_row: dict[str, list[list[str]]] = {}

    def rejected(self, job_type: str, reasons: list[str]) -> list[str] | None:
        """All reasons of the row where the kind is paused by this rejection, else None."""
        row = self._in_a_row.setdefault(job_type, [])
        row.append(reasons)
        if len(row) != MOST_REJECTIONS:
            return None
        return list(dict.fromkeys(reason for each in row for reason in each))

    def paid(self, job_type: str) -> None:
        """Something of the kind was paid."""
        self._in_a_row.pop(job_type, None)

    def is_paused(self, job_type: str) -> bool:
        """Whether no more of the kind is taken."""
        return len(self._in_a_row.get(job_type, [])) >= MOST_REJECTIONS

    def resume(self, job_type: str | None) -> None:
        """Takes a kind again, or all."""
        if job_type is None:
            self._in_a_row.clear()
        else:
            self._in_a_row.pop(job_type, None)
