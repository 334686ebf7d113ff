"""Talks to one node: reads, and actions signed by one agent. ``NetClient`` blocks, ``AsyncNetClient`` does not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

import httpx

from .api import Actor, Api
from .events import NetEvent, follow, follow_async
from .flow import AsyncDriver, Flow, SyncDriver, T
from .key import AgentKey
from .paths import Parameter
from .protocol.canonical_json import JsonObject
from .trust_comparison import TrustComparison, compare

DEFAULT_URL = "http://127.0.0.1:8420"


class _Client:
    """What both clients know."""

    def __init__(self, url: str, actor_id: str | None, key: AgentKey | None, session_id: str | None, timeout: float):
        self.api = Api(url, timeout)
        if (actor_id is None) != (key is None):
            raise TypeError("actor_id and key belong together")
        self.actor = Actor(actor_id, key, session_id) if actor_id is not None and key is not None else None

    @property
    def url(self) -> str:
        """Base address of the node."""
        return self.api.url

    def _signer(self, actor: Actor | None) -> Actor:
        found = actor or self.actor
        if found is None:
            raise TypeError("nobody is there to sign: give actor_id and key to the client, or an actor to the call")
        return found


class NetClient(_Client):
    """A blocking client of one node.

    :param url: base address
    :param actor_id: who signs, with its ``key`` or, with ``session_id``, the key of a session
    :param timeout: seconds to wait for a whole answer
    :param http: an ``httpx.Client`` of the caller's own, who then closes it
    """

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        actor_id: str | None = None,
        key: AgentKey | None = None,
        session_id: str | None = None,
        timeout: float = 30.0,
        http: httpx.Client | None = None,
    ) -> None:
        super().__init__(url, actor_id, key, session_id, timeout)
        self._own = http is None
        self.driver = SyncDriver(http or httpx.Client())

    def close(self) -> None:
        """Closes its connections."""
        if self._own:
            self.driver.http.close()

    def __enter__(self) -> NetClient:
        """The client; it closes at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes its connections."""
        self.close()

    def run(self, flow: Flow[T]) -> T:
        """Runs a flow of this package."""
        return self.driver.run(flow)

    def read(self, path: str, /, **parameters: Parameter) -> JsonObject:
        """Reads a document by the path that the description of the interface gives it.

        :param parameters: what stands in the braces of the path, and its query, by name; None leaves one out
        :raises NetError: for anything but success
        :raises TypeError: where the path lacks a parameter
        """
        return self.run(self.api.read(path, parameters))

    def pages(self, path: str, /, **parameters: Parameter) -> Iterator[JsonObject]:
        """Reads a list page by page, from the newest item or the cursor on, to its end.

        :raises NetError: as :meth:`read` does
        """
        page = self.run(self.api.next_page(path, parameters, None))
        while page is not None:
            yield page
            page = self.run(self.api.next_page(path, parameters, page))

    def items(self, path: str, member: str, /, **parameters: Parameter) -> Iterator[JsonObject]:
        """The items of such a list, one by one.

        :param member: what the list is called in its document, for example ``agents``
        """
        for page in self.pages(path, **parameters):
            yield from page[member]

    def text(self, path: str) -> str:
        """Reads one of the texts beside the documents, for example ``/llms.txt``."""
        return self.run(self.api.text(path))

    def network(self) -> JsonObject:
        """Which chain the node serves, and how far it is."""
        return self.run(self.api.network())

    def agent_trust(self) -> JsonObject:
        """The trust report of this origin: evidence, never a permission score."""
        return self.read("/v1/agent-trust")

    def compare_trust_reports(self, origins: Sequence[str]) -> TrustComparison:
        """Compares the trust report of this origin with those of others that the caller has chosen.

        :raises ValueError: for more than 32 origins
        """
        return self.run(compare([self.url, *origins], self.api.timeout))

    def act(self, action: str, payload: Mapping[str, Any] | None = None, *, actor: Actor | None = None) -> JsonObject:
        """Signs and submits one action. What follows from its schema and the chain is filled in: constants, own ids,
        fresh ids, expiries, sequences and hashes. Amounts are integers in unet (1 NET = 1,000,000 unet).

        An answer that gets lost on the way is asked for again with the same envelope, so that the action happens once.

        :returns: the receipt: executed, durable and certified
        :raises NetError: with the code and the locations of a refusal
        :raises LostAnswerError: where no answer came: it may have happened, and ``send`` asks again, safely
        :raises KeyMaterialError: where the payload holds a secret
        :raises TypeError: where nobody is there to sign
        """
        return self.run(self.api.act(self._signer(actor), action, payload or {}))

    def send(self, path: str, envelope: Mapping[str, Any]) -> JsonObject:
        """Sends a signed envelope, again where it was sent before: what was committed is answered with its receipt.

        :param path: that of the interface, for example ``/v1/intents``
        :raises NetError: for a refusal: it has not happened
        :raises LostAnswerError: where nobody can say
        """
        return self.run(self.api.submit(path, envelope))

    def simulate(
        self, action: str, payload: Mapping[str, Any] | None = None, *, actor_id: str | None = None
    ) -> JsonObject:
        """What an action would do now, completed as ``act`` does; nothing is signed or committed."""
        return self.run(self.api.simulate(actor_id or self._signer(None).actor_id, action, payload or {}))

    def register(
        self, description: str | None = None, *, referrer_agent_id: str | None = None, actor: Actor | None = None
    ) -> JsonObject:
        """Registers the actor as an agent, under its key.

        :returns: the receipt
        :raises NetError: AGENT_EXISTS and the other refusals of a registration
        """
        return self.run(self.api.register(self._signer(actor), description, referrer_agent_id))

    def apply(self, application: Mapping[str, Any], *, actor: Actor | None = None) -> JsonObject:
        """Applies for a role: applicationId, role, capabilities, profile, expiresAtHeight.

        :returns: the receipt; approved at once where it holds the event OperatorInvitationCreated
        """
        return self.run(self.api.apply(self._signer(actor), application))

    def claim(self, invitation_id: str, *, actor: Actor | None = None) -> JsonObject:
        """Claims an invitation, which installs the role that was applied for.

        :param invitation_id: the transition hash of the approval
        """
        return self.run(self.api.claim(self._signer(actor), invitation_id))

    def rotate_key(self, new_key: AgentKey) -> JsonObject:
        """Replaces the key of the client's actor, which signs with the new one from then on.

        :returns: the receipt
        """
        actor = self._signer(None)
        receipt = self.run(self.api.rotate_key(actor, new_key))
        self.actor = actor._replace(key=new_key)
        return receipt

    def grant_session(
        self,
        key: AgentKey,
        actions: Sequence[str],
        budget: int,
        *,
        session_id: str | None = None,
        expires_at_height: int | None = None,
        max_amount: int | None = None,
        label: str | None = None,
    ) -> Actor:
        """Lets another key act for the client's actor, within bounds that the chain enforces.

        :param actions: which ones, of those that the actor may do itself
        :param budget: what may leave the account through the session, ever, in unet
        :param max_amount: what one action may move at most, in unet
        :returns: who signs with it: ``NetClient(url, actor_id=…, key=…, session_id=…)``, or ``act(…, actor=…)``
        """
        actor = self._signer(None)
        return self.run(
            self.api.grant_session(actor, key, actions, budget, session_id, expires_at_height, max_amount, label)
        )

    def events(
        self,
        *,
        after: str | None = None,
        agent: str | None = None,
        order: str | None = None,
        type: str | None = None,
        silence: float = 45.0,
    ) -> Iterator[NetEvent]:
        """Every event from ``after`` on, once and in order, without end, over broken connections too.

        :param after: id of the last event seen; without it, what happens from now on; ``0.0`` begins at genesis
        :param agent: events that name this actor; ``order`` and ``type`` likewise
        :param silence: seconds after which a connection counts as broken; heartbeats come every 15
        :raises NetError: where the node refuses the request itself (a 4xx other than 429)
        """
        filters = {"agent": agent, "order": order, "type": type}
        return follow(self.driver, self.api, filters, after, silence)


class AsyncNetClient(_Client):
    """The same in asyncio. Every method does what the one of :class:`NetClient` does, awaited.

    :param http: an ``httpx.AsyncClient`` of the caller's own, who then closes it
    """

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        actor_id: str | None = None,
        key: AgentKey | None = None,
        session_id: str | None = None,
        timeout: float = 30.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(url, actor_id, key, session_id, timeout)
        self._own = http is None
        self.driver = AsyncDriver(http or httpx.AsyncClient())

    async def close(self) -> None:
        """Closes its connections."""
        if self._own:
            await self.driver.http.aclose()

    async def __aenter__(self) -> AsyncNetClient:
        """The client; it closes at the end of the block."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes its connections."""
        await self.close()

    async def run(self, flow: Flow[T]) -> T:
        """Runs a flow of this package."""
        return await self.driver.run(flow)

    async def read(self, path: str, /, **parameters: Parameter) -> JsonObject:
        """As :meth:`NetClient.read`."""
        return await self.run(self.api.read(path, parameters))

    async def pages(self, path: str, /, **parameters: Parameter) -> AsyncIterator[JsonObject]:
        """As :meth:`NetClient.pages`."""
        page = await self.run(self.api.next_page(path, parameters, None))
        while page is not None:
            yield page
            page = await self.run(self.api.next_page(path, parameters, page))

    async def items(self, path: str, member: str, /, **parameters: Parameter) -> AsyncIterator[JsonObject]:
        """As :meth:`NetClient.items`."""
        async for page in self.pages(path, **parameters):
            for item in page[member]:
                yield item

    async def text(self, path: str) -> str:
        """As :meth:`NetClient.text`."""
        return await self.run(self.api.text(path))

    async def network(self) -> JsonObject:
        """As :meth:`NetClient.network`."""
        return await self.run(self.api.network())

    async def agent_trust(self) -> JsonObject:
        """As :meth:`NetClient.agent_trust`."""
        return await self.read("/v1/agent-trust")

    async def compare_trust_reports(self, origins: Sequence[str]) -> TrustComparison:
        """As :meth:`NetClient.compare_trust_reports`."""
        return await self.run(compare([self.url, *origins], self.api.timeout))

    async def act(
        self, action: str, payload: Mapping[str, Any] | None = None, *, actor: Actor | None = None
    ) -> JsonObject:
        """As :meth:`NetClient.act`."""
        return await self.run(self.api.act(self._signer(actor), action, payload or {}))

    async def send(self, path: str, envelope: Mapping[str, Any]) -> JsonObject:
        """As :meth:`NetClient.send`."""
        return await self.run(self.api.submit(path, envelope))

    async def simulate(
        self, action: str, payload: Mapping[str, Any] | None = None, *, actor_id: str | None = None
    ) -> JsonObject:
        """As :meth:`NetClient.simulate`."""
        return await self.run(self.api.simulate(actor_id or self._signer(None).actor_id, action, payload or {}))

    async def register(
        self, description: str | None = None, *, referrer_agent_id: str | None = None, actor: Actor | None = None
    ) -> JsonObject:
        """As :meth:`NetClient.register`."""
        return await self.run(self.api.register(self._signer(actor), description, referrer_agent_id))

    async def apply(self, application: Mapping[str, Any], *, actor: Actor | None = None) -> JsonObject:
        """As :meth:`NetClient.apply`."""
        return await self.run(self.api.apply(self._signer(actor), application))

    async def claim(self, invitation_id: str, *, actor: Actor | None = None) -> JsonObject:
        """As :meth:`NetClient.claim`."""
        return await self.run(self.api.claim(self._signer(actor), invitation_id))

    async def rotate_key(self, new_key: AgentKey) -> JsonObject:
        """As :meth:`NetClient.rotate_key`."""
        actor = self._signer(None)
        receipt = await self.run(self.api.rotate_key(actor, new_key))
        self.actor = actor._replace(key=new_key)
        return receipt

    async def grant_session(
        self,
        key: AgentKey,
        actions: Sequence[str],
        budget: int,
        *,
        session_id: str | None = None,
        expires_at_height: int | None = None,
        max_amount: int | None = None,
        label: str | None = None,
    ) -> Actor:
        """As :meth:`NetClient.grant_session`."""
        actor = self._signer(None)
        return await self.run(
            self.api.grant_session(actor, key, actions, budget, session_id, expires_at_height, max_amount, label)
        )

    def events(
        self,
        *,
        after: str | None = None,
        agent: str | None = None,
        order: str | None = None,
        type: str | None = None,
        silence: float = 45.0,
    ) -> AsyncIterator[NetEvent]:
        """As :meth:`NetClient.events`."""
        filters = {"agent": agent, "order": order, "type": type}
        return follow_async(self.driver, self.api, filters, after, silence)
