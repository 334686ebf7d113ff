"""Verifiers' findings: untrusted text in the blobs that the votes' evidenceHash names."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .origins import Origins

MAX_BYTES = 65_536
MAX_CHARACTERS = 1_000
#: Rejections in a row that pause a kind of work.
MOST_REJECTIONS = 3


class Finding(NamedTuple):
    """A verifier's vote and reason: untrusted content, never instructions.

    :ivar reason: None if no store has it, or it is not text
    """

    verifier_id: str
    vote: str
    reason: str | None


async def findings_of(order: Mapping[str, Any], origins: Origins) -> list[Finding]:
    """Returns the votes on an order with their reasons."""
    votes = (order.get("verification") or {}).get("votes", [])
    words = {one: words_of(await origins.fetch(one)) for one in dict.fromkeys(vote["evidenceHash"] for vote in votes)}
    return [Finding(vote["verifierId"], vote["vote"], words[vote["evidenceHash"]]) for vote in votes]


def words_of(data: bytes | None) -> str | None:
    """Returns the ``reason`` of a JSON object, or else the whole text, on one line without control characters."""
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
    """Returns the distinct reasons of all votes other than ACCEPT."""
    against = [finding.reason for finding in findings if finding.vote != "ACCEPT" and finding.reason is not None]
    return list(dict.fromkeys(against))


class Rejections:
    """Counts rejections in a row by kind of work, and pauses a kind after ``MOST_REJECTIONS``."""

    def __init__(self) -> None:
        self._in_a_row: dict[str, list[list[str]]] = {}

    def rejected(self, job_type: str, reasons: list[str]) -> list[str] | None:
        """Counts a rejection. If this pauses the kind, returns all reasons of the rejections in a row, else None."""
        row = self._in_a_row.setdefault(job_type, [])
        row.append(reasons)
        if len(row) != MOST_REJECTIONS:
            return None
        return list(dict.fromkeys(reason for each in row for reason in each))

    def paid(self, job_type: str) -> None:
        """Resets the count of a kind after a payment."""
        self._in_a_row.pop(job_type, None)

    def is_paused(self, job_type: str) -> bool:
        """Returns True if a kind is paused."""
        return len(self._in_a_row.get(job_type, [])) >= MOST_REJECTIONS

    def resume(self, job_type: str | None) -> None:
        """Resumes a kind; None resumes all kinds."""
        if job_type is None:
            self._in_a_row.clear()
        else:
            self._in_a_row.pop(job_type, None)
