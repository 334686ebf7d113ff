"""A test network: a laboratory with agents, money and a controllable clock."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any, Literal
from urllib.parse import urlencode

from .._sync.client import NetClient
from ..agent.amount import unet_of
from ..agent.blocking import Agent
from ..agent.errors import AgentError
from ..agent.opening import ACTOR_ID
from ..api import Actor
from ..errors import NetError
from ..events import page_of
from ..key import AgentKey
from ..protocol.canonical_json import JsonObject
from .lab_key import ANYBODY, DEFAULT_SEED, lab_key
from .lab_process import LabProcess, NetworkStartError
from .roles import Duty, TestRole, give_role
from .story import Story

#: When blocks are made: ``automatic`` as on other chains, ``each`` for each intent, ``none`` only by ``mine``.
BlockMode = Literal["automatic", "each", "none"]

DEFAULT_FUNDS = "100 NET"
#: Seconds. A busy machine takes minutes, but a start that fails is reported at once.
START_PATIENCE = 180.0
EVENT_PATIENCE = 180.0
LOOK = 0.05
HOUSE_VERIFIERS = 3
HOUSE_JOBS = 3


def start_network(
    *,
    agents: Sequence[str] | Mapping[str, Mapping[str, Any]] = (),
    funded: str | int = DEFAULT_FUNDS,
    house: bool = False,
    blocks: BlockMode = "each",
    fork_from: str | None = None,
    at: int | None = None,
    genesis_hash: str | None = None,
    seed: str = DEFAULT_SEED,
    netd: str | Path | None = None,
    timeout: float = START_PATIENCE,
) -> Network:
    """Starts a network on a free port, with its data in a temporary folder.

    Ends with ``stop``, the ``with`` block, or this process.

    :param agents: names of agents to register, or names with arguments of :meth:`Network.join`
    :param funded: default balance of each agent
    :param house: starts verifiers, a requester with jobs, an echo and blob stores
    :param blocks: ``each`` makes a block for every intent at once, and no others
    :param fork_from: URL of a node whose state to copy, under a new chain id
    :param at: fork at the newest checkpoint up to this height; default the newest
    :param genesis_hash: genesis of the trusted network; without it, the state is only checked for consistency
    :param seed: seed of all keys; the same as in JavaScript and the CLI
    :param netd: the program; default ``$NETD``, else netd on the PATH, in node_modules, or of the checkout
    :raises NetworkStartError: if netd is not found or does not start
    :raises NetError: if an agent is refused
    """
    forking = {"--fork-from": fork_from, "--at": at, "--genesis-hash": genesis_hash}
    further = [text for name, value in forking.items() if value is not None for text in (name, str(value))]
    lab = LabProcess(netd=netd, house=house, timeout=timeout, arguments=further)
    try:
        network = Network(lab, seed=seed, funded=funded, is_fork=fork_from is not None)
        network.mode("automatic" if blocks == "automatic" else "each")
        named = agents if isinstance(agents, Mapping) else {name: {} for name in agents}
        for name, about in named.items():
            network.join(name, **about)
        if house:
            network.await_house(timeout)
        if blocks == "none":
            network.mode("none")
    except BaseException:
        lab.stop()
        raise
    return network


class Network:
    """A running laboratory, made by :func:`start_network`.

    :ivar url: the node
    :ivar client: reads, and acts as ``actor=``
    :ivar operator: has the role OPERATOR and ten million NET
    :ivar blobs: URLs of the house's blob stores
    """

    def __init__(self, lab: LabProcess, *, seed: str, funded: str | int, is_fork: bool) -> None:
        facts = lab.facts
        self.url = str(facts["url"])
        self.chain_id = str(facts["chainId"])
        # Older versions of netd have no control token.
        control = facts.get("controlPath")
        token = Path(control).read_text("utf-8").strip() if control else None
        self.client = NetClient(self.url, control_token=token)
        file = json.loads(Path(facts["operatorKeyPath"]).read_text("utf-8"))
        key = AgentKey.from_pem(file["privateKey"], file["publicKey"])
        self.operator = Actor(str(facts["operatorActorId"]), key)
        self.blobs = [str(store["url"]) for store in facts["blobs"]]
        self._lab = lab
        self._seed = seed
        self._funded = funded
        self._is_fork = is_fork
        self._keys = Path(facts["dataDir"]) / "of-agents" / "keys"
        self._actors: dict[str, Actor] = {}
        self._open: list[Agent] = []
        self._story = Story(self.client)
        self._has_stopped = False

    def await_house(self, timeout: float) -> None:
        """Waits until the house's verifiers are active, its jobs open and its echo online.

        :raises NetworkStartError: on timeout
        """
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            verifiers = self.client.get("/v1/validation")["actual"]["activeVerifiers"]
            orders = self.client.get("/v1/work-orders?status=OPEN")["orders"]
            beacons = self.client.get("/v1/discovery?agentId=house-echo")["beacons"]
            if verifiers >= HOUSE_VERIFIERS and len(orders) >= HOUSE_JOBS and beacons:
                return
            time.sleep(LOOK)
        raise NetworkStartError(f"the agents of the house have not joined within {timeout:g} s")

    def join(
        self,
        name: str,
        *,
        funded: str | int | None = None,
        actions: Sequence[str] = (),
        description: str | None = None,
        role: TestRole | None = None,
        capabilities: Sequence[str] | None = None,
        bond: int | None = None,
        independence_group: str | None = None,
    ) -> Actor:
        """Registers an agent under its seeded key, with funds, actions and a role.

        :param role: role that the operator grants
        :param capabilities: actions of the role; default all
        :param bond: unet, in addition to ``funded``; default the minimum
        :param independence_group: of a verifier or auditor; default a new one
        :raises AgentError: AGENT_ID_INVALID
        :raises ValueError: if the name is taken, or the role unknown
        """
        if not ACTOR_ID.fullmatch(name):
            raise AgentError("AGENT_ID_INVALID", repr(name))
        actor = Actor(name, lab_key(name, self._seed))
        try:
            self.client.register(description, actor=actor)
        except NetError as error:
            if error.code != "AGENT_EXISTS":
                raise
            begins = ", which begins with the state of another" if self._is_fork else ""
            other = f"act as it with impersonate({name!r}), or give the newcomer another name"
            raise ValueError(f"{name} is an agent of this network already{begins}: {other}") from error
        actor.key.save(name, self.chain_id, directory=self._keys)
        amount = unet_of(self._funded if funded is None else funded, "funded")
        if amount > 0:
            self.client.act("transfer", {"to": name, "amount": amount}, actor=self.operator)
        if actions:
            asked: Any = {"actions": list(actions)}
            self.client.act("extendAgentCapabilities", asked, actor=actor)
        if role is not None:
            duty = Duty(role, capabilities, bond, independence_group)
            give_role(self.client, operator=self.operator, actor=actor, duty=duty)
        self._actors[name] = actor
        return actor

    def actor(self, name: str) -> Actor:
        """Returns the actor of an agent, for ``client.act(…, actor=…)``.

        :raises KeyError: if it has not joined
        """
        actor = self._actors.get(name)
        if actor is None:
            raise KeyError(f"{name} has not joined this network: name it in agents, or call join")
        return actor

    def impersonate(self, actor_id: str) -> Actor:
        """Returns an actor without its key, for ``client.act(…, actor=…)``. Only laboratories accept it."""
        return Actor(actor_id, lab_key(ANYBODY))

    def agent_options(self) -> dict[str, Any]:
        """Returns the options of ``Agent.open`` and ``AsyncAgent.open`` for this network."""
        return {"url": self.url, "keys": self._keys}

    def agent(self, name: str, **options: Any) -> Agent:
        """Opens an agent, and registers it first if needed. It stops with the network."""
        if name not in self._actors:
            self.join(name)
        agent = Agent.open(name, **({"log": None} | self.agent_options() | options))
        self._story.follow(agent)
        self._open.append(agent)
        return agent

    def balance(self, account_id: str) -> int:
        """Returns the balance of an account, in unet."""
        return int(self.client.get(f"/v1/accounts/{account_id}")["balance"])

    def event(
        self,
        event_type: str,
        *,
        agent: str | None = None,
        order: str | None = None,
        after: str = "0.0",
        timeout: float = EVENT_PATIENCE,
    ) -> JsonObject:
        """Waits for the first matching event after ``after``, by default since genesis.

        :param timeout: seconds
        :raises TimeoutError: with the story of the order if none came
        """
        named = {"type": event_type, "agent": agent, "order": order}
        query = {name: value for name, value in named.items() if value is not None}
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            page = self.client.get(f"/v1/events?{urlencode(query | {'after': after})}")
            if page["events"]:
                found: JsonObject = page["events"][0]
                return found
            _, after, more = page_of(page, after)
            if not more:
                time.sleep(LOOK)
        raise TimeoutError(f"no {event_type} within {timeout:g} s\n{self.story(order)}")

    def story(self, order_id: str | None = None) -> str:
        """Returns what happened to an order: events of the chain with their heights, and the events and steps of agents
        that :meth:`agent` has opened. pytest shows it for a test that fails.

        :param order_id: default: the last five orders
        """
        return self._story.text(order_id)

    def status(self) -> JsonObject:
        """Returns height, timestamp, clock and mode."""
        return self.client.get("/v1/lab")

    def mine(self, blocks: int = 1) -> JsonObject:
        """Makes blocks now. The first ones contain the pending intents."""
        return self.client.post("/v1/lab/mine", {"blocks": blocks})

    def advance(self, seconds: int, *, blocks: int | None = None) -> JsonObject:
        """Moves the clock ahead and makes the blocks of that time, so that due actions run.

        :param blocks: default as many as an idle chain makes, at most 1,000
        """
        return self._time({"seconds": seconds}, blocks)

    def advance_to(self, when: datetime, *, blocks: int | None = None) -> JsonObject:
        """Moves the clock to a time with a zone, like :meth:`advance`.

        :raises NetError: LAB_CLOCK_BACKWARDS
        """
        text = when.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return self._time({"to": text}, blocks)

    def mode(self, mode: BlockMode) -> JsonObject:
        """Sets when blocks are made."""
        return self.client.post("/v1/lab/mode", {"mode": mode})

    def snapshot(self) -> str:
        """Takes a snapshot, in constant time.

        :returns: the id for :meth:`revert`
        """
        kept = self.client.post("/v1/lab/snapshot", {})["snapshots"]
        return str(kept[-1]["id"])

    def revert(self, snapshot: str | None = None) -> JsonObject:
        """Reverts all blocks and the clock to a snapshot, by default the newest. Deletes later snapshots.

        :raises NetError: LAB_SNAPSHOT_UNKNOWN
        """
        return self.client.post("/v1/lab/revert", {} if snapshot is None else {"id": snapshot})

    def _time(self, body: dict[str, Any], blocks: int | None) -> JsonObject:
        return self.client.post("/v1/lab/time", body if blocks is None else body | {"blocks": blocks})

    def stop(self) -> None:
        """Stops its agents and the node, and deletes all data."""
        if self._has_stopped:
            return
        self._has_stopped = True
        try:
            for agent in self._open:
                agent.stop()
        finally:
            self.client.close()
            self._lab.stop()

    def __enter__(self) -> Network:
        """Returns the network."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops the network."""
        self.stop()
