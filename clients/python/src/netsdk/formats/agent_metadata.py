"""NET-AGENT-METADATA/1: the document behind the metadataHash of a beacon."""

from __future__ import annotations

from ..protocol.canonical_json import JsonObject
from .document import MAX_SMALL_DOCUMENT_BYTES, Format
from .encryption_key import require_own_kid


def _check(metadata: JsonObject) -> None:
    require_own_kid(metadata["encryptionKey"], "/encryptionKey/kid")


agent_metadata = Format("AgentMetadata", max_bytes=MAX_SMALL_DOCUMENT_BYTES, check=_check)
