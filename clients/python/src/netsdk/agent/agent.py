"""The agent in asyncio; ``blocking.py`` is the same for programs without it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..api import Actor
from ..arguments import (
    require_blob_hash,
    require_count,
    require_handler,
    require_lists,
    require_mapping,
    require_seconds,
    require_text,
)
from ..completion import fresh_id
from ..key import AgentKey
from ..key_file import add_encryption_key, ensure_keyring, signing_key_path
from ..protocol.canonical_json import JsonObject
from .acts import AsyncActs
from .beacon import BeaconOptions
from .deliverable import JobResult
from .emitter import print_line
from .errors import AgentError
from .failpoints import Reach
from .findings import Finding, findings_of
from .handlers import Handlers
from .hire import HireOptions, Span, hire_once, hired_before
from .hired import AsyncHired
from .join import join_once
from .lifecycle import Lifecycle
from .memory import Memory
from .messages import (
    Message,
    MessageContent,
    MessageKind,
    SentMessage,
    acknowledge_once,
    await_answer,
    content_bytes,
    open_message,
    send_message,
)
from .opening import (
    ACTOR_ID,
    Identity,
    OpenOptions,
    Permissions,
    assemble,
    connected,
    missing_sealing_key,
    network_of,
    require_chain,
)
from .order_acts import dispute_once, release_once
from .order_worker import OrderWorker, WorkOptions
from .own_acts import act_once
from .parts import Parts, ends_with_agent
from .retrying_client import RetryingClient
from .runtime_worker import RuntimeHandler, RuntimeWorker
from .scope import require_sound_scope
from .session import LIFETIME, grant_session, read_session, require_live
from .work_offer import WorkOffer
from .work_steps import accept_once, deliver_once, input_of, offer_of

#: Seconds to wait for an answer.
ANSWER_TIMEOUT = 120.0


class AsyncAgent(AsyncActs, Handlers):
    """An agent; made by :meth:`open`.

    :ivar agent_id: its name on the chain
    :ivar chain_id: the chain it lives on
    :ivar client: everything else the node offers, signed by the agent where it acts
    """

    def __init__(
        self,
        parts: Parts,
        lifecycle: Lifecycle,
        actor: Actor,
        *,
        keys: Path | str | None,
        passphrase: str | None = None,
    ) -> None:
        self.agent_id = parts.agent_id
        self.chain_id = parts.chain_id
        self.client = parts.client.net_client
        self._parts = parts
        self._lifecycle = lifecycle
        self._actor = actor
        self._keys = keys
        self._passphrase = passphrase

    @classmethod
    async def open(
        cls,
        agent_id: str,
        *,
        url: str | None = None,
        capabilities: Sequence[str] = ("general",),
        description: str | None = None,
        referrer: str | None = None,
        blobs: Sequence[str] = (),
        trusted_origins: Sequence[str] = (),
        genesis_hash: str | None = None,
        endpoint: str | None = None,
        protocols: Sequence[str] = ("NET-AGENT-MESSAGE/1",),
        prices: Sequence[dict[str, Any]] | None = None,
        links: Sequence[dict[str, Any]] | None = None,
        passphrase: str | None = None,
        keys: Path | str | None = None,
        memory: bool = True,
        runtime: str | None = None,
        log: Callable[[str], None] | None = print_line,
        reach: Reach | None = None,
    ) -> AsyncAgent:
        """Makes or loads the keys, joins once, takes up what was in hand, and publishes a beacon that is not current.

        :param url: base address of the node; default ``$NET_URL``, else a node on this machine
        :param capabilities: what it offers to do; orders are matched by it
        :param description: public: stands in its registration and its metadata
        :param referrer: the agent that recruited it
        :param blobs: origins of ``netd blobs``; without them those that the network announces
        :param trusted_origins: stores that may be asked whatever their address is. Another agent's word is enough for
            public addresses and for those of the private network that the node is in; loopback and other private
            addresses have to be named here or in ``blobs``
        :param genesis_hash: what the chain begins with, known from somewhere other than the node: with it the agent
            believes nothing that decides without a proof: orders, senders, others' keys, its memory, receipts, heights
        :param endpoint: https, for the beacon; without it where its metadata can be fetched
        :param protocols: how it can be spoken to
        :param passphrase: seals the key files that are made, and opens sealed ones
        :param keys: the directory of key files; default ``$NET_HOME``, else ``~/.netd/keys``
        :param memory: False leaves ``memory`` out
        :param runtime: the runtime that this is, where the memory was handed over to one: it is taken up there alone
        :param log: gets one line for events without a listener; None for silence
        :param reach: for tests: called at named moments
        :raises AgentError: with a code of ``AGENT_ERRORS``
        :raises KeyFileError: where a key file cannot be used
        :raises NetError: where the chain refuses something
        """
        if not isinstance(agent_id, str) or not ACTOR_ID.fullmatch(agent_id):
            raise AgentError("AGENT_ID_INVALID", repr(agent_id))
        require_lists(capabilities=capabilities, blobs=blobs, trusted_origins=trusted_origins, protocols=protocols)
        options = OpenOptions(
            keys,
            blobs,
            trusted_origins,
            capabilities=capabilities,
            runtime=runtime,
            anchor=genesis_hash,
            log=log,
            reach=reach,
        )
        async with connected(url) as client:
            network = await network_of(client)
            chain_id = network["chainId"]
            was_here = signing_key_path(keys, chain_id, agent_id).exists()
            key = AgentKey.ensure(agent_id, chain_id, directory=keys, passphrase=passphrase)
            missing = None
            if was_here:
                missing = await missing_sealing_key(Actor(agent_id, key), client, chain_id, keys=keys, blobs=blobs)
            encryption = ensure_keyring(agent_id, chain_id, directory=keys, passphrase=passphrase)
            actor = Actor(agent_id, key)

            async def enter(client: RetryingClient) -> Permissions:
                await join_once(client, actor, description, referrer)
                return Permissions(BeaconOptions(description or "", protocols, endpoint, prices, links), memory)

            parts, lifecycle = await assemble(Identity(actor, encryption), client, network, options, enter=enter)
            if missing is not None:
                parts.events.emit("warning", code=missing.code, message=str(missing))
            return cls(parts, lifecycle, actor, keys=keys, passphrase=passphrase)

    @classmethod
    async def open_session(
        cls,
        session: Path | str | Mapping[str, Any],
        *,
        url: str | None = None,
        capabilities: Sequence[str] = ("general",),
        blobs: Sequence[str] = (),
        trusted_origins: Sequence[str] = (),
        genesis_hash: str | None = None,
        keys: Path | str | None = None,
        memory: bool = True,
        runtime: str | None = None,
        log: Callable[[str], None] | None = print_line,
        reach: Reach | None = None,
    ) -> AsyncAgent:
        """Acts for an agent under a session that it has granted: its own key can stay away from this machine. What the
        session may not do is not done: without commitMemoryCheckpoint there is no memory. The beacon stays the agent's.

        :param session: the path of the file that ``grant_session`` wrote, of either SDK, or its content
        :param runtime: as ``open`` takes it
        :raises AgentError: SESSION_FILE_INVALID, KEY_FILE_READABLE, SESSION_ENDED, CHAIN_MISMATCH, as ``open`` does
        """
        require_lists(capabilities=capabilities, blobs=blobs, trusted_origins=trusted_origins)
        file = read_session(session)
        if not all(map(ACTOR_ID.fullmatch, (file.actor_id, file.session_id))):
            raise AgentError("SESSION_FILE_INVALID")
        options = OpenOptions(
            keys,
            blobs,
            trusted_origins,
            capabilities=capabilities,
            runtime=runtime,
            anchor=genesis_hash,
            log=log,
            reach=reach,
        )
        async with connected(url) as client:
            network = await network_of(client)
            require_chain(network["chainId"], file.chain_id)
            actor = Actor(file.actor_id, file.key, file.session_id)

            async def enter(client: RetryingClient) -> Permissions:
                actions = await require_live(client, file)
                reads = memory and "commitMemoryCheckpoint" in actions and file.encryption is not None
                return Permissions(beacon=None, memory=reads)

            parts, lifecycle = await assemble(Identity(actor, file.encryption), client, network, options, enter=enter)
            return cls(parts, lifecycle, actor, keys=keys)

    @ends_with_agent
    async def grant_session(
        self,
        *,
        actions: Sequence[str],
        budget: str | int,
        max_amount: str | int | None = None,
        expires_in: int = LIFETIME,
        label: str | None = None,
        reads_sealed: bool | None = None,
    ) -> Path:
        """Lets another key act for the agent, within bounds, and writes the file that ``open_session`` takes. Extends
        the agent's capabilities by the actions that it lacks.

        :param actions: of the agent, that the session may do
        :param budget: what may leave the account by it, ever: ``'5 NET'``, or unet
        :param max_amount: what one act may take
        :param expires_in: heights from now
        :param label: public
        :param reads_sealed: whether it may read messages, sealed scopes and memory; without it where its actions are
            about those
        :returns: the file, among the keys
        :raises AgentError: AMOUNT_INVALID, SESSION_CANNOT_GRANT where this is a session itself
        :raises NetError: with the code of a refusal
        """
        require_lists(actions=actions)
        require_count("expires_in", expires_in)
        if self._actor.session_id is not None:
            raise AgentError("SESSION_CANNOT_GRANT")
        return await grant_session(
            self._parts,
            self._keys,
            actions=actions,
            budget=budget,
            max_amount=max_amount,
            expires_in=expires_in,
            label=label,
            reads_sealed=reads_sealed,
        )

    def _listen(self, name: str, listener: Callable[..., Any]) -> None:
        self._parts.events.on(name, listener)

    def _take_work(self, options: WorkOptions, handler: Callable[..., Any]) -> None:
        require_handler("on_work", handler)
        require_count("concurrency", options.concurrency)
        if options.capabilities is not None:
            require_lists(capabilities=options.capabilities)
        self._lifecycle.require_room("on_work", bool(self._lifecycle.order_workers))
        self._lifecycle.order_workers.append(OrderWorker(self._parts, options, handler))

    def _take_messages(self, handler: Callable[[Message], Any]) -> None:
        self._parts.require_secret()
        require_handler("on_message", handler)
        self._lifecycle.require_room("on_message", self._lifecycle.handler is not None)
        self._lifecycle.handler = handler

    def _take_handovers(self, handler: RuntimeHandler) -> None:
        self._parts.require_secret()
        require_handler("on_handover", handler)
        self._lifecycle.require_room("on_handover", bool(self._lifecycle.runtime_workers))
        self._lifecycle.runtime_workers.append(RuntimeWorker(self._parts, handler))

    @property
    def memory(self) -> Memory:
        """What the agent remembers.

        :raises AgentError: MEMORY_OFF
        """
        if self._lifecycle.memory is None:
            raise AgentError("MEMORY_OFF")
        return self._lifecycle.memory

    @property
    def is_running(self) -> bool:
        """Whether ``run`` is under way."""
        return self._lifecycle.is_running

    @ends_with_agent
    async def rotate_encryption_key(self) -> str:
        """Makes a new X25519 key for others to seal to and publishes it with the beacon. Those of before stay: what was
        sealed to them, and what is on its way, is still opened. Sessions have the keys of the day they were granted.

        :returns: the kid of the new one
        :raises AgentError: SESSION_CANNOT_ROTATE
        :raises NetError: what publishing a beacon raises: then the key is published later
        """
        if self._actor.session_id is not None:
            raise AgentError("SESSION_CANNOT_ROTATE")
        self._parts.encryption = add_encryption_key(
            self.agent_id, self.chain_id, directory=self._keys, passphrase=self._passphrase
        )
        self._parts.reach("key.kept", None)
        await self._lifecycle.publish_beacon()
        return str(self._parts.require_secret()["kid"])

    @ends_with_agent
    async def _act(self, action: str, payload: Mapping[str, Any], id: str | None) -> JsonObject:
        require_text("action", action)
        require_mapping("payload", payload)
        return await act_once(self._parts, action, payload, id)

    @ends_with_agent
    async def store(self, content: MessageContent) -> str:
        """Stores a blob at every known store. A work scope is checked first: what cannot be judged is not offered.

        :returns: its hash
        :raises AgentError: BLOB_ORIGIN_UNKNOWN, BLOB_NOT_STORED
        :raises FormatError: SCOPE_UNJUDGEABLE, DOCUMENT_INVALID for a scope
        """
        require_sound_scope(content)
        return (await self._parts.origins.put(content_bytes(content)))[0]

    @ends_with_agent
    async def fetch(self, blob_hash: str, origins: Sequence[str] = ()) -> bytes:
        """The bytes of a hash from the first store that has them.

        :param origins: where else to ask: public addresses, or origins of ``trusted_origins``
        :raises AgentError: BLOB_NOT_FOUND where all say that they do not have them, else BLOB_UNAVAILABLE;
            ARGUMENT_INVALID for what is no hash
        """
        require_blob_hash(blob_hash)
        require_lists(origins=origins)
        found = await self._parts.origins.read(blob_hash, origins)
        if found is None:
            raise AgentError("BLOB_NOT_FOUND", blob_hash)
        return found

    @ends_with_agent
    async def send(
        self,
        to_agent_id: str,
        content: MessageContent,
        *,
        kind: MessageKind = "EVENT",
        conversation_id: str | None = None,
        reply_to: str | None = None,
        message_id: str | None = None,
    ) -> SentMessage:
        """Sends a sealed message that asks for no answer.

        :param message_id: which the chain takes once
        :raises AgentError: RECIPIENT_HAS_NO_KEY, BLOB_UNAVAILABLE, BLOB_NOT_STORED
        :raises NetError: with the code of a refusal
        """
        require_text("to_agent_id", to_agent_id)
        return await send_message(
            self._parts,
            to_agent_id,
            content,
            kind,
            conversation_id=conversation_id,
            reply_to=reply_to,
            message_id=message_id,
        )

    async def ask(
        self,
        to_agent_id: str,
        content: MessageContent,
        *,
        timeout: float = ANSWER_TIMEOUT,
        conversation_id: str | None = None,
    ) -> Message:
        """Sends a sealed question and waits for its answer.

        :param timeout: seconds
        :raises AgentError: ANSWER_TIMEOUT, MESSAGE_REJECTED, and what ``send`` raises
        """

        require_text("to_agent_id", to_agent_id)
        require_seconds("timeout", timeout)

        def begin() -> Coroutine[Any, Any, Message]:
            return asyncio.wait_for(self._ask(to_agent_id, content, timeout, conversation_id), timeout)

        try:
            return await self._parts.live(begin)
        except asyncio.TimeoutError:
            raise AgentError("ANSWER_TIMEOUT", f"{timeout} s") from None

    async def _ask(
        self, to_agent_id: str, content: MessageContent, timeout: float, conversation_id: str | None
    ) -> Message:
        self._parts.require_secret()
        # The answer is sealed to the key that the beacon publishes.
        await self._lifecycle.catch_up_on_beacon()
        self._lifecycle.listen_for_own()
        message_id = fresh_id("m")
        # Noted before it is sent, because the answer may be there before the receipt.
        self._lifecycle.asked.add(message_id)
        try:
            sent = await send_message(
                self._parts,
                to_agent_id,
                content,
                "REQUEST",
                conversation_id=conversation_id,
                reply_to=None,
                message_id=message_id,
                timeout=timeout,
            )
            return await await_answer(self._parts, sent, to_agent_id, timeout)
        finally:
            self._lifecycle.asked.discard(message_id)

    @ends_with_agent
    async def hire(
        self,
        *,
        title: str,
        instructions: str,
        acceptance: Sequence[Mapping[str, Any]],
        funding: str | int,
        id: str | None = None,
        inputs: Sequence[Mapping[str, Any]] = (),
        deliverable: Mapping[str, Any] | None = None,
        job_type: str = "general",
        requirements: Sequence[str] | None = None,
        worker: str | None = None,
        worker_bond: str | int = 0,
        verification_fee_bps: int | None = None,
        validation_policy: Mapping[str, Any] | None = None,
        accept_within: Span | None = None,
        deliver_within: Span | None = None,
        verify_within: Span | None = None,
        review_anyway: bool = False,
        unverified_anyway: bool = False,
    ) -> AsyncHired:
        """Has others do something: checks all that can be known before money moves, stores the scope, puts the funding
        and the verifiers' fee into escrow once, and answers with what follows the order.

        :param title: public; at most 140 characters
        :param instructions: what is to be done; readable by every worker
        :param acceptance: conditions of NET-WORK-SCOPE/1; all of it has to be met
        :param funding: what the worker gets: ``'5 NET'``, or unet; the verifiers' fee comes on top of it
        :param id: of the order: the same call is the same order, whatever dies in between; a new one where left out
        :param inputs: blobs to work with, stored before
        :param deliverable: what is to be delivered; default text/plain of at most 65,536 bytes
        :param job_type: its kind, as workers look for it
        :param requirements: capabilities that fit, as in beacons
        :param worker: the one agent that may take it; default: any
        :param worker_bond: what the worker locks until it delivers
        :param review_anyway: offers a ``review`` also where all verifiers are programs: they vote UNJUDGEABLE, and keep
            their fee
        :param unverified_anyway: offers an order although no committee of this network could accept a result now;
            workers of the SDKs leave it alone
        :raises FormatError: SCOPE_UNJUDGEABLE, DOCUMENT_INVALID
        :raises AgentError: AMOUNT_INVALID, REVIEW_NEEDS_A_MIND, ORDER_UNVERIFIABLE, INPUT_MISSING, ACT_ID_USED
            where the id names another order, BLOB_NOT_STORED
        :raises NetError: WORK_SPAN_TOO_SHORT, INSUFFICIENT_BALANCE and whatever else the chain would refuse; nothing
            has been paid then
        """
        if requirements is not None:
            require_lists(requirements=requirements)
        options = HireOptions(
            title=title,
            instructions=instructions,
            acceptance=acceptance,
            funding=funding,
            id=id,
            inputs=inputs,
            deliverable=deliverable,
            job_type=job_type,
            requirements=requirements,
            worker=worker,
            worker_bond=worker_bond,
            verification_fee_bps=verification_fee_bps,
            validation_policy=validation_policy,
            accept_within=accept_within,
            deliver_within=deliver_within,
            verify_within=verify_within,
            review_anyway=review_anyway,
            unverified_anyway=unverified_anyway,
        )
        return await hire_once(self._parts, options)

    @ends_with_agent
    async def hired(self, order_id: str) -> AsyncHired:
        """An order that this agent has hired for, by its id.

        :raises AgentError: NOT_YOUR_ORDER, SCOPE_MISSING
        :raises NetError: where there is no such order
        """
        return await hired_before(self._parts, order_id)

    @ends_with_agent
    async def release(self, order_id: str) -> JsonObject:
        """Gives back an order that the agent has accepted and cannot do, before its deadline: its bond comes back,
        nothing is held against it, and the order is open for others.

        :raises NetError: WORK_ORDER_NOT_ACCEPTED, NOT_WORK_AGENT
        """
        return await release_once(self._parts, order_id)

    @ends_with_agent
    async def dispute(self, order_id: str, reason: str, *, bond: str | int | None = None) -> JsonObject:
        """Disputes a verified order as its requester or worker, within the window; the reason is stored for the
        operator who decides, and a bond is locked until then.

        :param bond: exactly the bond that is agreed to: ``'1 NET'``, or unet; without it whatever the network asks
        :raises AgentError: BLOB_NOT_STORED
        :raises NetError: WORK_NOT_VERIFIED, DISPUTE_WINDOW_CLOSED
        """
        return await dispute_once(self._parts, order_id, reason, bond)

    @ends_with_agent
    async def offer(self, order_id: str) -> WorkOffer:
        """An order with its scope: fetched, checked against its hash, unsealed where it is sealed to this agent.

        :raises AgentError: SCOPE_MISSING, SCOPE_SEALED_TO_OTHERS, REQUESTER_HAS_NO_KEY
        :raises FormatError: where the scope breaks a rule
        """
        return await offer_of(self._parts, order_id)

    @ends_with_agent
    async def accept(self, order_id: str, *, worker_bond: str | int = 0) -> JsonObject:
        """Accepts an order once its scope could be fetched, read and judged; one that the agent has already stays.

        :param worker_bond: exactly the bond that is agreed to: ``'1 NET'``, or unet
        :returns: the order as it is now
        :raises AgentError: BOND_NOT_AGREED, and what ``offer`` raises
        :raises NetError: with the code of a refusal
        """
        return await accept_once(self._parts, order_id, worker_bond)

    @ends_with_agent
    async def findings(self, order_id: str) -> list[Finding]:
        """What the verifiers of an order found: words of others, content to judge and never instructions.

        :raises NetError: where there is no such order
        """
        order = (await self._parts.client.read("/v1/work-orders/{orderId}", orderId=order_id))["order"]
        return await findings_of(order, self._parts.origins)

    async def resume_work(self, job_type: str | None = None) -> None:
        """Takes work of a kind again that was paused after three rejections in a row; without one of all kinds."""
        for worker in self._lifecycle.order_workers:
            worker.resume(job_type)
        self._parts.poller.wake()

    @ends_with_agent
    async def input(self, offer: WorkOffer, name: str) -> bytes:
        """The bytes of an input that a scope names, checked against their hash.

        :raises AgentError: INPUT_UNKNOWN, BLOB_NOT_FOUND, BLOB_UNAVAILABLE
        """
        return await input_of(self._parts, offer, name)

    @ends_with_agent
    async def deliver(self, order_id: str, result: JobResult) -> str:
        """Judges a result as verifiers will, seals it where the scope was sealed, stores and commits it; what has been
        delivered already is not delivered again.

        :returns: the hash of what is delivered
        :raises AgentError: RESULT_INVALID, RESULT_UNMET, BLOB_NOT_STORED, and what ``offer`` raises
        :raises NetError: with the code of a refusal
        """
        return await deliver_once(self._parts, order_id, result)

    @ends_with_agent
    async def open_message(self, facts: Mapping[str, Any]) -> Message:
        """Fetches and unseals a message of the chain.

        :param facts: a row of ``/v1/agent-messages``
        :raises AgentError: BLOB_NOT_FOUND, BLOB_UNAVAILABLE
        :raises FormatError: where it is not sealed to this agent for this very message
        """
        await self._parts.client.prove_message(facts)
        return await open_message(self._parts, facts)

    @ends_with_agent
    async def acknowledge(self, facts: Mapping[str, Any]) -> None:
        """Says on the chain that a message was received; once.

        :raises NetError: with the code of a refusal
        """
        await acknowledge_once(self._parts, facts)

    async def run(self, *, signals: bool = True) -> None:
        """Works until ``stop``, or until its task is canceled, as ``asyncio.run`` does at Ctrl-C; the next start goes
        on with what is in hand. SIGTERM stops it too, on the main thread and if the program has no handler of its own
        for it; a program that has one calls ``stop`` itself.

        :param signals: False leaves SIGTERM alone
        :raises AgentError: SESSION_ENDED where it is the session that has ended
        """
        await self._lifecycle.run(signals)

    async def stop(self) -> None:
        """Ends it in order: what is under way is on disk, and the next start goes on."""
        await self._lifecycle.stop()
