"""An outbox before a node that withholds envelopes, says that it refuses them, and executes them later."""

from __future__ import annotations

import random
from typing import Any, cast

import pytest

from netsdk import AgentKey, NetError
from netsdk.agent.beacon import sequence_after
from netsdk.agent.home import AgentState
from netsdk.agent.outbox import Outbox
from netsdk.agent.retrying_client import RetryingClient
from netsdk.api import Actor
from netsdk.protocol.canonical_json import canonicalize

KEY = AgentKey.generate()


def refused(code: str) -> NetError:
    return NetError(400, {"code": code, "title": "t", "detail": "d", "status": 400})


class LyingNode:
    """A chain with the rules of nonces and expiries, whose node lies on demand."""

    def __init__(self) -> None:
        self.true, self.claimed = 100, 0
        #: Refusal of the next envelopes; None for the truth.
        self.says: str | None = None
        self.seen: list[dict[str, Any]] = []
        self.executed: dict[str, dict[str, Any]] = {}
        self._spent_until: dict[str, int] = {}

    def execute(self, envelope: dict[str, Any]) -> dict[str, Any]:
        name = canonicalize(envelope)
        if name in self.executed:
            return self.executed[name]
        nonce, expiry = envelope["nonce"], envelope["expiresAtHeight"]
        if expiry < self.true:
            raise refused("INTENT_EXPIRED")
        if expiry > self.true + 5_000:
            raise refused("EXPIRY_TOO_FAR")
        if self._spent_until.get(nonce, 0) >= self.true:
            raise refused("NONCE_REPLAYED")
        self._spent_until[nonce] = expiry
        self.executed[name] = {"transitionHash": name, "height": self.true}
        return self.executed[name]

    async def tip(self) -> tuple[int, str | None]:
        return self.true + self.claimed, None

    async def submit(self, path: str, envelope: dict[str, Any]) -> dict[str, Any]:
        self.seen.append(envelope)
        if self.says is not None:
            raise refused(self.says)
        return self.execute(envelope)


class Files(dict[str, bytes]):
    def put(self, name: str, data: bytes) -> None:
        self[name] = data

    def delete(self, name: str) -> None:
        self.pop(name, None)

    def names(self) -> list[str]:
        return sorted(self)


class World:
    def __init__(self) -> None:
        self.node, self.files = LyingNode(), Files()

    def open(self) -> Outbox:
        client = cast(RetryingClient, self.node)
        return Outbox(client, Actor("ada", KEY), "c", cast(AgentState, self.files), reach=lambda *_: None)

    async def pay(self, amount: int = 1, act_id: str = "own/pay/1") -> dict[str, Any]:
        return await self.open().act(act_id, "transfer", {"to": "bea", "amount": amount})

    async def fails(self, code: str, amount: int = 1, act_id: str = "own/pay/1") -> None:
        with pytest.raises(NetError) as failure:
            await self.pay(amount, act_id)
        assert failure.value.code == code


@pytest.mark.anyio
@pytest.mark.parametrize("seed", range(20))
async def test_an_act_is_never_executed_twice(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(10):
        world = World()
        node, outbox = world.node, world.open()
        for _ in range(30):
            step = chance.randrange(6)
            if step == 0:
                node.true += chance.choice((1, 300, 599, 601, 2_000))
            elif step == 1:
                node.claimed = chance.choice((-480, -90, 0, 550, 2_500))
            elif step == 2:
                node.says = chance.choice((None, "INSUFFICIENT_BALANCE", "RECIPIENT_UNKNOWN"))
            elif step == 3:
                outbox = world.open()
            try:
                if step == 4:
                    await outbox.act("own/pay/1", "transfer", {"to": "bea", "amount": 1})
                elif step == 5 and node.seen:
                    node.execute(chance.choice(node.seen))
            except NetError:
                pass
            assert len(node.executed) <= 1


@pytest.mark.anyio
async def test_another_payload_keeps_nonce_and_expiry() -> None:
    world = World()
    world.node.says = "INSUFFICIENT_BALANCE"
    await world.fails("INSUFFICIENT_BALANCE", 5)
    world.node.claimed = -50
    await world.fails("INSUFFICIENT_BALANCE", 3)
    first, second = world.node.seen
    assert (second["nonce"], second["expiresAtHeight"]) == (first["nonce"], first["expiresAtHeight"])


@pytest.mark.anyio
async def test_an_envelope_that_was_executed_despite_its_refusal_gives_its_receipt() -> None:
    world = World()
    node = world.node
    node.says = "INSUFFICIENT_BALANCE"
    await world.fails("INSUFFICIENT_BALANCE", 5)
    receipt = node.execute(node.seen[0])
    node.says = None
    await world.fails("NONCE_REPLAYED", 3)
    signed = world.open().signed("own/pay/1")
    assert signed is not None
    assert signed["payload"]["amount"] == 5
    assert await world.pay(5) == receipt
    node.says = "INSUFFICIENT_BALANCE"
    await world.fails("INSUFFICIENT_BALANCE", act_id="own/pay/2")
    node.says = None
    await world.pay(act_id="own/pay/2")
    assert world.open().signed("own/pay/2") is not None
    assert len(node.executed) == 2


@pytest.mark.anyio
async def test_an_executed_act_is_remembered_whatever_is_refused_since() -> None:
    world = World()
    node, outbox = world.node, world.open()
    payload = {"to": "bea", "amount": 1}
    for count in (1, *range(2, 1_003)):
        node.says = "INSUFFICIENT_BALANCE"
        with pytest.raises(NetError):
            await outbox.act(f"own/pay/{count}", "transfer", payload)
        node.says = None
        if count == 1:
            await outbox.act("own/pay/1", "transfer", payload)
    await outbox.act("own/pay/1", "transfer", payload)
    assert len(node.executed) == 1


@pytest.mark.anyio
async def test_a_false_height_is_dropped_from_acts_that_the_chain_executes_once() -> None:
    world = World()
    for act_id in ("own/pay/1", "accept/o1"):
        world.node.claimed = 1_000_000
        await world.fails("EXPIRY_TOO_FAR", act_id=act_id)
        world.node.claimed = 0
    await world.fails("EXPIRY_TOO_FAR")
    await world.pay(act_id="accept/o1")
    assert len(world.node.executed) == 1


def test_a_false_sequence_leaves_room_for_later_beacons() -> None:
    assert sequence_after(0, 5) == 1
    # A sequence that its owner chose, for example a time.
    assert sequence_after(1_800_000_000_000, 5) == 1_800_000_000_001
    for lie in (2**53 - 2, 2**52 + 5, -1, 0.5, True, "1"):
        with pytest.raises(NetError):
            sequence_after(lie, 5)
    assert sequence_after(sequence_after(2**52 + 4, 5), 6) == 2**52 + 6
