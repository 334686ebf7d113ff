"""What other agents say of themselves: the metadata behind their beacons."""

from __future__ import annotations

from ..formats import agent_metadata
from ..formats.errors import FormatError
from ..protocol.canonical_json import JsonObject
from .errors import AgentError
from .origins import Origins, Presence, origin_of_uri
from .retrying_client import RetryingClient


class Peers:
    """What other agents say of themselves: the metadata behind their beacons."""

    def __init__(self, client: RetryingClient, origins: Origins) -> None:
        self._client = client
        self._origins = origins

    async def metadata_of(self, agent_id: str) -> JsonObject | None:
        """Asked anew each time: who changes its key says so with its next beacon.

        :returns: None where there is no beacon, or no readable metadata of this very agent behind it
        :raises AgentError: BLOB_UNAVAILABLE where a store that may have the metadata does not give it now: what the
            agent says of itself is not known then, its key neither
        """
        # Proven where the agent has an anchor: who names another key here reads what is sealed to it.
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
        """Where an agent says that its blobs are.

        :raises AgentError: as :meth:`metadata_of`
        """
        metadata = await self.metadata_of(agent_id)
        return list(metadata["blobs"]) if metadata else []

    async def has_blob(self, blob_hash: str, owner_id: str) -> Presence:
        """Whether a store has a blob, as ``blob_of`` finds it, without its bytes."""
        near = await self._origins.has(blob_hash)
        if near == "present":
            return near
        found = await self._origins.has(blob_hash, await self.origins_of(owner_id))
        return near if found == "absent" else found

    async def blob_of(self, blob_hash: str, owner_id: str) -> bytes | None:
        """The bytes of a hash, from the stores that are known, else from those that their owner names.

        :returns: None where all of them say that they do not have them
        :raises AgentError: BLOB_UNAVAILABLE where one only fails, is busy or does not answer
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
