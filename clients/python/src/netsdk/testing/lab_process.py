"""A laboratory in a separate process. When its standard input closes, it stops and deletes its data, so it never
outlives this process.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .._sync.base import default_url
from ..errors import NetsdkError

#: Seconds before a process that does not stop is killed.
PATIENCE = 30.0
LOOK = 0.02
#: Characters of the process's standard error that a message quotes at most.
MOST_WORDS = 4_000


class NetworkStartError(NetsdkError):
    """The laboratory could not be started."""

    #: The code from netd, such as FORK_OTHER_VERSION. The default means that netd gave none.
    code = "NETWORK_NOT_STARTED"


def find_netd(named: str | Path | None = None) -> str:
    """Finds netd: the program of this name, in ``$NETD``, on the PATH, or in ``node_modules`` of this folder or a
    parent.

    :raises NetworkStartError: if there is none
    """
    told = str(named) if named is not None else os.environ.get("NETD")
    if told:
        if os.access(told, os.X_OK) and Path(told).is_file():
            return told
        where = "the environment variable NETD" if named is None else "the argument netd"
        raise NetworkStartError(f"{told}, which {where} names, is no program that can be run")
    on_path = shutil.which("netd")
    if on_path is not None:
        return on_path
    for start in (Path.cwd(), Path(__file__)):
        for folder in (start, *start.parents):
            path = folder / "node_modules/.bin/netd"
            if os.access(path, os.X_OK):
                return str(path)
    raise NetworkStartError(
        f"there is no netd: a node hands it out. Run pip install -r {default_url()}/downloads/netsdk-lab.txt, or "
        f"npm install {default_url()}/downloads/netd.tgz, or name the program in the environment variable NETD or by "
        "the argument netd"
    )


class LabProcess:
    """A laboratory's process, with the facts that it prints.

    :raises NetworkStartError: if it does not start
    """

    def __init__(self, *, netd: str | Path | None, house: bool, timeout: float, arguments: Sequence[str] = ()) -> None:
        program = find_netd(netd)
        begin = ["dev", "--lab", "--temporary", "--json", "--quiet", "--port", "0"]
        # NET_ variables may configure another node.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NET_")}
        # Prefer the Node that is installed next to netd, as npm does, because the system's may be too old.
        environment["PATH"] = os.pathsep.join([str(Path(program).parent), os.environ.get("PATH", "")])
        try:
            self._process = subprocess.Popen(  # noqa: S603 - a list, and no shell
                [program, *begin, *arguments, "--house", "staffed" if house else "none"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
            )
        except OSError as error:
            raise NetworkStartError(f"netd could not be started: {error}") from error
        self._errors = b""
        self._lines: list[bytes] = []
        self._facts: dict[str, Any] | None = None
        self._told = threading.Event()
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read_errors, self._read_lines)]
        for reader in self._readers:
            reader.start()
        try:
            self.facts = self._first_line(timeout)
            if house:
                self._await_stores(time.monotonic() + timeout)
        except BaseException:
            self._end()
            raise

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._errors = (self._errors + line)[-MOST_WORDS:]

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if self._told.is_set():
                continue
            self._lines.append(line)
            facts = _json_in(line)
            # A refusal prints several lines and then ends.
            if facts is not None and "url" in facts:
                self._facts = facts
                self._told.set()
        self._told.set()

    def _first_line(self, timeout: float) -> dict[str, Any]:
        if not self._told.wait(timeout):
            raise self._error(f"netd has not started within {timeout:g} s")
        if self._facts is not None:
            return self._facts
        code = self._process.wait(PATIENCE)
        self._readers[0].join(PATIENCE)
        said = b"".join(self._lines)
        refusal = _json_in(said) or {}
        self._errors = self._errors or str(refusal.get("title", said.decode(errors="replace"))).encode()[:MOST_WORDS]
        error = self._error(f"netd ended with {code}")
        error.code = refusal.get("code") or error.code
        raise error

    def _error(self, what: str) -> NetworkStartError:
        errors = self._errors.decode(errors="replace").strip()
        return NetworkStartError(f"{what}: {errors}" if errors else what)

    def _await_stores(self, deadline: float) -> None:
        path = Path(self.facts["dataDir"]) / "dev.json"
        while not self.facts["blobs"]:
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise self._error("the agents of the house have not started")
            time.sleep(LOOK)
            try:
                self.facts["blobs"] = json.loads(path.read_text("utf-8"))["blobs"]
            except FileNotFoundError:
                pass

    def stop(self) -> None:
        """Stops the process, which deletes its data."""
        self._end()
        shutil.rmtree(self.facts["dataDir"], ignore_errors=True)

    def _end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join(PATIENCE)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()


def _json_in(text: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
