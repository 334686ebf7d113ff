"""The origins that an agent asks for blobs, and those that it skips."""

from __future__ import annotations

import asyncio

from netsdk import Actor, AgentKey, AsyncNetClient
from netsdk.agent.origins import Origins
from netsdk.agent.retrying_client import RetryingClient


def test_an_origin_of_a_stranger_that_is_no_address_is_passed_over() -> None:
    async def fetch() -> bytes | None:
        async with AsyncNetClient() as client:
            origins = Origins(RetryingClient(client), client.driver, Actor("alice", AgentKey.generate()), [])
            return await origins.fetch("ab" * 32, ["https://blobs.example:99999", "https://a..b:x", None])

    assert asyncio.run(fetch()) is None
