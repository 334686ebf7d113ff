"""The agent for asyncio. ``blocking.py`` has the one for programs without asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from .._async.client import AsyncNetClient
from ..api import Actor
from ..arguments import (
    SHORTEST,
    checked,
    require_blob_hash,
    require_count,
    require_facts,
    require_handler,
    require_lists,
    require_mapping,
    require_seconds,
    require_text,
)
from ..completion import fresh_id
from ..key import AgentKey
from ..key_file import add_encryption_key, ensure_keyring, seal_plain_keys, secrets_in
from ..protocol.canonical_json import JsonObject
from .acts import AsyncActs
from .beacon import BeaconOptions
from .deliverable import JobResult
from .emitter import print_line
from .errors import AgentError
from .failpoints import Reach
from .findings import Finding, findings_of
from .handlers import Handlers
from .health import AgentHealth
from .hire import HireOptions, Span, Terms, hire_once, hired_before
from .hired import AsyncHired
from .home import AgentHome, HomePlace
from .join import join_once, require_free
from .lifecycle import Lifecycle, Ticked
from .memory import Memory
from .messages import (
    Message,
    MessageContent,
    MessageKind,
    SentMessage,
    acknowledge,
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
    opens_in_time,
    require_chain,
)
from .order_acts import dispute_once, release_once
from .order_worker import OrderWorker, WorkOptions
from .own_acts import ActId, act_once
from .parts import Bound, Parts, ends_with_agent
from .retrying_client import RetryingClient
from .runtime_worker import RuntimeHandler, RuntimeWorker
from .scope import require_sound_scope
from .service import Service, require_service
from .session import LIFETIME, grant_session, read_session, require_live
from .table import table_of
from .telemetry import Instruments, Telemetry
from .typed import HandlerOf, In, Out, codec_of, input_bytes, read_input
from .work_offer import WorkOffer
from .work_steps import accept_once, deliver_once, input_of, offer_of

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

#: Seconds.
ANSWER_TIMEOUT = 120.0
HEALTH_TIMEOUT = 5.0


@checked
class AsyncAgent(AsyncActs, Handlers):
    """An agent, opened by :meth:`open`.

    :ivar agent_id: its name on the chain
    :ivar chain_id: its chain
    :ivar client: client of the node, for everything else; signs writes as the agent
    """

    def __init__(
        self,
        parts: Parts,
        lifecycle: Lifecycle,
        actor: Actor,
        *,
        keys: Path | str | None,
        place: HomePlace = None,
        passphrase: str | None = None,
    ) -> None:
        self.agent_id = parts.agent_id
        self.chain_id = parts.chain_id
        self.client = parts.client.net_client
        self._parts = parts
        self._lifecycle = lifecycle
        self._actor = actor
        self._keys = keys
        self._place = place
        self._passphrase = passphrase

    @classmethod
    @opens_in_time
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
        home: AgentHome | None = None,
        memory: bool = True,
        runtime: str | None = None,
        standby: bool = False,
        telemetry: Telemetry | None = None,
        log: Callable[[str], None] | None = print_line,
        reach: Reach | None = None,
        timeout: float | None = None,
    ) -> AsyncAgent:
        """Creates or loads the keys, joins once, restores pending work, and publishes the beacon if it is outdated.

        A ``with`` block, ``async with`` for an AsyncAgent, stops the agent at its end. In a notebook, a cell that runs
        again with the same options stops the agent that it had opened before.

        :param url: address of the node; default ``$NET_URL``, else a node on this machine
        :param capabilities: skills of the agent; orders are matched by them
        :param description: public text of the registration and the metadata
        :param referrer: the agent that recruited this one
        :param blobs: origins of ``netd blobs``; default: those that the network announces
        :param trusted_origins: stores at loopback or private addresses that other agents may name. Public addresses,
            and the private network of the node, need no entry
        :param genesis_hash: trust anchor, from a source other than the node. With it the agent requires proofs of
            orders, senders, others' keys, its memory, receipts and heights
        :param endpoint: https URL in the beacon; default: where a store has the metadata
        :param protocols: protocols in the beacon
        :param passphrase: seals the agent's key files, also those that were plain before, and opens them
        :param keys: directory of key files; default ``$NET_HOME``, else ``~/.netd/keys``. State is in the directory
            ``agents`` beside it
        :param home: a store for keys and state that machines share, from ``netsdk.homes``; ``keys`` then has only
            the files of granted sessions
        :param memory: False opens the agent without ``memory``
        :param runtime: name of this runtime; needed if the memory was handed over to it
        :param standby: True waits while another process runs the agent, and takes over when that process ends. The
            processes share a directory on one machine, or a ``home``
        :param telemetry: tracer and meter of OpenTelemetry, for spans and metrics of jobs, orders, money and waits;
            needs ``netsdk[otel]``
        :param log: gets one line per event without a listener; None for silence
        :param reach: for tests: called at named moments
        :param timeout: seconds for opening, then CALL_TIMEOUT; default: as long as the node is away
        :raises AgentError: with a code of ``AGENT_ERRORS``
        :raises KeyFileError: if a key file cannot be used
        :raises NetError: if the chain refuses a step
        """
        if not isinstance(agent_id, str) or not ACTOR_ID.fullmatch(agent_id):
            raise AgentError("AGENT_ID_INVALID", repr(agent_id))
        require_lists(capabilities=capabilities, blobs=blobs, trusted_origins=trusted_origins, protocols=protocols)
        place = keys if home is None else home
        options = OpenOptions(
            place,
            blobs,
            trusted_origins,
            capabilities=capabilities,
            runtime=runtime,
            anchor=genesis_hash,
            log=log,
            reach=reach,
            standby=standby,
            telemetry=Instruments(telemetry),
        )
        async with connected(url) as client:
            network = await network_of(client)
            chain_id = network["chainId"]
            was_here = secrets_in(place, chain_id).read_secret(agent_id) is not None
            if not was_here:
                # Check before a key is written, because the name may belong to another agent.
                await require_free(client, agent_id)
            key = AgentKey.ensure(agent_id, chain_id, directory=place, passphrase=passphrase)
            missing = None
            if was_here:
                missing = await missing_sealing_key(Actor(agent_id, key), client, chain_id, keys=place, blobs=blobs)
            encryption = ensure_keyring(agent_id, chain_id, directory=place, passphrase=passphrase)
            seal_plain_keys(agent_id, chain_id, directory=place, passphrase=passphrase)
            actor = Actor(agent_id, key)

            async def enter(client: RetryingClient) -> Permissions:
                await join_once(client, actor, description, referrer)
                return Permissions(BeaconOptions(description or "", protocols, endpoint, prices, links), memory)

            parts, lifecycle = await assemble(Identity(actor, encryption), client, network, options, enter=enter)
            if missing is not None:
                parts.events.emit("warning", code=missing.code, message=str(missing))
            return cls(parts, lifecycle, actor, keys=keys, place=place, passphrase=passphrase)

    @classmethod
    @opens_in_time
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
        home: AgentHome | None = None,
        memory: bool = True,
        runtime: str | None = None,
        standby: bool = False,
        telemetry: Telemetry | None = None,
        log: Callable[[str], None] | None = print_line,
        reach: Reach | None = None,
        timeout: float | None = None,
    ) -> AsyncAgent:
        """Opens an agent under a session that it granted, without the agent's own key.

        The session publishes no beacon, and has a memory only if it may use commitMemoryCheckpoint.

        :param session: path or content of a file from ``grant_session`` of either SDK
        :param home: of this session alone, as in ``open``; the file of the session stays outside
        :param runtime: as in ``open``; ``standby`` and ``telemetry`` too
        :param timeout: as in ``open``
        :raises AgentError: SESSION_FILE_INVALID, KEY_FILE_READABLE, SESSION_ENDED, CHAIN_MISMATCH, and the codes of
            ``open``
        """
        require_lists(capabilities=capabilities, blobs=blobs, trusted_origins=trusted_origins)
        file = read_session(session)
        if not all(map(ACTOR_ID.fullmatch, (file.actor_id, file.session_id))):
            raise AgentError("SESSION_FILE_INVALID")
        place = keys if home is None else home
        options = OpenOptions(
            place,
            blobs,
            trusted_origins,
            capabilities=capabilities,
            runtime=runtime,
            anchor=genesis_hash,
            log=log,
            reach=reach,
            standby=standby,
            telemetry=Instruments(telemetry),
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
            return cls(parts, lifecycle, actor, keys=keys, place=place)

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
        timeout: float | None = None,
    ) -> Path:
        """Lets another key act for the agent within bounds, and writes the file for ``open_session``.

        Adds missing actions to the agent's own capabilities.

        :param actions: the agent's actions that the session may use
        :param budget: total that the session may spend: ``'5 NET'``, or unet
        :param max_amount: limit per act
        :param expires_in: lifetime in heights
        :param label: public
        :param reads_sealed: True if the session may read messages, sealed scopes and memory; default: if its actions
            need that
        :param timeout: seconds for the whole call; default none
        :returns: the file, in the key directory
        :raises AgentError: AMOUNT_INVALID, SESSION_CANNOT_GRANT under a session
        :raises NetError: with the code of a refusal
        """
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

    def _take_work(self, call: str, options: WorkOptions, handler_of: HandlerOf) -> None:
        require_count("concurrency", options.concurrency)
        if options.capabilities is not None:
            require_lists(capabilities=options.capabilities)
        self._lifecycle.require_room(call, bool(self._lifecycle.order_workers))
        self._lifecycle.order_workers.append(OrderWorker(self._parts, options, handler_of))

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
        """The agent's memory.

        :raises AgentError: MEMORY_OFF if the agent was opened without a memory
        """
        if self._lifecycle.memory is None:
            raise AgentError("MEMORY_OFF")
        return self._lifecycle.memory

    @property
    def is_running(self) -> bool:
        """True while ``run`` is running."""
        return self._lifecycle.is_running

    @ends_with_agent
    async def rotate_encryption_key(self, *, timeout: float | None = None) -> str:
        """Creates a new X25519 key for others to seal to, and publishes it with the beacon.

        Earlier keys stay, to open older content. Sessions keep the keys they were granted with.

        :param timeout: seconds for the whole call; default none
        :returns: the kid of the new key
        :raises AgentError: SESSION_CANNOT_ROTATE
        :raises NetError: if the beacon cannot be published; that is retried later
        """
        if self._actor.session_id is not None:
            raise AgentError("SESSION_CANNOT_ROTATE")
        self._parts.encryption = add_encryption_key(
            self.agent_id, self.chain_id, directory=self._place, passphrase=self._passphrase
        )
        self._parts.reach("key.kept", None)
        await self._lifecycle.publish_beacon()
        return str(self._parts.require_secret()["kid"])

    async def _act(
        self, action: str, payload: Mapping[str, Any], id: str | None, timeout: float | None = None
    ) -> JsonObject:
        require_text("action", action)
        require_mapping("payload", payload)
        act_id = ActId.of(id, "act")
        bound = Bound("act", timeout, {"id": act_id.id})
        return await self._parts.live(lambda: act_once(self._parts, action, payload, act_id), bound)

    @ends_with_agent
    async def store(self, content: MessageContent, *, timeout: float | None = None) -> str:
        """Stores a blob at every known store. Rejects a work scope that cannot be judged.

        :param timeout: seconds for the whole call; default none
        :returns: the hash of the blob
        :raises AgentError: BLOB_ORIGIN_UNKNOWN, BLOB_NOT_STORED
        :raises FormatError: SCOPE_UNJUDGEABLE, DOCUMENT_INVALID for a scope
        """
        require_sound_scope(content)
        return (await self._parts.origins.put(content_bytes(content)))[0]

    @ends_with_agent
    async def fetch(self, blob_hash: str, origins: Sequence[str] = (), *, timeout: float | None = None) -> bytes:
        """Returns the bytes of a hash from the first store that has them.

        :param origins: more stores: public addresses, or origins of ``trusted_origins``
        :param timeout: seconds for the whole call; default none
        :raises AgentError: BLOB_NOT_FOUND if no store has them, BLOB_UNAVAILABLE if a store failed, ARGUMENT_INVALID if
            it is not a hash
        """
        require_blob_hash(blob_hash)
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
        timeout: float | None = None,
    ) -> SentMessage:
        """Sends a sealed message without waiting for an answer.

        :param message_id: the chain accepts each id once
        :param timeout: seconds for the whole call; default none
        :raises AgentError: RECIPIENT_UNKNOWN, RECIPIENT_HAS_NO_KEY, BLOB_UNAVAILABLE, BLOB_NOT_STORED
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
        """Sends a sealed question, and returns the answer.

        :param timeout: seconds
        :raises AgentError: ANSWER_TIMEOUT, MESSAGE_REJECTED, and the codes of ``send``
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
        # The answer is sealed to the key in the beacon, so publish a due beacon first.
        await self._lifecycle.catch_up_on_beacon()
        self._lifecycle.listen_for_own()
        message_id = fresh_id("m")
        # Note the id before sending, because the answer may arrive before the receipt.
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

    @overload
    async def hire(self, *, returns: type[Out], **terms: Unpack[Terms]) -> AsyncHired[Out]: ...

    @overload
    async def hire(self, **terms: Unpack[Terms]) -> AsyncHired[None]: ...

    async def hire(
        self,
        *,
        title: str,
        instructions: str,
        funding: str | int,
        acceptance: Sequence[Mapping[str, Any]] = (),
        returns: Any = None,
        input: object = None,
        id: str | None = None,
        inputs: Sequence[Mapping[str, Any]] = (),
        deliverable: Mapping[str, Any] | None = None,
        job_type: str = "general",
        requirements: Sequence[str] | None = None,
        worker: str | None = None,
        worker_bond: str | int = 0,
        verification_fee_bps: int | None = None,
        validation_policy: Mapping[str, Any] | None = None,
        jury: Literal["none"] | None = None,
        provable: bool = False,
        sealed_votes: bool | None = None,
        accept_within: Span | None = None,
        deliver_within: Span | None = None,
        verify_within: Span | None = None,
        review_anyway: bool = False,
        unverified_anyway: bool = False,
        timeout: float | None = None,
    ) -> AsyncHired[Any]:
        """Orders work: checks the terms before money moves, stores the scope, and puts the funding and the verifiers'
        fee into escrow once.

        :param title: public; at most 140 characters
        :param instructions: the task; readable by every worker
        :param acceptance: conditions of NET-WORK-SCOPE/1, all required; one is needed unless ``returns`` is given
        :param returns: type of the result: a dataclass, a pydantic model, or a type made of them. Verifiers judge the
            result by its JSON Schema, and ``value`` of the result is of this type
        :param input: the input named ``input``: a JSON value, a dataclass or a pydantic model
        :param funding: the worker's pay: ``'5 NET'``, or unet; the verifiers' fee is extra
        :param id: idempotency key and order id, which all agents of the network share: a repeated call never pays
            twice; default: a new one
        :param inputs: blobs to work with, already stored
        :param deliverable: format of the result, of at most 65,536 bytes by default: text/plain, or application/json
            with ``returns``
        :param job_type: kind of work; workers filter by it
        :param requirements: capabilities, as in beacons; a worker needs one of them
        :param worker: the only agent that may accept the order; default: any
        :param worker_bond: stake that the worker locks
        :param jury: ``"none"``: no jury and no fee, so the worker is paid unless you dispute the result within
            ``verify_within``; from version 2 of the rules on
        :param provable: True: you or the worker can prove a verdict on ``sha256`` and ``json-schema`` conditions,
            whatever the jury says; a proof publishes the conditions and the result; from version 2 of the rules on
        :param sealed_votes: True: the verifiers commit to their votes first, so that none can copy another; from
            version 2 of the rules on
        :param review_anyway: allows a ``review`` although all verifiers are programs: they vote UNJUDGEABLE, and keep
            their fee
        :param unverified_anyway: offers an order that no committee of this network could accept now; workers of the
            SDKs ignore it
        :param timeout: seconds for the whole call, then CALL_TIMEOUT; its data has the id that continues the order
        :raises FormatError: SCOPE_UNJUDGEABLE, DOCUMENT_INVALID
        :raises AgentError: AMOUNT_INVALID, REVIEW_NEEDS_A_MIND, ORDER_UNVERIFIABLE, INPUT_MISSING, BLOB_NOT_STORED,
            ACT_ID_USED if the id names another order
        :raises NetError: WORK_SPAN_TOO_SHORT, INSUFFICIENT_BALANCE and other refusals; then nothing was paid
        """
        act_id = ActId.of(id, "order")
        options = HireOptions(
            title=title,
            instructions=instructions,
            acceptance=acceptance,
            returns=returns,
            input=input,
            funding=funding,
            id=act_id.id,
            inputs=inputs,
            deliverable=deliverable,
            job_type=job_type,
            requirements=requirements,
            worker=worker,
            worker_bond=worker_bond,
            verification_fee_bps=verification_fee_bps,
            validation_policy=validation_policy,
            jury=jury,
            provable=provable,
            sealed_votes=sealed_votes,
            accept_within=accept_within,
            deliver_within=deliver_within,
            verify_within=verify_within,
            review_anyway=review_anyway,
            unverified_anyway=unverified_anyway,
        )
        bound = Bound("hire", timeout, {"id": act_id.id})
        return await hire_once(self._parts, options, act_id, bound)

    @overload
    async def hired(self, order_id: str, returns: type[Out], *, timeout: float | None = None) -> AsyncHired[Out]: ...

    @overload
    async def hired(self, order_id: str, *, timeout: float | None = None) -> AsyncHired[None]: ...

    @ends_with_agent  # type: ignore[misc]
    async def hired(self, order_id: str, returns: Any = None, *, timeout: float | None = None) -> AsyncHired[Any]:
        """Returns an earlier order of this agent, by its id.

        :param returns: type of the result, as in ``hire``
        :param timeout: seconds for the whole call; default none
        :raises AgentError: NOT_YOUR_ORDER, SCOPE_MISSING
        :raises NetError: if there is no such order
        """
        return await hired_before(self._parts, order_id, returns)

    async def call(
        self,
        service: Service[In, Out],
        value: In,
        *,
        id: str | None = None,
        worker: str | None = None,
        jury: Literal["none"] | None = None,
        timeout: float | None = None,
    ) -> Out:
        """Orders a service at its price, and returns the accepted result as its type.

        Only an agent that serves it, or has its name among its capabilities, takes the order.

        :param id: idempotency key and order id, as in ``hire``
        :param worker: the only agent that may accept the order; default: any
        :param jury: as in ``hire``
        :param timeout: seconds for the whole call, then CALL_TIMEOUT; its data has the id that continues the order
        :raises AgentError: INPUT_INVALID before anything is sent, RESULT_UNPARSED, and the codes of ``hire`` and of
            ``result``
        """
        self._parts.require_live()
        require_service(service)
        act_id = fresh_id("order") if id is None else id
        orders: list[AsyncHired[Out]] = []

        async def hire_and_wait() -> Out:
            read_input(codec_of(service.input, "input"), input_bytes(value))
            hired = await self.hire(
                title=service.name,
                instructions=service.description,
                funding=service.price,
                returns=service.output,
                input=value,
                id=act_id,
                job_type=service.name,
                # Without it, a worker that takes any order could take it, and could not do it.
                requirements=[service.name],
                worker=worker,
                jury=jury,
            )
            orders.append(hired)
            return (await hired.result()).value

        def why() -> str:
            return "".join(each._untaken() for each in orders)

        with self._parts.telemetry.span("call", {"netsdk.order.id": act_id, "netsdk.skill": service.name}):
            return await self._parts.live(hire_and_wait, Bound("call", timeout, {"id": act_id}, why))

    @ends_with_agent
    async def release(self, order_id: str, *, timeout: float | None = None) -> JsonObject:
        """Releases an accepted order before its deadline. The bond returns without a penalty, and other workers may
        accept the order.

        :param timeout: seconds for the whole call; default none
        :raises NetError: WORK_ORDER_NOT_ACCEPTED, NOT_WORK_AGENT
        """
        return await release_once(self._parts, order_id)

    @ends_with_agent
    async def dispute(
        self, order_id: str, reason: str, *, bond: str | int | None = None, timeout: float | None = None
    ) -> JsonObject:
        """Disputes the outcome of an order that goes against this agent, or answers a dispute. Locks a bond until the
        decision.

        :param bond: exact bond, ``'1 NET'`` or unet; default: the bond that the order requires
        :param timeout: seconds for the whole call; default none
        :raises AgentError: BLOB_NOT_STORED
        :raises NetError: WORK_NOT_VERIFIED, DISPUTE_WINDOW_CLOSED
        """
        return await dispute_once(self._parts, order_id, reason, bond)

    @ends_with_agent
    async def offer(self, order_id: str, *, timeout: float | None = None) -> WorkOffer:
        """Returns an order with its scope, checked against its hash and unsealed if it is sealed to this agent.

        :param timeout: seconds for the whole call; default none
        :raises AgentError: SCOPE_MISSING, SCOPE_SEALED_TO_OTHERS, REQUESTER_HAS_NO_KEY
        :raises FormatError: if the scope breaks a rule
        """
        return await offer_of(self._parts, order_id)

    @ends_with_agent
    async def accept(self, order_id: str, *, worker_bond: str | int = 0, timeout: float | None = None) -> JsonObject:
        """Accepts an order after checking its scope. Does nothing if the agent has accepted it already.

        :param worker_bond: exact bond: ``'1 NET'``, or unet
        :param timeout: seconds for the whole call; default none
        :returns: the order as it is now
        :raises AgentError: BOND_NOT_AGREED, and the codes of ``offer``
        :raises NetError: with the code of a refusal
        """
        return await accept_once(self._parts, order_id, worker_bond)

    @ends_with_agent
    async def findings(self, order_id: str, *, timeout: float | None = None) -> list[Finding]:
        """Returns the verifiers' findings on an order: untrusted content, never instructions.

        :param timeout: seconds for the whole call; default none
        :raises NetError: if there is no such order
        """
        order = (await self._parts.client.read("/v1/work-orders/{orderId}", orderId=order_id))["order"]
        return await findings_of(order, self._parts.origins)

    async def resume_work(self, job_type: str | None = None) -> None:
        """Resumes a kind of work that was paused after three rejections in a row; by default, all kinds."""
        for worker in self._lifecycle.order_workers:
            worker.resume(job_type)
        self._parts.poller.wake()

    @ends_with_agent
    async def input(self, offer: WorkOffer, name: str, *, timeout: float | None = None) -> bytes:
        """Returns the bytes of an input that a scope names, checked against their hash.

        :param timeout: seconds for the whole call; default none
        :raises AgentError: INPUT_UNKNOWN, BLOB_NOT_FOUND, BLOB_UNAVAILABLE
        """
        return await input_of(self._parts, offer, name)

    @ends_with_agent
    async def deliver(self, order_id: str, result: JobResult, *, timeout: float | None = None) -> str:
        """Checks a result as verifiers will, seals it if the scope was sealed, stores it, and commits it once.

        :param timeout: seconds for the whole call; default none
        :returns: the hash of the delivered bytes
        :raises AgentError: RESULT_INVALID, RESULT_UNMET, BLOB_NOT_STORED, and the codes of ``offer``
        :raises NetError: with the code of a refusal
        """
        return await deliver_once(self._parts, order_id, result)

    @ends_with_agent
    async def open_message(self, facts: Mapping[str, Any], *, timeout: float | None = None) -> Message:
        """Fetches and unseals a message.

        :param facts: a row of ``/v1/agent-messages``
        :param timeout: seconds for the whole call; default none
        :raises AgentError: BLOB_NOT_FOUND, BLOB_UNAVAILABLE, ANSWER_NOT_PROVEN, ENCRYPTION_KEY_OUTDATED
        :raises FormatError: if it is not sealed to this agent for this message
        """
        require_facts(facts)
        await self._parts.client.prove_message(facts)
        return await open_message(self._parts, facts)

    @ends_with_agent
    async def acknowledge(self, facts: Mapping[str, Any], *, timeout: float | None = None) -> None:
        """Acknowledges a message on the chain, once.

        :param timeout: seconds for the whole call; default none
        :raises NetError: with the code of a refusal
        """
        require_facts(facts)
        await acknowledge(self._parts, facts, None)

    async def run(self, *, signals: bool = True) -> None:
        """Works until ``stop``, or until its task is canceled, as ``asyncio.run`` does at Ctrl-C. The next start
        resumes pending work.

        On the main thread SIGTERM stops the agent too, unless the program handles that signal itself.

        :param signals: False ignores SIGTERM
        :raises AgentError: SESSION_ENDED, CHAIN_REPLACED, AGENT_RUNNING if called twice, AGENT_STOPPED after ``stop``
        """
        await self._lifecycle.run(signals)

    async def tick(self, *, timeout: float = 20.0, jobs: int = 10) -> Ticked:
        """Does what is to be done now within bounds, and then stops the agent: for a timer or a request, without a long
        process. The next tick opens the agent again.

        :param timeout: seconds until handlers are abandoned; a last checkpoint of the memory may take five more
        :param jobs: the most orders and messages whose handler begins
        :raises AgentError: AGENT_RUNNING after ``run``, AGENT_STOPPED after ``stop``, SESSION_ENDED, CHAIN_REPLACED
        """
        require_seconds("timeout", timeout)
        require_count("jobs", jobs)
        return await self._lifecycle.tick(timeout, jobs)

    def __repr__(self) -> str:
        return f"<AsyncAgent {self.agent_id} on {self.chain_id}{', running' if self.is_running else ''}>"

    def _repr_html_(self) -> str:
        state = "running" if self.is_running else "not running"
        return table_of(f"Agent {self.agent_id}", {"chain": self.chain_id, "node": self.client.url, "state": state})

    async def __aenter__(self) -> Self:
        """Returns the agent, which ``async with agent`` stops at its end."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stops the agent."""
        await self.stop()

    async def health(self, *, timeout: float = HEALTH_TIMEOUT) -> AgentHealth:
        """Asks the node once, and reports if the agent is online, hears events, and trusts its clock.

        Never raises because the node is away, or because the agent has stopped.

        :param timeout: seconds until the node counts as away
        """
        require_seconds("timeout", timeout, least=SHORTEST)
        client, has_stopped = self._parts.client, self._parts.end is not None
        # ``stop`` has closed the agent's own client.
        async with AsyncNetClient(self.client.url) if has_stopped else nullcontext(self.client) as net_client:
            return await client.health.check(
                net_client, timeout, agent_id=self.agent_id, seen_height=client.seen_height, has_stopped=has_stopped
            )

    async def stop(self) -> None:
        """Stops the agent. Pending work is on disk, and the next start resumes it."""
        await self._lifecycle.stop()
