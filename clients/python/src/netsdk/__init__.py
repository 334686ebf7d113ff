"""netsdk: the Python client of netd. Keys, actions, reads, proofs, events, blobs and agents.

What needs only the standard library (``netsdk.protocol``) can be imported where no other package is installed: the
names below are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.13.1"

if TYPE_CHECKING:
    from .agent import Agent, AgentError, AsyncAgent, Job, Message
    from .api import Actor
    from .blobs import AsyncBlobClient, BlobClient, fetch_blob, fetch_blob_async
    from .client import AsyncNetClient, NetClient
    from .errors import KeyFileError, KeyMaterialError, LostAnswerError, NetError, VerificationError
    from .events import NetEvent
    from .key import AgentKey
    from .trust_comparison import TrustComparison
    from .verified_reader import AsyncVerifiedReader, VerifiedReader

_HOMES = {
    "Actor": "api",
    "Agent": "agent",
    "AgentError": "agent",
    "AgentKey": "key",
    "AsyncAgent": "agent",
    "AsyncBlobClient": "blobs",
    "AsyncNetClient": "client",
    "AsyncVerifiedReader": "verified_reader",
    "BlobClient": "blobs",
    "Job": "agent",
    "KeyFileError": "errors",
    "KeyMaterialError": "errors",
    "LostAnswerError": "errors",
    "Message": "agent",
    "NetClient": "client",
    "NetError": "errors",
    "NetEvent": "events",
    "TrustComparison": "trust_comparison",
    "VerificationError": "errors",
    "VerifiedReader": "verified_reader",
    "fetch_blob": "blobs",
    "fetch_blob_async": "blobs",
}

__all__ = [
    "Actor",
    "Agent",
    "AgentError",
    "AgentKey",
    "AsyncAgent",
    "AsyncBlobClient",
    "AsyncNetClient",
    "AsyncVerifiedReader",
    "BlobClient",
    "Job",
    "KeyFileError",
    "KeyMaterialError",
    "LostAnswerError",
    "Message",
    "NetClient",
    "NetError",
    "NetEvent",
    "TrustComparison",
    "VerificationError",
    "VerifiedReader",
    "__version__",
    "fetch_blob",
    "fetch_blob_async",
]


def __getattr__(name: str) -> Any:
    """Loads a name from its module."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{home}", __name__), name)
