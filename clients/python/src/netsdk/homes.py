"""Homes for agents on several machines: keys and state in Postgres, Valkey, or any store with compare-and-set.

One process holds a lease. Each holder gets its own fence, and the store compares the fence in the same step in which it
writes. A process that was paused beyond its lease can therefore store no envelope, and an agent sends only stored ones.
``net-sdk/homes`` stores the same texts, so agents of both languages can open one home.

This module imports no database client: pass the client of your program.
"""

from __future__ import annotations

import base64
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from typing import Any, NamedTuple, Protocol

from .agent.errors import AgentError
from .agent.home import AgentHome, AgentState, Lease
from .arguments import require_seconds

__all__ = ["POSTGRES_TABLE", "Guard", "SharedStore", "leased_home", "postgres_store", "valkey_store"]

_FENCE = "fence"
#: End of the lease, in milliseconds since 1970 by the holder's clock. Clocks decide who waits, but never who may write.
_LEASE = "lease"
_STATE = "state/"
#: Seconds since 1970; ``datetime`` has no later year.
_LAST_MOMENT = datetime.max.replace(tzinfo=timezone.utc, microsecond=0).timestamp()


class Guard(NamedTuple):
    """The condition of a write: a key, and the text that it must have."""

    key: str
    text: str


class SharedStore(Protocol):
    """Texts by key, for one agent. A write is durable when it returns, and each method sees all writes before it.

    Methods block, because a change of the memory must be durable when it returns. Several threads call them.
    """

    def get(self, key: str) -> str | None:
        """Returns the text of a key, or None."""

    def keys(self) -> list[str]:
        """Returns all keys."""

    def add(self, key: str, text: str) -> bool:
        """Writes a text unless the key has one. Returns True if it wrote."""

    def write_if(self, guard: Guard, key: str, text: str | None) -> bool:
        """Writes a text, or deletes it if None, but only if the guard's key has the guard's text. Comparing and writing
        are one atomic step. Returns True if it wrote.
        """


def leased_home(store: SharedStore, *, lease: float = 30.0) -> AgentHome:
    """Returns the home of an agent in a store that processes on several machines share: ``Agent.open("ada", home=…)``.

    :param store: of this agent alone, such as a ``postgres_store``
    :param lease: seconds without a renewal, after which another process takes over
    """
    require_seconds("lease", lease)
    return _LeasedHome(store, lease)


class _LeasedHome:
    def __init__(self, store: SharedStore, seconds: float) -> None:
        self._store = store
        self._seconds = seconds

    def read_secret(self, name: str) -> str | None:
        return self._store.get(f"secret/{name}")

    def write_secret(self, name: str, text: str) -> bool:
        return self._store.add(f"secret/{name}", text)

    def replace_secret(self, name: str, before: str, text: str) -> None:
        key = f"secret/{name}"
        self._store.write_if(Guard(key, before), key, text)

    def place_of(self, name: str) -> str:
        return f"secret/{name}"

    def open_state(self) -> AgentState:
        store = self._store
        store.add(_FENCE, "0")
        before = Guard(_FENCE, store.get(_FENCE) or "")
        until = _end_of(store.get(_LEASE))
        if time.time() < until:
            moment = datetime.fromtimestamp(min(until, _LAST_MOMENT), timezone.utc)
            end = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            raise AgentError("AGENT_RUNNING", f"leased until {end}", {"until": end})
        number = int(before.text.split(" ")[0] or 0) + 1
        state = _LeasedState(store, Guard(_FENCE, f"{number} {secrets.token_hex(8)}"), self._seconds)
        # Write the lease before the fence, so that the new fence is never visible without its lease.
        if not (state.extend(before) and store.write_if(before, _FENCE, state.guard.text)):
            raise AgentError("AGENT_RUNNING", "another process was faster")
        return state


def _end_of(lease: str | None) -> float:
    """Returns seconds since 1970; 0 without a lease. JavaScript writes fractions, and Infinity."""
    try:
        return float(lease or 0) / 1000
    except ValueError:
        return 0.0


class _LeasedState:
    def __init__(self, store: SharedStore, guard: Guard, seconds: float) -> None:
        self.guard = guard
        self.place = f"the shared home, fence {guard.text}"
        self.lease = Lease(seconds, self._renew)
        self._store = store
        self._is_closed = False
        self._closing = threading.Lock()

    def extend(self, guard: Guard) -> bool:
        return self._store.write_if(guard, _LEASE, str(int((time.time() + self.lease.seconds) * 1000)))

    def _fenced(self, wrote: bool) -> None:
        if not wrote:
            raise AgentError("HOME_FENCED", f"this process had fence {self.guard.text}")

    def _renew(self) -> None:
        # A renewal after the close would make others wait.
        with self._closing:
            if not self._is_closed:
                self._fenced(self.extend(self.guard))

    def get(self, name: str) -> bytes | None:
        text = self._store.get(_STATE + name)
        return None if text is None else base64.b64decode(text)

    def put(self, name: str, data: bytes) -> None:
        self._fenced(self._store.write_if(self.guard, _STATE + name, base64.b64encode(data).decode()))

    def delete(self, name: str) -> None:
        self._fenced(self._store.write_if(self.guard, _STATE + name, None))

    def names(self) -> list[str]:
        keys = self._store.keys()
        return sorted(key.removeprefix(_STATE) for key in keys if key.startswith(_STATE))

    def close(self) -> None:
        with self._closing:
            self._is_closed = True
            # Deletes only the lease of this holder.
            self._store.write_if(self.guard, _LEASE, None)


#: The table of all agents. Create it once, before the first agent.
POSTGRES_TABLE = """CREATE TABLE IF NOT EXISTS netd_homes (
  home text NOT NULL, key text NOT NULL, text text NOT NULL, PRIMARY KEY (home, key))"""

# Locks the guard until the end of the statement, so that no other holder begins meanwhile.
_GUARD = "WITH guard AS (SELECT FROM netd_homes WHERE home = %s AND key = %s AND text = %s FOR UPDATE)"
_WRITE = f"""{_GUARD} INSERT INTO netd_homes SELECT %s::text, %s::text, %s::text FROM guard
  ON CONFLICT (home, key) DO UPDATE SET text = excluded.text RETURNING key"""  # noqa: S608
_DELETE = f"""{_GUARD}, gone AS
  (DELETE FROM netd_homes WHERE home = %s AND key = %s AND EXISTS (SELECT FROM guard)) SELECT 1 FROM guard"""  # noqa: S608

#: Runs one statement with its values in a transaction of its own, and returns the rows.
PostgresQuery = Callable[[str, Sequence[str]], Sequence[Sequence[Any]]]


class _PostgresStore:
    def __init__(self, query: PostgresQuery, home: str) -> None:
        self._query = query
        self._home = home

    def get(self, key: str) -> str | None:
        rows = self._query("SELECT text FROM netd_homes WHERE home = %s AND key = %s", [self._home, key])
        return str(rows[0][0]) if rows else None

    def keys(self) -> list[str]:
        return [str(key) for (key,) in self._query("SELECT key FROM netd_homes WHERE home = %s", [self._home])]

    def add(self, key: str, text: str) -> bool:
        insert = "INSERT INTO netd_homes VALUES (%s, %s, %s) ON CONFLICT DO NOTHING RETURNING key"
        return len(self._query(insert, [self._home, key, text])) == 1

    def write_if(self, guard: Guard, key: str, text: str | None) -> bool:
        values = [self._home, *guard, self._home, key]
        rows = self._query(_DELETE, values) if text is None else self._query(_WRITE, [*values, text])
        return len(rows) == 1


def postgres_store(query: PostgresQuery, home: str) -> SharedStore:
    """Returns a store in the table of ``POSTGRES_TABLE``, for one agent.

    :param query: runs a statement with its values in a transaction of its own and returns the rows, with any driver
        whose parameters are ``%s``
    :param home: a name that no other agent has, such as ``ada``
    """
    return _PostgresStore(query, home)


# A script runs alone on the server, so nothing comes between comparing and writing.
_WRITE_IF = """
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
if ARGV[4] then redis.call('HSET', KEYS[1], ARGV[3], ARGV[4]) else redis.call('HDEL', KEYS[1], ARGV[3]) end
return 1"""

#: Sends a command to Valkey or Redis, such as ``client.execute_command``.
ValkeyCall = Callable[..., Any]


class _ValkeyStore:
    def __init__(self, call: ValkeyCall, hash_key: str) -> None:
        self._call = call
        self._hash = hash_key

    def get(self, key: str) -> str | None:
        found = self._call("HGET", self._hash, key)
        return None if found is None else _text(found)

    def keys(self) -> list[str]:
        return [_text(key) for key in self._call("HKEYS", self._hash)]

    def add(self, key: str, text: str) -> bool:
        return int(self._call("HSETNX", self._hash, key, text)) == 1

    def write_if(self, guard: Guard, key: str, text: str | None) -> bool:
        change = [key] if text is None else [key, text]
        return int(self._call("EVAL", _WRITE_IF, 1, self._hash, *guard, *change)) == 1


def valkey_store(call: ValkeyCall, hash_key: str) -> SharedStore:
    """Returns a store in a hash of Valkey or Redis, for one agent.

    The server must keep what it acknowledged: ``appendonly yes`` and ``appendfsync always``. A failover to a replica
    that lacks a write loses a fence or a signed envelope. If the agent pays under your own ids, use Postgres.

    :param call: sends a command, such as ``client.execute_command`` of the packages valkey and redis
    :param hash_key: the key of the hash, such as ``netd:ada``
    """
    return _ValkeyStore(call, hash_key)


def _text(answer: str | bytes) -> str:
    return answer.decode() if isinstance(answer, bytes) else answer
