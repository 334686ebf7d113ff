"""An agent's state in ``<keys>/../agents/<chainId>/<agentId>/``, or in a home that machines share.

One process at a time locks it.

``packages/sdk/src/agent/home-node.ts`` uses the same files and lock.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
import socket
import sqlite3
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from ..key_file import Secrets, default_directory, sync_directory, usable
from ..protocol.canonical_json import JsonObject, canonical_bytes
from .errors import AgentError


def is_held(place: str) -> bool:
    """Returns True while this process holds the state at a place."""
    return place in _held


def short_hash(text: str) -> str:
    """Returns a hash for file names, because ids may have any characters and case."""
    return hashlib.sha256(text.encode()).hexdigest()[:40]


#: Bytes of an abstract socket name after the NUL; the maximum, because Node 20 pads shorter names.
_NAME_BYTES = 107
_held: set[str] = set()
_sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()


def _take_socket(path: Path) -> socket.socket | None:
    """Binds an abstract socket name as a lock, because Node 20 has no other kind. Returns None if the system is not
    Linux.
    """
    if sys.platform != "linux":
        return None
    digest = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()
    held = socket.socket(socket.AF_UNIX)
    try:
        held.bind(b"\0" + f"netd-agent-{digest}".ljust(_NAME_BYTES, ".").encode())
    except OSError as error:
        held.close()
        if error.errno == errno.EADDRINUSE:
            raise AgentError("AGENT_RUNNING", str(path)) from None
        raise
    _sockets.add(held)
    return held


def _close_in_child() -> None:
    """Closes the inherited sockets, because a forked process must not hold its parent's lock."""
    _held.clear()
    for held in _sockets:
        held.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)


class Lease(NamedTuple):
    """The lease of a state. It ends unless it is renewed."""

    seconds: float
    #: Renews the lease.
    renew: Callable[[], None]


class AgentState(Protocol):
    """Small files by name, written atomically and durably."""

    @property
    def place(self) -> str:
        """The directory, or a name of the store."""

    @property
    def lease(self) -> Lease | None:
        """The lease, if the state has one. Once another process has taken the state over, ``put``, ``delete`` and
        ``renew`` write nothing and raise HOME_FENCED.
        """

    def get(self, name: str) -> bytes | None:
        """Returns the bytes of a file, or None."""

    def put(self, name: str, data: bytes) -> None:
        """Writes a file durably and atomically."""

    def delete(self, name: str) -> None:
        """Deletes a file if it exists."""

    def names(self) -> list[str]:
        """Returns the sorted file names."""

    def close(self) -> None:
        """Lets another process use the state."""


class AgentHome(Secrets, Protocol):
    """Keys and state of one agent, in a place that several machines share."""

    def open_state(self) -> AgentState:
        """Opens the state, for one process at a time.

        :raises AgentError: AGENT_RUNNING; ``data["until"]`` says when the lease of the other process ends
        """


#: A key directory, with the state beside it, or a shared home.
HomePlace: TypeAlias = Path | str | AgentHome | None


def open_state(keys: HomePlace, chain_id: str, name: str) -> AgentState:
    """Opens the state in a shared home, or beside the key directory.

    :raises AgentError: AGENT_RUNNING
    """
    if keys is None or isinstance(keys, (str, Path)):
        return FileState(keys, chain_id, name)
    return keys.open_state()


class FileState:
    """The state of an agent on the disk of one machine."""

    lease: Lease | None = None

    def __init__(self, keys: Path | str | None, chain_id: str, agent_id: str) -> None:
        """Locks the agent's state. Raises AGENT_RUNNING if it is locked, HomeError if it cannot be made."""
        home = default_directory() if keys is None else Path(keys)
        # abspath resolves ".." without following links, as Node does.
        self.path = Path(os.path.abspath(home)).parent / "agents" / chain_id / agent_id  # noqa: PTH100
        with usable(self.path):
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.place = os.path.realpath(self.path)
        if self.place in _held:
            detail = f"this process already runs it, in {self.path}; stop() of that agent ends it"
            raise AgentError("AGENT_RUNNING", detail, {"place": self.place})
        self._socket = _take_socket(self.path)
        try:
            self._lock = self._take_lock()
        except BaseException:
            self._release_socket()
            raise
        _held.add(self.place)
        for draft in self.path.glob(".*.draft"):
            draft.unlink(missing_ok=True)

    def _take_lock(self) -> sqlite3.Connection:
        """Takes a lock that the kernel releases when the process ends (docs/decisions/021)."""
        lock = sqlite3.connect(self.path / "agent.lock", timeout=0, isolation_level=None, check_same_thread=False)
        try:
            lock.execute("PRAGMA journal_mode = OFF")
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            if "locked" in str(error):
                raise AgentError("AGENT_RUNNING", str(self.path)) from None
            raise
        return lock

    def get(self, name: str) -> bytes | None:
        """Returns the bytes of a file, or None."""
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            return None

    def put(self, name: str, data: bytes) -> None:
        """Writes a file durably and atomically."""
        draft = self.path / f".{os.getpid()}.{secrets.token_hex(6)}.draft"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path / name)
        sync_directory(self.path)

    def delete(self, name: str) -> None:
        """Deletes a file if it exists."""
        (self.path / name).unlink(missing_ok=True)
        sync_directory(self.path)

    def names(self) -> list[str]:
        """Returns the sorted file names."""
        return sorted(path.name for path in self.path.iterdir())

    def close(self) -> None:
        """Releases the lock."""
        self._lock.close()
        self._release_socket()
        _held.discard(self.place)

    def _release_socket(self) -> None:
        if self._socket is not None:
            self._socket.close()


class GenesisBinding:
    """The chain of a state, and the highest version of its rules ever proven, which no node can lower."""

    def __init__(self, state: AgentState, chain_id: str, genesis_hash: str) -> None:
        self.genesis_hash = genesis_hash
        self.rules_version = 1
        self._state = state
        self._members: JsonObject = {
            "schema": "NET-AGENT-STATE/1",
            "chainId": chain_id,
            "genesisHash": genesis_hash,
        }

    def put(self, **more: int) -> None:
        """Writes the chain to disk, with further members."""
        self._state.put("genesis.json", canonical_bytes(self._members | more))

    def raise_to(self, rules_version: int) -> None:
        """Records a proven version durably."""
        self.put(rulesVersion=rules_version)
        self.rules_version = rules_version


def bind_to_genesis(state: AgentState, chain_id: str, genesis_hash: str) -> GenesisBinding:
    """Binds the state to its chain on first use, because another chain may have the same name.

    :raises AgentError: CHAIN_REPLACED if the state belongs to another chain of the same name, STATE_INVALID
    """
    binding = GenesisBinding(state, chain_id, genesis_hash)
    data = state.get("genesis.json")
    if data is None:
        binding.put()
        return binding
    try:
        file = json.loads(data)
        bound, version = file["genesisHash"], file.get("rulesVersion", 1)
    except (ValueError, KeyError, TypeError, AttributeError):
        bound = version = None
    if not isinstance(bound, str) or type(version) is not int:
        raise AgentError("STATE_INVALID", "genesis.json")
    if bound != genesis_hash:
        other_home = f"the keys and state of this home belong to the genesis {bound}: use another home"
        move = f"move {state.place} to {state.place}.of-{bound[:8]}"
        raise AgentError("CHAIN_REPLACED", other_home if state.lease else move)
    binding.rules_version = version
    return binding


class Records:
    """Records of one kind by id, each in its own file."""

    def __init__(self, state: AgentState, kind: str) -> None:
        self._state = state
        self._kind = kind

    def _name(self, record_id: str) -> str:
        return f"{self._kind}-{short_hash(record_id)}.json"

    def get(self, record_id: str) -> JsonObject | None:
        """Returns the record, or None.

        :raises AgentError: STATE_INVALID
        """
        return self._parse(self._state.get(self._name(record_id)))

    def put(self, record_id: str, value: JsonObject) -> None:
        """Writes a record durably."""
        self._state.put(self._name(record_id), canonical_bytes(value))

    def delete(self, record_id: str) -> None:
        """Deletes a record."""
        self._state.delete(self._name(record_id))

    def all(self) -> list[JsonObject]:
        """Returns all records of the kind.

        :raises AgentError: STATE_INVALID
        """
        names = [name for name in self._state.names() if name.startswith(f"{self._kind}-") and name.endswith(".json")]
        found = [self._parse(self._state.get(name)) for name in names]
        return [record for record in found if record is not None]

    def _parse(self, data: bytes | None) -> JsonObject | None:
        if data is None:
            return None
        try:
            record = json.loads(data)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise AgentError("STATE_INVALID", f"a record of kind {self._kind}")
        return record
