"""A small network that is alive: two stores of blobs, a requester with money, verifiers who vote."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path
from typing import Any

from netsdk import Actor, AgentKey, BlobClient, NetClient, NetError, awaits_vote, next_vote
from netsdk.formats import Blob, work_scope
from netsdk.protocol.hashes import sha256
from tests.node import HANGS, RunningBlobs, RunningNode

NET = 1_000_000
BOND = 100 * NET
NUMBERS = itertools.count(1)
POLICY = {
    "schema": "NET-WORK-VALIDATION-POLICY/1",
    "mode": "INDEPENDENT_REVIEW",
    "proofTypes": ["ARTIFACT_HASH", "CONSENSUS_REVIEW"],
    "requiredAccepts": 2,
    "minIndependentGroups": 2,
    "committeeSize": 3,
    "sampleRateBps": 0,
}


class World:
    """Verifiers vote on whatever they are drawn for, in a thread, by whether the deliverable is there."""

    def __init__(self, net: RunningNode, directory: Path, operator: Actor) -> None:
        self.url = net.url
        #: Why the verifiers reject whatever they are drawn for; None where they accept what is there.
        self.rejects_because: str | None = None
        #: False if they say of each scope that it cannot be judged.
        self.can_judge = True
        #: True while they do not vote.
        self.away = False
        self.client = NetClient(net.url, timeout=HANGS)
        self.stores = [RunningBlobs(directory, net.url) for directory in (directory / "one", directory / "two")]
        self.operator = operator
        self.requester = self.join("rita", "createWorkOrder", "cancelWorkOrder")
        self._verifiers = {name: self._verifier(name) for name in ("vera", "vito", "viki")}
        self.origins = [store.url for store in self.stores]
        # A wait of its own: tests replace the sleep of the module.
        self._gone = threading.Event()
        self._voter = threading.Thread(target=self._vote_forever)
        self._voter.start()

    def join(self, actor_id: str, *actions: Any, referrer: str | None = None) -> Actor:
        """Registers an actor with a new key and 900 NET."""
        actor = Actor(actor_id, AgentKey.generate())
        self.client.register(actor=actor, referrer_agent_id=referrer)
        self.client.act("extendAgentCapabilities", {"actions": ["faucet", *actions]}, actor=actor)
        self.client.act("faucet", {"amount": 900 * NET}, actor=actor)
        return actor

    def _verifier(self, name: str) -> Actor:
        actor = self.join(name)
        self._take_role(actor, "VERIFIER", ["voteWork"], {"bond": BOND}, independenceGroup=f"firm-of-{name}")
        return actor

    def _take_role(self, actor: Actor, role: str, actions: list[str], profile: dict[str, Any], **invited: str) -> None:
        application = {
            "applicationId": f"apply-{actor.actor_id}",
            "role": role,
            "capabilities": [{"action": action} for action in actions],
            "profile": profile,
            "expiresAtHeight": self.client.network()["height"] + 1_000,
        }
        self.client.apply(application, actor=actor)
        invite: Any = {"applicationId": application["applicationId"], **invited}
        receipt = self.client.act("createOperatorInvitation", invite, actor=self.operator)
        self.client.claim(receipt["transitionHash"], actor=actor)

    def offer_runtime(self, actor: Actor, runtime_id: str) -> None:
        """Money, a role, a bond, and a standing offer for an agent that has joined."""
        name = actor.actor_id
        self.client.act("extendAgentCapabilities", {"actions": ["faucet"]}, actor=actor)
        self.client.act("faucet", {"amount": 900 * NET}, actor=actor)
        profile = {"bond": BOND, "region": "eu", "faultDomain": f"{name}-1"}
        self._take_role(actor, "RUNTIME_PROVIDER", ["registerRuntimeOffer", "attestMemoryRestore"], profile)
        self.client.act(
            "registerRuntimeOffer",
            {
                "runtimeId": runtime_id,
                "endpoint": f"https://{name}.example/",
                "serializer": "NET-PORTABLE-MEMORY/1",
                "encryptions": ["AES-256-GCM"],
                "maxByteLength": 1_000_000,
                "expiresAtHeight": self.client.network()["height"] + 4_000,
            },
            actor=actor,
        )

    def _vote_forever(self) -> None:
        with NetClient(self.url, timeout=HANGS) as client, BlobClient(self.origins[0]) as blobs:
            while not self._gone.wait(0.05):
                if self.away:
                    continue
                try:
                    self._vote_once(client, blobs)
                except NetError:
                    pass  # The next turn asks again.

    def _vote_once(self, client: NetClient, blobs: BlobClient) -> None:
        for order in client.read("/v1/work-orders", status="VERIFYING")["orders"]:
            if not order["result"]:
                continue
            for name, verifier in self._verifiers.items():
                if not awaits_vote(order, name):
                    continue
                deliverable = order["result"]["deliverableHash"]
                is_met = blobs.get(deliverable) is not None and self.rejects_because is None
                reason = self.rejects_because or f"{order['orderId']} {name}"
                payload = next_vote(
                    order,
                    verifier,
                    vote=("ACCEPT" if is_met else "REJECT") if self.can_judge else "UNJUDGEABLE",
                    evidence_hash=sha256(reason.encode()).hex(),
                    re_execution_hash=deliverable,
                )
                if payload:
                    client.act("voteWork", payload, actor=verifier)

    def scope(self, *acceptance: dict[str, Any], **more: Any) -> Blob:
        """Returns a scope with these acceptance criteria. By default, a review asks for three words."""
        return work_scope.make(
            {
                "schema": "NET-WORK-SCOPE/1",
                "title": "Say what it is",
                "instructions": "Three words.",
                "inputs": [],
                "deliverable": {"mediaType": "text/plain", "maxBytes": 1_000},
                "acceptance": list(acceptance) or [{"kind": "review", "question": "Are these three words?"}],
                **more,
            }
        )

    def store(self, data: bytes, actor: Actor | None = None) -> str:
        """Stores a blob as the requester, at both places."""
        owner = actor or self.requester
        for origin in self.origins:
            with BlobClient(origin, actor_id=owner.actor_id, key=owner.key) as blobs:
                name = blobs.put(data)
        return name

    def order(self, scope: bytes, order_id: str | None = None, actor: Actor | None = None, **more: Any) -> str:
        """Offers work. Returns the id of the order."""
        payload: Any = {
            "orderId": order_id or f"order-{next(NUMBERS)}",
            "title": "Say what it is",
            "scopeHash": self.store(scope, actor),
            "jobType": "research",
            "requirements": ["research"],
            "funding": 10 * NET,
            "validationPolicy": POLICY,
            **more,
        }
        self.client.act("createWorkOrder", payload, actor=actor or self.requester)
        return str(payload["orderId"])

    def order_at(self, order_id: str) -> Any:
        """The record of an order."""
        return self.client.read("/v1/work-orders/{orderId}", orderId=order_id)["order"]

    def balance(self, actor_id: str) -> int:
        """In unet."""
        return int(self.client.read("/v1/accounts/{accountId}", accountId=actor_id)["balance"])

    def events(self, kind: Any, agent: str) -> list[dict[str, Any]]:
        """Returns the data of an agent's events of this type."""
        found = self.client.read("/v1/events", type=kind, agent=agent, after="0.0", limit=1000)
        return [event["data"] for event in found["events"]]

    def stop(self) -> None:
        """Stops the voter, the stores and the client."""
        self._gone.set()
        self._voter.join()
        for store in self.stores:
            store.stop()
        self.client.close()
