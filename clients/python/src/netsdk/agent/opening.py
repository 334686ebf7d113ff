"""Opening of an agent: assembles its parts and restores its state."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Sequence
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, Generic, NamedTuple, ParamSpec, Protocol, TypeVar, cast

import anyio

from .._async.client import AsyncNetClient
from .._async.verified_reader import AsyncVerifiedReader
from ..api import Actor
from ..arguments import SHORTEST, require_seconds
from ..errors import NetError
from ..events import LAST_INDEX, Cursor
from ..formats.encryption_key import Keyring
from ..key_file import encryption_key_name, secrets_in
from ..lab_seed import is_lab_key
from ..protocol.canonical_json import JsonObject
from ..protocol.hashes import is_hash
from .beacon import BeaconOptions
from .cells import asked_for, earlier_agent, remember
from .chain_time import ChainTime
from .emitter import Emitter
from .errors import AgentError
from .failpoints import Reach
from .home import AgentState, HomePlace, bind_to_genesis, open_state
from .lease import KeptState
from .lifecycle import Lifecycle
from .memory import Memory
from .origins import Origins
from .outbox import Outbox
from .own_ids import id_secret_of
from .parts import Parts
from .peers import Peers
from .poller import Poller
from .retrying_client import RetryingClient
from .telemetry import Instruments

P = ParamSpec("P")


class _Agent(Protocol):
    _parts: Parts

    async def stop(self) -> None: ...


A_co = TypeVar("A_co", bound=_Agent, covariant=True)
#: Seconds between two attempts of a standby.
LOOK_FOR_END = 1.0
ACTOR_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,63}")


class Permissions(NamedTuple):
    """What an opened agent may publish and keep."""

    beacon: BeaconOptions | None
    memory: bool


class Identity(NamedTuple):
    """The actor and its keys."""

    actor: Actor
    #: None for a session that cannot read sealed content.
    encryption: Keyring | None


class OpenOptions(NamedTuple):
    """Options of both ``open`` and ``open_session``."""

    keys: HomePlace
    blobs: Sequence[str]
    trusted_origins: Sequence[str]
    capabilities: Sequence[str]
    runtime: str | None
    #: Genesis hash that the owner trusts, if any.
    anchor: str | None
    log: Callable[[str], None] | None
    reach: Reach | None
    standby: bool
    telemetry: Instruments


class Opening(Coroutine[Any, Any, A_co], Generic[A_co]):
    """The opening of an agent: await it, or enter it with ``async with``, which stops the agent at its end."""

    def __init__(self, opening: Coroutine[Any, Any, A_co]) -> None:
        self._opening = opening
        self._agent: A_co | None = None

    def __await__(self) -> Generator[Any, Any, A_co]:
        return self._opening.__await__()

    # An event loop takes a coroutine for a task, and nothing else that can be awaited.
    def send(self, value: Any) -> Any:
        """Resumes the coroutine."""
        return self._opening.send(value)

    def throw(self, *error: Any) -> Any:
        """Raises an exception in the coroutine."""
        return self._opening.throw(*error)

    def close(self) -> None:
        """Ends the coroutine."""
        self._opening.close()

    async def __aenter__(self) -> A_co:
        """Opens the agent."""
        self._agent = await self._opening
        return self._agent

    async def __aexit__(self, *_: object) -> None:
        """Stops the agent."""
        if self._agent is not None:
            await self._agent.stop()


def opens_in_time(method: Callable[P, Coroutine[Any, Any, A_co]]) -> Callable[P, Opening[A_co]]:
    """Decorates a coroutine function that opens an agent.

    The opening raises CALL_TIMEOUT after its ``timeout``, once the state is closed. A cell of a notebook that runs
    again stops the agent that it had opened.
    """

    async def in_time(*arguments: P.args, **options: P.kwargs) -> A_co:
        timeout = cast("float | None", options.get("timeout"))
        if timeout is None:
            return await method(*arguments, **options)
        require_seconds("timeout", timeout, least=SHORTEST)
        with anyio.move_on_after(timeout):
            return await method(*arguments, **options)
        raise AgentError("CALL_TIMEOUT", f"{method.__name__}, {timeout} s")

    @wraps(method)
    async def opened(*arguments: P.args, **options: P.kwargs) -> A_co:
        asked = asked_for((asyncio.get_running_loop(), method), arguments, options)
        try:
            agent = await in_time(*arguments, **options)
        except AgentError as error:
            earlier = earlier_agent(error, asked)
            if earlier is None:
                raise
            await earlier.stop()
            agent = await in_time(*arguments, **options)
        remember(agent, agent._parts.state, asked)
        return agent

    @wraps(method)
    def opening(*arguments: P.args, **options: P.kwargs) -> Opening[A_co]:
        return Opening(opened(*arguments, **options))

    return opening


@asynccontextmanager
async def connected(url: str | None) -> AsyncGenerator[AsyncNetClient, None]:
    """Yields a client, and closes it if the body raises."""
    net_client = AsyncNetClient(url)
    try:
        yield net_client
    except BaseException:
        await net_client.close()
        raise


async def assemble(
    identity: Identity,
    net_client: AsyncNetClient,
    network: JsonObject,
    options: OpenOptions,
    *,
    enter: Callable[[RetryingClient], Awaitable[Permissions]],
) -> tuple[Parts, Lifecycle]:
    """Locks the state, enters the network, and restores the memory.

    :param network: the node's ``/v1/network``
    :param enter: checks that the actor may act, and returns its permissions
    """
    actor, chain_id = identity.actor, network["chainId"]
    # A session has its own state, because the agent itself may run too.
    name = actor.actor_id if actor.session_id is None else f"{actor.actor_id}.{actor.session_id}"
    events = Emitter(options.log)
    if options.standby:
        opened = await _turn(options.keys, chain_id, name, events)
        network = await network_of(net_client)
    else:
        opened = open_state(options.keys, chain_id, name)
    state = KeptState(opened, lambda error: events.warn(error, "the lease"))
    try:
        anchor = options.anchor
        reader = None if anchor is None else AsyncVerifiedReader(net_client, genesis_hash=anchor)
        client = RetryingClient(net_client, reader, events)
        if client.proves:
            require_chain(str((await client.state("chain/identity") or {}).get("chainId")), chain_id)
        refuse_lab_key(actor, network)
        genesis_hash = anchor or network["genesisHash"]
        client.binding = bind_to_genesis(state, chain_id, genesis_hash)
        # Learn the version of the rules before anything is signed.
        await client.tip()
        net_client.actor = actor
        reached: Reach = options.reach or (lambda name, action: None)
        may = await enter(client)
        origins = Origins(
            client,
            net_client.driver,
            actor,
            options.blobs,
            trusted=options.trusted_origins,
            waiting=lambda what: events.emit("waiting", **{"for": what}),
        )
        parts = Parts(
            agent_id=actor.actor_id,
            chain_id=chain_id,
            genesis_hash=genesis_hash,
            encryption=identity.encryption,
            id_secret=id_secret_of(actor.actor_id, identity.encryption, actor.key.sign_bytes),
            capabilities=list(options.capabilities),
            runtime=options.runtime,
            client=client,
            outbox=Outbox(client, actor, chain_id, state, reach=reached),
            origins=origins,
            peers=Peers(client, origins),
            poller=Poller(),
            time=ChainTime(),
            state=state,
            events=events,
            telemetry=options.telemetry,
            reach=reached,
            watch=lambda: None,
        )
        since = Cursor(f"{network['height']}.{LAST_INDEX}", network.get("blockHash"), genesis_hash)
        lifecycle = Lifecycle(parts, may.beacon, actor.session_id, since)
        parts.watch = lifecycle.listen_for_own
        state.bind_to(lifecycle.end_by)
        parts.outbox.session_ended = lifecycle.end_by
        client.bind_to(lifecycle.end_by)
        if network.get("laboratory") is True:
            parts.in_background(parts.time.follow(net_client, parts.poller))
        await origins.refresh()
        await lifecycle.first_beacon()
        if may.memory:
            lifecycle.memory = await Memory.load(parts)
    except BaseException:
        state.close()
        raise
    return parts, lifecycle


async def _turn(keys: HomePlace, chain_id: str, name: str, events: Emitter) -> AgentState:
    is_first = True
    while True:
        try:
            return open_state(keys, chain_id, name)
        except AgentError as error:
            if error.code != "AGENT_RUNNING":
                raise
        if is_first:
            events.emit("waiting", **{"for": "the end of the process that runs this agent"})
        is_first = False
        await asyncio.sleep(LOOK_FOR_END)


async def network_of(net_client: AsyncNetClient) -> JsonObject:
    """Returns the network status. Raises NODE_UNREACHABLE or CHAIN_ID_INVALID."""
    try:
        network = await net_client.network()
    except NetError as error:
        if error.status == 0:
            raise AgentError("NODE_UNREACHABLE", net_client.url) from error
        raise
    # The chain id comes from the node, and becomes the name of a directory.
    if not isinstance(network["chainId"], str) or not ACTOR_ID.fullmatch(network["chainId"]):
        raise AgentError("CHAIN_ID_INVALID")
    if not is_hash(network.get("genesisHash")):
        raise NetError(200, None, detail="the answer names no genesis")
    return dict(network)


def require_chain(found: str, wanted: str) -> None:
    """Raises CHAIN_MISMATCH if the chain ids differ."""
    if found != wanted:
        raise AgentError("CHAIN_MISMATCH", f"{found}, not {wanted}")


def refuse_lab_key(actor: Actor, network: JsonObject) -> None:
    """Raises LAB_KEY_REFUSED for a laboratory key, which anyone can derive, on a network that is not a laboratory."""
    if network.get("laboratory") is not True and is_lab_key(actor.actor_id, actor.key):
        raise AgentError("LAB_KEY_REFUSED", actor.actor_id)


async def missing_sealing_key(
    actor: Actor, net_client: AsyncNetClient, chain_id: str, *, keys: HomePlace, blobs: Sequence[str]
) -> AgentError | None:
    """Detects a signing key that was copied without its encryption key. A new encryption key would replace the old one,
    and could not open earlier content.

    :returns: ENCRYPTION_KEY_MISSING for a warning, or None
    """
    home, name = secrets_in(keys, chain_id), encryption_key_name(actor.actor_id)
    if home.read_secret(name) is not None:
        return None
    place = home.place_of(name)
    client = RetryingClient(net_client, None)
    origins = Origins(client, net_client.driver, actor, blobs)
    await origins.refresh()
    try:
        published = await Peers(client, origins).metadata_of(actor.actor_id)
    except AgentError as error:
        if error.code != "BLOB_UNAVAILABLE":
            raise
        return AgentError("ENCRYPTION_KEY_MISSING", place)
    if published is None:
        return None
    return AgentError("ENCRYPTION_KEY_MISSING", f"{place}, key {published['encryptionKey']['kid']}")
