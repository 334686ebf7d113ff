"""NET-AGENT-METADATA/1: what stands behind the metadataHash of a beacon."""

from __future__ import annotations

from ..protocol.canonical_json import JsonObject
from .document import Format
from .encryption_key import require_own_kid


def _check(metadata: JsonObject) -> None:
    require_own_kid(metadata["encryptionKey"], "/encryptionKey/kid")


#: Makes and reads NET-AGENT-METADATA/1.
agent_metadata = Format("AgentMetadata", check=_check)
