"""Keys of laboratories. Anyone with the seed can derive them, so never use them elsewhere."""

from __future__ import annotations

import hashlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from .key import AgentKey
from .protocol.canonical_json import canonicalize

#: Seed of the keys of laboratory agents, if no other is given.
DEFAULT_SEED = "netd laboratory"


def lab_key(actor_id: str, seed: str = DEFAULT_SEED) -> AgentKey:
    """Derives the key of a laboratory agent. Its private bytes are the SHA-256 of ``{actorId, schema, seed}`` in
    canonical JSON.
    """
    facts = canonicalize({"schema": "NET-LAB-KEY/1", "seed": seed, "actorId": actor_id})
    return AgentKey(Ed25519PrivateKey.from_private_bytes(hashlib.sha256(facts.encode()).digest()))


def is_lab_key(actor_id: str, key: AgentKey) -> bool:
    """Returns True if the key is the actor's under the public default seed."""
    return key.public_key == lab_key(actor_id).public_key
