"""Session files: each has a key that may act for an agent within bounds, on another machine.

``packages/sdk/src/agent/session.ts`` reads and writes the same files.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from ..api import Actor
from ..completion import fresh_id
from ..formats.encryption_key import Keyring, encryption_key_of
from ..key import AgentKey
from ..key_file import home_of, write_once
from ..protocol.canonical_json import JsonObject
from .amount import unet_of
from .errors import AgentError
from .own_acts import with_actions
from .parts import Parts
from .retrying_client import RetryingClient

SCHEMA = "NET-SESSION-FILE/1"
#: Default lifetime of a session in heights.
LIFETIME = 2_000
_ABOUT_SEALED = {"sendAgentMessage", "acknowledgeAgentMessage", "commitMemoryCheckpoint"}


class Session(NamedTuple):
    """A parsed session file. ``encryption`` is None if the session cannot read sealed content."""

    actor_id: str
    chain_id: str
    session_id: str
    key: AgentKey
    encryption: Keyring | None


def read_session(source: Path | str | Mapping[str, Any]) -> Session:
    """Parses a session file or its content.

    :raises AgentError: KEY_FILE_READABLE, SESSION_FILE_INVALID
    """
    try:
        file: Any = json.loads(_text_of(Path(source))) if isinstance(source, (str, Path)) else source
        schema, *texts = [
            file[name] for name in ("schema", "actorId", "chainId", "sessionId", "privateKey", "publicKey")
        ]
        is_whole = schema == SCHEMA and all(isinstance(text, str) for text in texts)
        key, secret = AgentKey.from_pem(file["privateKey"], file["publicKey"]), file["encryptionKey"]
        secrets = [] if secret is None else [secret, *file.get("formerEncryptionKeys", [])]
        encryption = [encryption_key_of(each["x"]) | {"d": str(each["d"])} for each in secrets] or None
    except (FileNotFoundError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        # The message must quote neither the text nor the cause, because they may contain a key.
        raise AgentError("SESSION_FILE_INVALID") from None
    if not is_whole:
        raise AgentError("SESSION_FILE_INVALID")
    return Session(file["actorId"], file["chainId"], file["sessionId"], key, encryption)


def _text_of(path: Path) -> bytes:
    with path.open("rb") as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        if sys.platform != "win32" and mode & 0o077:
            raise AgentError("KEY_FILE_READABLE", f"{path}, mode {mode:o}")
        return file.read(65_536)


async def require_live(client: RetryingClient, session: Session) -> set[str]:
    """Returns the actions that the session may use now.

    :raises AgentError: SESSION_ENDED, AGENT_INACTIVE
    """
    found = await client.find("/v1/agents/{agentId}", agentId=session.actor_id)
    for live in (found or {}).get("sessions", []):
        if [live["sessionId"], live["publicKeyHash"]] == [session.session_id, session.key.public_key_hash]:
            if found is None or found["agent"]["status"] != "active":
                raise AgentError("AGENT_INACTIVE")
            return set(live["actions"])
    raise AgentError("SESSION_ENDED", session.session_id)


async def grant_session(
    parts: Parts,
    keys: Path | str | None,
    *,
    actions: Sequence[str],
    budget: str | int,
    max_amount: str | int | None = None,
    expires_in: int = LIFETIME,
    label: str | None = None,
    reads_sealed: bool | None = None,
) -> Path:
    """Creates a key, writes the file, and then grants the session. In this order, a crash leaves only a file without a
    session, which is harmless.

    Adds missing actions to the agent's own capabilities.
    """
    client, encryption = parts.client.net_client, parts.require_keyring()
    actor_id, chain_id, session_id = parts.agent_id, parts.chain_id, fresh_id("s")
    private_key = Ed25519PrivateKey.generate()
    key = AgentKey(private_key)
    reads = any(action in _ABOUT_SEALED for action in actions) if reads_sealed is None else reads_sealed
    limit = None if max_amount is None else unet_of(max_amount, "max_amount")
    spending = unet_of(budget, "budget")
    height = int((await client.network())["height"])
    path = home_of(keys, chain_id) / f"{actor_id}.session-{session_id}.json"
    newest, *former = [{name: each[name] for name in ("x", "kid", "d")} for each in encryption]
    members: JsonObject = {
        "schema": SCHEMA,
        "chainId": chain_id,
        "actorId": actor_id,
        "sessionId": session_id,
        "publicKey": key.public_key,
        "publicKeyHash": key.public_key_hash,
        "privateKey": private_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(),
        "encryptionKey": newest if reads else None,
    }
    if reads and former:
        members["formerEncryptionKeys"] = former
    write_once(path, members)

    async def grant() -> Actor:
        return await client.grant_session(
            key,
            actions,
            spending,
            session_id=session_id,
            expires_at_height=height + expires_in,
            max_amount=limit,
            label=label,
        )

    await with_actions(parts, actions, grant)
    return path
