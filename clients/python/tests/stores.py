"""Shared stores in real servers on this machine, each in its own folder and reachable only by a socket."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pg8000.dbapi  # type: ignore[import-untyped]
import redis

from netsdk.homes import POSTGRES_TABLE, SharedStore, postgres_store, valkey_store

KINDS = ("postgres", "valkey")


def program_of(kind: str) -> str | None:
    """Returns the program of a server; None if the machine has none."""
    if kind == "postgres":
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        return str(found[-1]) if found else None
    return shutil.which("valkey-server") or shutil.which("redis-server")


@contextmanager
def server(kind: str) -> Iterator[str]:
    """Runs a server whose writes are durable once acknowledged. Yields its socket."""
    program = program_of(kind)
    assert program is not None
    # Postgres refuses to run as root, and another user cannot enter the folder of the test run.
    user: Any = {"user": "postgres", "group": "postgres", "extra_groups": []} if _needs_user(kind) else {}
    folder = Path(tempfile.mkdtemp(prefix="netsdk-", dir="/tmp" if user else None))
    if user:
        entry = pwd.getpwnam("postgres")
        os.chown(folder, entry.pw_uid, entry.pw_gid)
    socket = folder / (".s.PGSQL.5432" if kind == "postgres" else "socket")
    if kind == "postgres":
        data, initdb = folder / "data", str(Path(program).with_name("initdb"))
        made = [initdb, "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8"]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL, **user)
        command = [program, "-D", str(data), "-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}"]
    else:
        command = [program, "--port", "0", "--unixsocket", str(socket), "--dir", str(folder), "--logfile", ""]
        command += ["--appendonly", "yes", "--appendfsync", "always", "--save", ""]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **user)
    assert running.stdout is not None
    # Read on, because a full pipe would block the server.
    drain = threading.Thread(target=running.stdout.read)
    try:
        said: list[str] = []
        for line in running.stdout:
            said.append(line)
            if "ready to accept connections" in line.lower():
                break
        assert running.poll() is None, "".join(said)
        drain.start()
        yield str(socket)
    finally:
        running.send_signal(signal.SIGINT)
        running.wait()
        if drain.ident is not None:
            drain.join()
        running.stdout.close()
        shutil.rmtree(folder)


def _needs_user(kind: str) -> bool:
    return kind == "postgres" and os.getuid() == 0


class Database:
    """A connection to a server, for threads."""

    def __init__(self, kind: str, socket: str) -> None:
        self._kind = kind
        self._mutex = threading.Lock()
        if kind == "postgres":
            self._connection = pg8000.dbapi.connect(user="postgres", database="postgres", unix_sock=socket)
            self._connection.autocommit = True
            self._connection.cursor().execute(POSTGRES_TABLE)
        else:
            self._connection = redis.Redis(unix_socket_path=socket)

    def store(self, agent_id: str) -> SharedStore:
        """Returns the store of an agent."""
        if self._kind == "postgres":
            return postgres_store(self._query, agent_id)
        return valkey_store(self._connection.execute_command, f"netd:{agent_id}")

    def _query(self, text: str, values: Sequence[str]) -> Sequence[Sequence[Any]]:
        with self._mutex:
            cursor = self._connection.cursor()
            cursor.execute(text, values)
            rows: Sequence[Sequence[Any]] = cursor.fetchall()
            return rows

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()
