"""Named moments in the life of an agent at which a test can make the process die."""

from __future__ import annotations

from collections.abc import Callable

#: Called at named moments, so that a test can make the process die: name, and the action where it is one of an act.
Reach = Callable[[str, str | None], None]
