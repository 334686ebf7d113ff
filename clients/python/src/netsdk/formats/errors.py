"""The error for refused documents."""

from __future__ import annotations

from ..contracts import contract
from ..errors import NetsdkError


class FormatError(NetsdkError, ValueError):
    """A document breaks a rule of its format.

    :ivar code: stable, one of the codes in ``contract/formats.json``
    :ivar path: JSON Pointer of the invalid member, ``""`` for the whole
    :ivar detail: what is wrong there, for people
    """

    def __init__(self, code: str, path: str = "", detail: str = "") -> None:
        entry = contract("formats")["errors"][code]
        where = " ".join(part for part in (path, detail) if part)
        super().__init__(f"{entry['title']}{f' ({where})' if where else ''}. {entry['advice']}")
        self.code = code
        self.path = path
        self.detail = detail
