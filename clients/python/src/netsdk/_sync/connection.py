# Generated from _async/connection.py by npm run contract; not edited by hand.
"""Connections, and who closes them."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

import httpx

from ..flow import SyncDriver

if TYPE_CHECKING:
    from typing_extensions import Self


class Connection:
    """What keeps connections open and closes them at the end of its block, blocking.

    :param http: an ``httpx.Client`` of the caller's own, who then closes it
    """

    def __init__(self, http: httpx.Client | None) -> None:
        self._own = http is None
        self.driver = SyncDriver(http or httpx.Client())

    def close(self) -> None:
        """Closes its connections."""
        if self._own:
            self.driver.http.close()

    def __enter__(self) -> Self:
        """Itself; its connections close at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes its connections."""
        self.close()
