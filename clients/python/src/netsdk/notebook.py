"""Notebooks: tables of lists and events, representations in HTML, and the magics of ``%load_ext netsdk``."""

from __future__ import annotations

import atexit
import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._sync.client import NetClient
    from .testing import Network

_ISO_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def to_frame(rows: Iterable[Any], *, client: NetClient | None = None) -> Any:
    """Returns a DataFrame of pandas, with a row per document or event. Needs pandas.

    The members of an event's data, the positions of a record and their times become columns. Times become timestamps
    in UTC. The node reports them unproven: read certified times with a :class:`VerifiedReader`.

    :param rows: such as ``client.items("/v1/work-orders")``, or a list of events
    :param client: reads the column ``time`` of events without ``at`` from their blocks
    :raises ImportError: without pandas
    """
    import pandas

    flat = [_flat(row) for row in rows]
    if client is not None:
        heights = sorted({row["height"] for row in flat if "time" not in row and "height" in row})
        times = {each: client.read("/v1/blocks/{height}", height=each)["header"]["timestamp"] for each in heights}
        flat = [{"time": times[row["height"]], **row} if row.get("height") in times else row for row in flat]
    frame = pandas.DataFrame(flat)
    for name in frame.columns:
        known = frame[name].dropna()
        if len(known) > 0 and all(isinstance(each, str) and _ISO_TIME.match(each) for each in known):
            frame[name] = pandas.to_datetime(frame[name], utc=True, format="ISO8601")
    return frame


def _flat(row: Any) -> dict[str, Any]:
    members = dict(row) if isinstance(row, Mapping) else row._asdict()
    data = members.pop("data", None)
    at = members.pop("at", None)
    times = members.pop("times", None) or {}
    flat: dict[str, Any] = {} if at is None else {"time": at}
    for name, value in (members | (dict(data) if isinstance(data, Mapping) else {})).items():
        # A position on the chain, or a deadline.
        if isinstance(value, Mapping) and value.keys() <= {"height", "index", "time"}:
            flat |= {f"{name}.{part}": each for part, each in value.items()}
        else:
            flat[name] = value
    return flat | {f"{name}.time": time for name, time in times.items()}


class Magics:
    """The magics ``%netd`` and ``%%lab``."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._devnet: Network | None = None

    def netd(self, line: str) -> None:
        """Runs netd. ``%netd dev`` starts a network with workers for this notebook, once, until the kernel ends."""
        from .testing import start_network
        from .testing.lab_process import find_netd

        if line.strip() != "dev":
            ended = subprocess.run(  # noqa: S603 - a list, and no shell
                [find_netd(), *shlex.split(line)], capture_output=True, text=True, check=False
            )
            print(ended.stdout + ended.stderr, end="")  # noqa: T201 - the output of the magic
            return
        if self._devnet is None:
            self._devnet = start_network(house=True, blocks="automatic")
            atexit.register(self._devnet.stop)
            os.environ["NET_URL"] = self._devnet.url
        print(f"NET_URL is {self._devnet.url}")  # noqa: T201 - the output of the magic

    def lab(self, line: str, cell: str) -> None:
        """Runs a cell on a new laboratory, ``network``, with the agents named on the line; it ends with the cell."""
        from .testing import start_network

        with start_network(agents=line.split()) as network:
            self._shell.push({"network": network})
            try:
                self._shell.run_cell(cell, store_history=False).raise_error()
            finally:
                self._shell.drop_by_id({"network": network})


def load_ipython_extension(shell: Any) -> None:
    """Registers the magics ``%netd`` and ``%%lab``; IPython calls it for ``%load_ext netsdk``."""
    magics = Magics(shell)
    shell.register_magic_function(magics.netd, "line", "netd")
    shell.register_magic_function(magics.lab, "cell", "lab")
