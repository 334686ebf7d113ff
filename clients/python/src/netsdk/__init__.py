"""netsdk: the Python client of netd. Keys, actions, reads, proofs, events, blobs and agents.

Names load on first use, so ``netsdk.protocol`` works without other packages.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from ._async.blobs import AsyncBlobClient
    from ._async.blobs import fetch_blob as fetch_blob_async
    from ._async.client import AsyncNetClient
    from ._async.verified_origins import AsyncVerifiedOrigins
    from ._async.verified_reader import AsyncVerifiedReader
    from ._sync.blobs import BlobClient, fetch_blob
    from ._sync.client import NetClient
    from ._sync.verified_origins import VerifiedOrigins
    from ._sync.verified_reader import VerifiedReader
    from .agent import (
        Agent,
        AgentError,
        AsyncAgent,
        AsyncHired,
        AsyncJob,
        Hired,
        HireResult,
        Job,
        Message,
        RetryPolicy,
        Service,
        Telemetry,
        define_service,
    )
    from .api import Actor
    from .errors import (
        AmountError,
        HomeError,
        KeyFileError,
        KeyMaterialError,
        LostAnswerError,
        NetError,
        NetsdkError,
        StaleStateError,
        VerificationError,
    )
    from .events import NetEvent
    from .key import AgentKey
    from .notebook import load_ipython_extension, to_frame
    from .sealed_vote import awaits_vote, next_vote
    from .trust_comparison import TrustComparison

_HOMES = {
    "Actor": "api",
    "Agent": "agent",
    "AgentError": "agent",
    "AgentKey": "key",
    "AmountError": "errors",
    "AsyncAgent": "agent",
    "AsyncBlobClient": "_async.blobs",
    "AsyncHired": "agent",
    "AsyncJob": "agent",
    "AsyncNetClient": "_async.client",
    "AsyncVerifiedOrigins": "_async.verified_origins",
    "AsyncVerifiedReader": "_async.verified_reader",
    "BlobClient": "_sync.blobs",
    "HireResult": "agent",
    "Hired": "agent",
    "HomeError": "errors",
    "Job": "agent",
    "KeyFileError": "errors",
    "KeyMaterialError": "errors",
    "LostAnswerError": "errors",
    "Message": "agent",
    "NetClient": "_sync.client",
    "NetError": "errors",
    "NetEvent": "events",
    "NetsdkError": "errors",
    "RetryPolicy": "agent",
    "Service": "agent",
    "StaleStateError": "errors",
    "Telemetry": "agent",
    "TrustComparison": "trust_comparison",
    "VerificationError": "errors",
    "VerifiedOrigins": "_sync.verified_origins",
    "VerifiedReader": "_sync.verified_reader",
    "awaits_vote": "sealed_vote",
    "define_service": "agent",
    "fetch_blob": "_sync.blobs",
    "fetch_blob_async": "_async.blobs",
    "load_ipython_extension": "notebook",
    "next_vote": "sealed_vote",
    "to_frame": "notebook",
}

__all__ = [
    "Actor",
    "Agent",
    "AgentError",
    "AgentKey",
    "AmountError",
    "AsyncAgent",
    "AsyncBlobClient",
    "AsyncHired",
    "AsyncJob",
    "AsyncNetClient",
    "AsyncVerifiedOrigins",
    "AsyncVerifiedReader",
    "BlobClient",
    "HireResult",
    "Hired",
    "HomeError",
    "Job",
    "KeyFileError",
    "KeyMaterialError",
    "LostAnswerError",
    "Message",
    "NetClient",
    "NetError",
    "NetEvent",
    "NetsdkError",
    "RetryPolicy",
    "Service",
    "StaleStateError",
    "Telemetry",
    "TrustComparison",
    "VerificationError",
    "VerifiedOrigins",
    "VerifiedReader",
    "__version__",
    "awaits_vote",
    "define_service",
    "fetch_blob",
    "fetch_blob_async",
    "load_ipython_extension",
    "next_vote",
    "to_frame",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    own_name = "fetch_blob" if name == "fetch_blob_async" else name
    return getattr(import_module(f".{home}", __name__), own_name)
