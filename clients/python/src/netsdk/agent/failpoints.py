"""Named points at which a test can kill the process."""

from __future__ import annotations

from collections.abc import Callable

#: A function called with the name of the point, and with the action if the point belongs to an act.
Reach = Callable[[str, str | None], None]
