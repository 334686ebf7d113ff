"""Errors and limits of the schema judge."""

from __future__ import annotations

from typing import Literal

JudgeErrorCode = Literal["schema", "pattern", "number", "cost"]


class JudgeError(Exception):
    """A schema or value cannot be judged. ``path`` is a JSON Pointer."""

    def __init__(self, code: JudgeErrorCode, path: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.path = path


class Meter:
    """A counter of judging steps. Every language must count the same steps."""

    def __init__(self, most: float = float("inf")) -> None:
        self.steps = 0
        self._most = most

    def check(self) -> None:
        """Raises JudgeError ``cost`` if there were too many steps."""
        if self.steps > self._most:
            raise JudgeError("cost", "", f"judging takes more than {self._most} steps")
