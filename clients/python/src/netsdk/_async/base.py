"""The base class of clients."""

from __future__ import annotations

import os

import httpx

from ..api import Actor, Api
from ..flow import Flow, T
from ..key import AgentKey
from .connection import AsyncConnection

DEFAULT_URL = "http://127.0.0.1:8420"


def default_url() -> str:
    """Returns ``$NET_URL``, else the URL of a local node."""
    return os.environ.get("NET_URL") or DEFAULT_URL


class AsyncBase(AsyncConnection):
    """A client of one node: actor, connections and flows. ``AsyncNetClient`` describes the parameters."""

    def __init__(
        self,
        url: str | None = None,
        *,
        actor_id: str | None = None,
        key: AgentKey | None = None,
        session_id: str | None = None,
        timeout: float = 30.0,
        http: httpx.AsyncClient | None = None,
        control_token: str | None = None,
    ) -> None:
        self.api = Api(url or default_url(), timeout, control_token=control_token)
        if (actor_id is None) != (key is None):
            raise TypeError("actor_id and key belong together")
        self.actor = Actor(actor_id, key, session_id) if actor_id is not None and key is not None else None
        super().__init__(http, [self.url])

    @property
    def url(self) -> str:
        """Base URL of the node."""
        return self.api.url

    async def run(self, flow: Flow[T], timeout: float | None = None) -> T:
        """Runs a flow of this package over the client's connections.

        :param timeout: seconds for the whole flow; default none
        :raises AgentError: CALL_TIMEOUT
        """
        return await self.driver.run(flow, timeout)

    def _signer(self, actor: Actor | None) -> Actor:
        found = actor or self.actor
        if found is None:
            raise TypeError("there is no signer: give actor_id and key to the client, or an actor to the call")
        return found
