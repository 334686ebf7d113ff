"""Other agents' metadata, which their beacons name."""

from __future__ import annotations

from ..formats import agent_metadata
from ..formats.errors import FormatError
from ..protocol.canonical_json import JsonObject
from .errors import AgentError
from .origins import Origins, Presence, origin_of_uri
from .retrying_client import RetryingClient


class Peers:
    """Fetches other agents' metadata and the blobs that they store."""

    def __init__(self, client: RetryingClient, origins: Origins) -> None:
        self._client = client
        self._origins = origins

    async def metadata_of(self, agent_id: str) -> JsonObject | None:
        """Fetches an agent's metadata each time, because a beacon may change its key.

        :returns: None if there is no beacon, or no valid metadata of this agent
        :raises AgentError: BLOB_UNAVAILABLE if a store that may have the metadata failed or is busy
        """
        # Prove the beacon if possible, because the owner of a false key could read what is sealed to it.
        if self._client.proves:
            found = await self._client.state(f"beacon/{agent_id}")
        else:
            found = await self._client.find("/v1/agents/{agentId}", agentId=agent_id)
        beacon = (found or {}).get("beacon")
        if not beacon:
            return None
        blob_hash = beacon["metadataHash"]
        data = await self._origins.read(blob_hash, [origin_of_uri(beacon["endpoint"], blob_hash)])
        try:
            metadata = {} if data is None else agent_metadata.read(data, blob_hash)
        except FormatError:
            return None
        return metadata if metadata.get("agentId") == agent_id else None

    async def origins_of(self, agent_id: str) -> list[str]:
        """Returns the stores that an agent's metadata names. Raises like :meth:`metadata_of`."""
        metadata = await self.metadata_of(agent_id)
        return list(metadata["blobs"]) if metadata else []

    async def has_blob(self, blob_hash: str, owner_id: str) -> Presence:
        """Checks whether a known store or the owner's has a blob, without fetching it."""
        near = await self._origins.has(blob_hash)
        if near == "present":
            return near
        found = await self._origins.has(blob_hash, await self.origins_of(owner_id))
        return near if found == "absent" else found

    async def blob_of(self, blob_hash: str, owner_id: str) -> bytes | None:
        """Returns the bytes of a hash from known stores, or else from the owner's.

        :returns: None if all stores say that they do not have them
        :raises AgentError: BLOB_UNAVAILABLE if a store failed, is busy or does not answer
        """
        near = await self._origins.find(blob_hash)
        if isinstance(near, bytes):
            return near
        found = await self._origins.find(blob_hash, await self.origins_of(owner_id))
        if isinstance(found, bytes):
            return found
        if near == found == "absent":
            return None
        raise AgentError("BLOB_UNAVAILABLE", blob_hash)
