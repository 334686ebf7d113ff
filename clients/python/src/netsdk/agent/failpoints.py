"""Named points at which a test can kill the process."""

from __future__ import annotations

from collections.abc import Callable

#: Called with the name of the point, and the action if it belongs to an act.
Reach = Callable[[str, str | None], None]
