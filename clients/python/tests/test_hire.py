"""The requester's side in one call, against a real node, real stores, workers and verifiers who vote."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from netsdk import Agent, AgentError, AsyncNetClient, NetError
from netsdk.agent import Hired
from netsdk.agent.errors import code_of
from netsdk.agent.retrying_client import MOST_LOOKS, RetryingClient
from netsdk.formats import FormatError, work_scope
from netsdk.protocol.hashes import sha256
from tests.node import HANGS
from tests.world import NET, POLICY, World

HAIKU: dict[str, Any] = {
    "title": "A haiku about hashes",
    "instructions": "Three lines, as one JSON string.",
    "deliverable": {"mediaType": "application/json", "maxBytes": 1_000},
    "acceptance": [{"kind": "json-schema", "schema": {"type": "string", "minLength": 10}}],
    "funding": "5 NET",
    "validation_policy": POLICY,
}
NAMES: Any = (
    "accepted",
    "delivered",
    "voted",
    "verified",
    "disputed",
    "paid",
    "rejected",
    "cancelled",
    "reopened",
    "timed_out",
)


@pytest.fixture
def options(world: World, tmp_path: Path) -> dict[str, Any]:
    keys = str(tmp_path / "keys")
    return {"url": world.url, "keys": keys, "blobs": world.origins, "memory": False, "log": None}


@contextmanager
def opened(name: str, options: dict[str, Any], handler: Callable[[Any], Any] | None = None) -> Iterator[Agent]:
    agent = Agent.open(name, **options)
    running = threading.Thread(target=agent.run) if handler is not None else None
    if handler is not None and running is not None:
        agent.on_work(min_funding="5 NET")(handler)
        running.start()
        until(lambda: agent.is_running)
    try:
        yield agent
    finally:
        agent.stop()
        if running is not None:
            running.join(HANGS)


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + HANGS
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def told(hired: Hired) -> list[tuple[str, dict[str, Any]]]:
    heard: list[tuple[str, dict[str, Any]]] = []

    def hear(name: Any) -> None:
        hired.on(name)(lambda event: heard.append((name, event)))

    for name in NAMES:
        hear(name)
    return heard


def balance_of(world: World, name: str) -> int:
    return int(world.client.read("/v1/agents/{agentId}", agentId=name)["account"]["balance"])


@pytest.mark.scenario
def test_one_call_offers_follows_and_pays_and_again_it_is_the_same_order(world: World, options: dict[str, Any]) -> None:
    with opened("pwalt", options, lambda job: '"Hash upon hash, nothing is lost."'):
        with opened("prosa", options) as requester:
            requester.act("faucet", {"amount": 20 * NET}, id="money")
            hired = requester.hire(**HAIKU, id="p-haiku-1", worker="pwalt")
            heard = told(hired)
            result = hired.result(timeout=HANGS)
            assert result.text == '"Hash upon hash, nothing is lost."'
            assert (result.worker_id, result.deliverable_hash) == ("pwalt", sha256(result.data).hex())
            order = hired.accept()
            assert (order["status"], order["conditionKinds"]) == ("PAID", ["json-schema"])
            until(lambda: any(name == "paid" for name, _ in heard))
            # Each listener runs on a thread of its own.
            assert {name for name, _ in heard} == {"accepted", "delivered", "voted", "verified", "paid"}
            vote = next(event for name, event in heard if name == "voted")
            assert (vote["vote"], vote["untrusted"], vote["order_id"]) == ("ACCEPT", True, "p-haiku-1")
            left = 20 * NET - order["funding"] - order["verificationFee"]
            assert balance_of(world, "prosa") == left
        with opened("prosa", options) as again:
            same = again.hire(**HAIKU, id="p-haiku-1", worker="pwalt")
            assert same.receipt == hired.receipt
            assert same.result().data == result.data
            rest = told(same)
            until(lambda: len(rest) == len(heard))
            assert balance_of(world, "prosa") == left
            with pytest.raises(AgentError) as used:
                again.hire(**HAIKU | {"funding": "6 NET"}, id="p-haiku-1", worker="pwalt")
            assert used.value.code == "ACT_ID_USED"
            with pytest.raises(NetError) as gone:
                again.hired("p-haiku-1").cancel()
            assert gone.value.code == "WORK_ORDER_NOT_OPEN"


def test_whatever_can_be_known_is_refused_before_anything_is_stored_or_paid(
    world: World, options: dict[str, Any]
) -> None:
    blocks = {"kind": "chain-replay", "from": 0, "to": 650}
    seven = POLICY | {"committeeSize": 7, "requiredAccepts": 7}
    lost = {"name": "lost", "hash": "ab" * 32, "mediaType": "text/plain", "byteLength": 4}
    endless = {"kind": "json-schema", "schema": {"$ref": "#"}}
    refused: list[tuple[dict[str, Any], str, str]] = [
        ({"acceptance": []}, "SCOPE_UNJUDGEABLE", "Use the kinds sha256, json-schema"),
        ({"acceptance": [endless]}, "SCOPE_UNJUDGEABLE", "Use the kinds"),
        ({"acceptance": [{"kind": "guess"}]}, "SCOPE_UNJUDGEABLE", "must be one of"),
        ({"acceptance": [blocks]}, "ORDER_UNVERIFIABLE", "651 blocks"),
        ({"validation_policy": seven}, "WORK_JURY_UNAVAILABLE", "7 accepts.*3 groups"),
        ({"inputs": [lost]}, "INPUT_MISSING", "lost"),
        ({"title": ""}, "DOCUMENT_INVALID", "title"),
        ({"funding": "much"}, "AMOUNT_INVALID", "'5 NET'"),
        ({"funding": 0}, "AMOUNT_INVALID", "'5 NET'"),
        ({"funding": "900 NET"}, "INSUFFICIENT_BALANCE", "."),
        ({"worker": "nowhere"}, "AGENT_UNKNOWN", "."),
        ({"worker": "prob"}, "REQUESTER_IS_WORKER", "."),
        ({"worker_bond": "6 NET"}, "WORKER_BOND_INVALID", "."),
        ({"id": "not an id"}, "ARGUMENT_INVALID", "id: 'not an id' is not an id"),
    ]
    with opened("prob", options) as requester:
        requester.act("faucet", {"amount": 20 * NET}, id="money")
        for change, code, words in refused:
            with pytest.raises((AgentError, NetError, FormatError)) as caught:
                requester.hire(**{"id": "p-never", **HAIKU, "title": "Never", **change})
            assert (code_of(caught.value), bool(re.search(words, str(caught.value)))) == (code, True), change
        assert balance_of(world, "prob") == 20 * NET
        scope = {"schema": "NET-WORK-SCOPE/1", "inputs": [], **HAIKU, "title": "Never"}
        for name in ("funding", "validation_policy"):
            del scope[name]
        with pytest.raises(AgentError, match="No known store"):
            requester.fetch(work_scope.make(scope).hash)


@pytest.mark.campaign
def test_a_worker_that_cannot_do_it_gives_it_back_at_once(world: World, options: dict[str, Any]) -> None:
    def cannot(_: Any) -> str:
        raise RuntimeError("no idea")

    with opened("pclumsy", options | {"capabilities": ["p-poetry"]}, cannot) as clumsy:
        lost: list[Any] = []
        clumsy.on("rejected")(lost.append)
        with opened("pruth", options) as requester:
            requester.act("faucet", {"amount": 20 * NET}, id="money")
            hired = requester.hire(**HAIKU, id="p-hard", requirements=["p-poetry"])
            heard = told(hired)
            until(lambda: len(heard) == 2 and lost != [])
            assert lost == [{"order_id": "p-hard", "reason": "RELEASED", "findings": []}]
            assert sorted(heard, key=lambda each: each[0]) == [
                ("accepted", {"order_id": "p-hard", "worker_id": "pclumsy"}),
                ("reopened", {"order_id": "p-hard", "worker_id": "pclumsy", "reason": "RELEASED"}),
            ]
            balance = balance_of(world, "pruth")
            receipt = hired.cancel()
            assert hired.cancel() == receipt
            until(lambda: len(heard) == 3)
            assert heard[2] == ("cancelled", {"order_id": "p-hard", "refund": 20 * NET - balance})
            assert balance_of(world, "pruth") == 20 * NET
            with pytest.raises(AgentError) as unpaid:
                hired.result()
            assert unpaid.value.code == "ORDER_UNPAID"


@pytest.mark.anyio
async def test_an_answer_from_before_what_the_agent_wrote_is_asked_for_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    async def hasty(seconds: float) -> None:
        pauses.append(seconds)

    async with AsyncNetClient(world.url) as client:
        line = RetryingClient(client)
        height = (await line.read("/v1/network"))["height"]
        line.wrote({"height": height + 2})
        # At least two blocks pass while it waits, because walter's registration makes them.
        rita, _ = await asyncio.gather(
            line.read("/v1/agents/{agentId}", agentId="rita"), asyncio.to_thread(world.join, "walter")
        )
        assert rita["height"] >= height + 2
        line.wrote({"height": 10**9})
        with monkeypatch.context() as patch:
            patch.setattr(line, "pause", hasty)
            assert (await line.read("/v1/network"))["height"] < 10**9
            assert len(pauses) == MOST_LOOKS
            await line.read("/v1/network")
            assert len(pauses) == MOST_LOOKS
