"""NET-AGENT-METADATA/1."""

import base64

from .canonical_json import canonicalize, sha256
from .documents import check_texts, read
from .report import Refused


def thumbprint(key):
    """RFC 7638."""
    members = canonicalize({name: key[name] for name in ("crv", "kty", "x")})
    return base64.urlsafe_b64encode(sha256(members.encode())).rstrip(b"=").decode()


def read_metadata(text, expected_hash=None):
    metadata = read("AgentMetadata", text, expected_hash)
    key = metadata["encryptionKey"]
    if key["kid"] != thumbprint(key):
        raise Refused("ENCRYPTION_KEY_INVALID")
    return metadata


def agent_metadata(topic):
    check_texts(topic, read_metadata)
