"""Ids that only this agent can compute, so that no stranger takes them first.

``packages/sdk/src/agent/own-ids.ts`` makes the same.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

from ..formats.encryption_key import Keyring
from ..protocol.hashes import hash_value

SCHEMA = "NET-OWN-ID/1"


def id_secret_of(agent_id: str, encryption: Keyring | None, sign: Callable[[bytes], bytes]) -> str:
    """Returns the secret behind the ids.

    All processes of an agent have the same, because rotations keep the oldest X25519 key. A session without that key
    has a secret of its own, which its processes share: an Ed25519 signature of fixed bytes.
    """
    if encryption:
        secret = str(encryption[-1]["d"])
    else:
        secret = base64.b64encode(sign(f"{SCHEMA} {agent_id}".encode())).decode()
    return hash_value([SCHEMA, agent_id, secret])


def own_id(secret: str, facts: Mapping[str, Any]) -> str:
    """Returns 160 bits in lowercase hex that follow from the secret and the facts."""
    return hash_value([SCHEMA, secret, dict(facts)])[:40]


def answer_id_of(secret: str, reply_to: str) -> str:
    """Returns the only id that this agent gives to its answer of a message, so that it answers once."""
    return f"re-{own_id(secret, {'replyTo': reply_to})}"
