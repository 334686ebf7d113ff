"""The client of one node: reads, and actions signed by one actor."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..api import Actor
from ..arguments import SHORTEST, checked, require_seconds, require_text
from ..errors import NetError
from ..events import SILENCE, NetEvent, cursor_of
from ..key import AgentKey
from ..protocol.canonical_json import JsonObject
from ..trust_comparison import TrustComparison, compare
from .calls import AsyncCalls
from .events import follow

if TYPE_CHECKING:
    from ..documents import AgentTrustReport, NetworkStatus, NetworkStatusRules, Receipt, TracedTransition


@checked
class AsyncNetClient(AsyncCalls):
    """A client of one node, in asyncio.

    :param url: base URL
    :param actor_id: the actor, with its ``key``; with ``session_id``, ``key`` is the session's
    :param timeout: seconds for a whole answer
    :param http: an ``httpx.AsyncClient`` that the caller closes
    :param control_token: secret for laboratory calls and unsigned writes; default, for a node on this machine:
        ``$NET_CONTROL_TOKEN``, else the file in ``~/.netd/control``
    """

    async def get(self, path: str, *, timeout: float | None = None) -> JsonObject:
        """Reads any path, untyped.

        :param path: with its query, for example ``/v1/agents/alice``
        :param timeout: seconds for the whole call; default none
        :raises NetError: if the request fails
        """
        return await self.run(self.api.get(path), timeout)

    async def post(self, path: str, body: Mapping[str, Any], *, timeout: float | None = None) -> JsonObject:
        """Sends an unsigned document, and retries while the node is busy. Use ``send`` for envelopes.

        :param timeout: seconds for the whole call; default none
        :raises NetError: if the node refuses
        """
        return await self.run(self.api.post(path, body), timeout)

    async def text(self, path: str, *, timeout: float | None = None) -> str:
        """Reads a text resource, for example ``/llms.txt``.

        :param timeout: seconds for the whole call; default none
        """
        return await self.run(self.api.text(path), timeout)

    async def network(self, *, timeout: float | None = None) -> NetworkStatus:
        """Reads the network status: chain, height, rules, registration.

        :param timeout: seconds for the whole call; default none
        :raises NetError: UNREACHABLE, NOT_A_NODE
        """
        return await self.run(self.api.network(), timeout)

    async def rules(self, *, timeout: float | None = None) -> NetworkStatusRules:
        """Returns the active version of the rules and the scheduled one.

        :param timeout: seconds for the whole call; default none
        :raises NetError: UNREACHABLE, NOT_A_NODE
        """
        return (await self.network(timeout=timeout))["rules"]

    def name_genesis(self, genesis_hash: str) -> None:
        """Adds this genesis hash to every envelope from now on, which binds the envelope to that chain.

        The client does this itself once the node reports version 2 of the rules. Call it only if you have proven that
        version: before version 2, nodes refuse such envelopes.
        """
        self.api.name_genesis(genesis_hash)

    async def agent_trust(self, *, timeout: float | None = None) -> AgentTrustReport:
        """Reads the trust report of this origin: evidence, never a permission score.

        :param timeout: seconds for the whole call; default none
        """
        return await self.read("/v1/agent-trust", timeout=timeout)

    async def compare_trust_reports(self, origins: Sequence[str], *, timeout: float | None = None) -> TrustComparison:
        """Compares the trust report of this node with those of other origins.

        :param timeout: seconds for the whole call; default none
        :raises ValueError: if there are more than 32 origins
        """
        return await self.run(compare([self.url, *origins], self.api.timeout), timeout)

    async def trace(self, transition: str | Mapping[str, Any], *, timeout: float | None = None) -> TracedTransition:
        """Reads a committed transition with its checks, reads and writes. Only laboratory nodes answer.

        :param transition: its hash, or its receipt
        :param timeout: seconds for the whole call; default none
        :raises NetError: TRANSITION_NOT_FOUND, NOT_A_LABORATORY; use ``netd trace`` with a data directory instead
        """
        transition_hash: Any = transition if isinstance(transition, str) else transition.get("transitionHash")
        require_text("transition", transition_hash)
        return await self.read("/v1/lab/trace", transition=transition_hash, timeout=timeout)

    async def send(self, path: str, envelope: Mapping[str, Any], *, timeout: float | None = None) -> Receipt:
        """Sends a signed envelope. Repeating it is safe: a committed envelope gets its receipt again.

        :param path: for example ``/v1/intents``
        :param timeout: seconds for the whole call; default none
        :raises NetError: if the node refuses; the envelope has no effect
        :raises LostAnswerError: if the outcome is unknown
        """
        return await self.run(self.api.submit(path, envelope), timeout)

    async def register(
        self,
        description: str | None = None,
        *,
        referrer_agent_id: str | None = None,
        actor: Actor | None = None,
        timeout: float | None = None,
    ) -> Receipt:
        """Registers the actor as an agent, under its key.

        If the network asks for work per name (``registration`` of ``network()``), computes it first; 20 bits take
        seconds.

        :param timeout: seconds for the whole call; default none
        :raises NetError: AGENT_EXISTS and other refusals
        """
        return await self.run(self.api.register(self._signer(actor), description, referrer_agent_id), timeout)

    async def apply(
        self, application: Mapping[str, Any], *, actor: Actor | None = None, timeout: float | None = None
    ) -> Receipt:
        """Applies for a role.

        :param application: applicationId, role, capabilities, profile, expiresAtHeight
        :param timeout: seconds for the whole call; default none
        :returns: the receipt; the application is approved if it contains the event OperatorInvitationCreated
        """
        return await self.run(self.api.apply(self._signer(actor), application), timeout)

    async def claim(self, invitation_id: str, *, actor: Actor | None = None, timeout: float | None = None) -> Receipt:
        """Claims an invitation, which grants the role.

        :param invitation_id: the transition hash of the approval
        :param timeout: seconds for the whole call; default none
        """
        return await self.run(self.api.claim(self._signer(actor), invitation_id), timeout)

    async def rotate_key(self, new_key: AgentKey, *, timeout: float | None = None) -> Receipt:
        """Replaces the actor's key. The client then signs with the new key.

        :param timeout: seconds for the whole call; default none
        """
        actor = self._signer(None)
        receipt = await self.run(self.api.rotate_key(actor, new_key), timeout)
        self.actor = actor._replace(key=new_key)
        return receipt

    async def grant_session(
        self,
        key: AgentKey,
        actions: Sequence[str],
        budget: str | int,
        *,
        session_id: str | None = None,
        expires_at_height: int | None = None,
        max_amount: str | int | None = None,
        label: str | None = None,
        timeout: float | None = None,
    ) -> Actor:
        """Grants a session key for the client's actor, within limits that the chain enforces.

        :param actions: allowed actions, a subset of the actor's
        :param budget: total that the session may spend: ``'5 NET'``, or unet
        :param max_amount: limit per action
        :param timeout: seconds for the whole call; default none
        :returns: the session's actor, for ``AsyncNetClient(url, actor_id=…, key=…, session_id=…)`` or ``act(…,
            actor=…)``
        """
        actor = self._signer(None)
        return await self.run(
            self.api.grant_session(
                actor,
                key,
                actions=actions,
                budget=budget,
                session_id=session_id,
                expires_at_height=expires_at_height,
                max_amount=max_amount,
                label=label,
            ),
            timeout,
        )

    def events(
        self,
        *,
        after: str | None = None,
        agent: str | None = None,
        order: str | None = None,
        type: str | None = None,
        silence: float = SILENCE,
        since: str | None = None,
        genesis_hash: str | None = None,
        refused: Callable[[NetError], None] | None = None,
        timeout: float | None = None,
    ) -> AsyncIterator[NetEvent]:
        """Yields the events after ``after`` or ``since``, each once and in order, until the client is closed.

        It reconnects as needed. If blocks are reverted or replaced, the feed continues after the last block that both
        chains have.

        :param after: id of the last event seen; default now; ``0.0`` begins at genesis
        :param agent: only events that name this actor; ``order`` and ``type`` likewise
        :param silence: seconds after which a connection counts as broken; heartbeats come every 15
        :param since: the ``cursor`` of the last event that you handled; resumes after it, in a new process too; takes
            the place of ``after`` and ``genesis_hash``
        :param genesis_hash: the chain to follow; default the node's
        :param refused: called before a retry if the node refuses the stream for now, for example with too many open
        :param timeout: seconds until the feed ends, checked at each heartbeat; default never
        :raises NetError: if the node itself refuses the request (a 4xx other than 429, not the page of a proxy);
            HISTORY_NOT_HELD if it lacks the blocks since the cursor
        :raises AgentError: CHAIN_REPLACED if the node serves another chain; ARGUMENT_INVALID if ``after`` or ``since``
            is invalid
        """
        cursor = cursor_of(since, after, genesis_hash)
        require_seconds("silence", silence, least=SHORTEST)
        if timeout is not None:
            require_seconds("timeout", timeout, least=SHORTEST)
        filters = {"agent": agent, "order": order, "type": type}
        return follow(self.driver, self.api, filters, cursor=cursor, silence=silence, refused=refused, timeout=timeout)
