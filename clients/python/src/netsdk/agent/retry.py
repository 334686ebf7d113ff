"""How often a handler or a step that fails is called again."""

from __future__ import annotations

from dataclasses import dataclass

from ..arguments import require_count, require_seconds

LONGEST_PAUSE = 30.0


@dataclass(frozen=True)
class RetryPolicy:
    """Calls of a handler or a step that fails. An ``AgentError("NOT_RETRYABLE")`` ends them.

    :ivar attempts: calls in all; default 3 for a handler, and 1 for a step
    :ivar backoff: seconds before the second call. Each further pause is twice as long, up to 30 seconds or this value
    """

    attempts: int | None = None
    backoff: float = 1.0

    def __post_init__(self) -> None:
        if self.attempts is not None:
            require_count("attempts", self.attempts)
        require_seconds("backoff", self.backoff)

    def pause(self, failures: int) -> float:
        """Returns the seconds before the call that follows this many failures."""
        return float(min(self.backoff * 2 ** min(failures - 1, 16), max(self.backoff, LONGEST_PAUSE)))
