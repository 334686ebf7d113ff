"""Agents on a living network: they work, talk and remember, and whatever kills them, nothing happens twice."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from netsdk import Agent, AgentError, AgentKey, AsyncAgent, Job, KeyFileError, Message, NetError
from netsdk.agent import beacon, lifecycle
from netsdk.agent.agent_events import AnswerEvent, SkippedEvent
from netsdk.agent.amount import unet_of
from netsdk.agent.beacon import LONGEST_LOOK, next_look
from netsdk.agent.errors import code_of
from netsdk.agent.origins import blob_uri, origin_of_uri, reachable_origin
from netsdk.agent.work_offer import WorkOffer
from netsdk.formats import FormatError, seal_content
from netsdk.key_file import ensure_encryption_key
from netsdk.lab_seed import lab_key
from netsdk.protocol.canonical_json import canonical_bytes
from netsdk.protocol.hashes import sha256
from tests.at_work import at_work
from tests.child import Child
from tests.node import HANGS, RunningBlobs, node
from tests.proxy import Proxy
from tests.world import NET, World

PROJECT = Path(__file__).parents[1]


@pytest.fixture
def options(world: World, tmp_path: Path) -> dict[str, Any]:
    """How an agent of a test opens."""
    return {
        "url": world.url,
        "keys": str(tmp_path / "keys"),
        "blobs": world.origins,
        "capabilities": ["research"],
        "log": None,
    }


def until(holds: Callable[[], bool], seconds: float = HANGS) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def test_a_passphrase_seals_the_keys_that_an_earlier_start_left_plain(options: dict[str, Any], tmp_path: Path) -> None:
    for passphrase in (None, "correct horse", "correct horse"):
        Agent.open("sealed", **options, passphrase=passphrase).stop()
    files = {path.name: json.loads(path.read_text()) for path in (tmp_path / "keys").glob("*/sealed*.json")}
    assert sorted(files) == ["sealed.encryption.json", "sealed.json"]
    assert not any({"privateKey", "d"} & set(members) for members in files.values())
    with pytest.raises(KeyFileError, match="sealed with a passphrase"):
        Agent.open("sealed", **options)


def test_amounts_are_written_as_people_write_them() -> None:
    for right, unet in (("1 NET", 1_000_000), ("0.5net", 500_000), ("12.000001 NET", 12_000_001), (7, 7)):
        assert unet_of(right, "price") == unet
    for wrong in ("1", "-1 NET", "1.0000001 NET", "NET", -1, 1.5, True, None, "\u0661 NET"):
        with pytest.raises(AgentError) as caught:
            unet_of(wrong, "price")  # type: ignore[arg-type]
        assert caught.value.code == "AMOUNT_INVALID"


def test_only_the_very_blob_is_asked_of_a_strangers_uri() -> None:
    name = "ab" * 32
    assert origin_of_uri(f"https://blobs.example:443/blobs/{name}", name) == "https://blobs.example"
    for wrong in (
        f"http://x/blobs/{name}",
        "https://x/blobs/other",
        "https://[x",
        None,
        7,
        f"https://a@x/blobs/{name}",
    ):
        assert origin_of_uri(wrong, name) is None
    assert reachable_origin("https://127.0.0.1:8421") == "http://127.0.0.1:8421"
    assert reachable_origin("https://127.0.0.1") == "http://127.0.0.1:443"
    assert blob_uri("http://127.0.0.1:80", name) == f"https://127.0.0.1:80/blobs/{name}"


def test_what_counts_for_no_record_is_left_unless_the_owner_says_less(world: World, options: dict[str, Any]) -> None:
    agent = Agent.open("frugal", **options)
    heard: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
    agent.on("skipped")(lambda event: heard.put((event["order_id"], event["reason"])))
    agent.on_work(lambda _: "never")
    cheap = world.order(world.scope().data, agentId="frugal", funding=10 * NET - 1)
    with at_work(agent):
        order_id, reason = heard.get(timeout=60)
        while order_id != cheap:
            order_id, reason = heard.get(timeout=60)
    assert "it pays 9.999999 NET, but minimumFunding of the network is 10 NET" in reason
    assert world.order_at(cheap)["status"] == "OPEN"


@pytest.mark.scenario
def test_a_stranger_writes_twenty_lines_and_is_paid(world: World, options: dict[str, Any]) -> None:
    agent = Agent.open("ada", **options)
    heard: dict[str, list[Any]] = {}

    @agent.on_work(min_funding="1 NET", max_worker_bond="9 NET")
    def summarise(job: Job) -> str:
        agent.memory.set("seen", agent.memory.get("seen", 0) + 1)
        return f"{job.scope['title']}: {job.input('paper').decode()}"

    def hear(name: Any) -> None:
        agent.on(name)(lambda event: heard.setdefault(event["order_id"], []).append(event | {"name": name}))

    for name in ("accepted", "delivered", "paid", "skipped"):
        hear(name)
    paper = world.store(b"a fine paper")
    inputs = [{"name": "paper", "hash": paper, "mediaType": "text/plain", "byteLength": 12}]
    # Others offer what does not suit, too: the devnet is one for all tests.
    others = [world.order(world.scope().data, requirements=["cooking"]) for _ in range(2)]
    cheap = world.order(world.scope(inputs=inputs).data, funding=NET // 2)
    dear = world.order(world.scope().data, agentId="ada", workerBond=9 * NET)
    left = dict.fromkeys(others, 'it requires "cooking", but this agent offers "research"')
    left[cheap] = "it pays 0.5 NET, but min_funding is 1 NET"
    left[dear] = "it asks for a bond of 9 NET, more than this agent has"
    with at_work(agent):
        until(lambda: set(left) <= set(heard))
        order_id = world.order(world.scope(inputs=inputs).data)
        until(lambda: [event["name"] for event in heard.get(order_id, [])][-1:] == ["paid"])
        assert world.order_at(order_id)["status"] == "PAID"
        deliverable = world.order_at(order_id)["result"]["deliverableHash"]
        assert agent.fetch(deliverable) == b"Say what it is: a fine paper"
        assert world.balance("ada") == 10 * NET
        # Each once, however often it has looked since; the bond that it did not have kept it from no other.
        for other, reason in left.items():
            assert world.order_at(other)["status"] == "OPEN"
            assert [(event["name"], event["code"]) for event in heard[other]] == [("skipped", "ORDER_UNSUITABLE")]
            assert f"({reason})" in heard[other][0]["reason"]
        assert [event["name"] for event in heard[order_id]] == ["accepted", "delivered", "paid"]
    # Once what is in hand is done nothing of it is left, but the memory.
    names = {path.name for path in (Path(options["keys"]).parent / "agents").rglob("*") if path.is_file()}
    assert names == {"memory.json", "agent.lock", "genesis.json"}
    # Another machine with the same key takes the memory up.
    shutil.rmtree(Path(options["keys"]).parent / "agents")
    again = Agent.open("ada", **options)
    assert again.memory.get("seen") == 1
    assert again.memory.generation == 1
    again.stop()
    for open_order in left:
        world.client.act("cancelWorkOrder", {"orderId": open_order}, actor=world.requester)


@pytest.mark.slow
def test_a_result_that_verifiers_would_reject_is_not_delivered(world: World, options: dict[str, Any]) -> None:
    agent = Agent.open("eve", **options)
    failures: list[Any] = []
    heard: list[str] = []

    @agent.on_work
    def answer(job: Job) -> Any:
        return {1: None, 2: "no json"}.get(job.attempt, {"height": 3})

    agent.on("failed")(lambda event: failures.append(code_of(event["error"])))
    agent.on("paid")(lambda event: heard.append(event["order_id"]))
    schema = {"type": "object", "required": ["height"], "properties": {"height": {"type": "integer"}}}
    with at_work(agent):
        order_id = world.order(world.scope({"kind": "json-schema", "schema": schema}).data, agentId="eve")
        until(lambda: heard == [order_id])
    assert failures == ["RESULT_INVALID", "RESULT_UNMET"]


@pytest.mark.campaign
def test_a_beacon_is_renewed_before_it_ends(
    world: World, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert next_look(4_900, 100) == 390
    assert next_look(1_001, 100) == 33.3
    assert next_look(4_900, 1_000) == LONGEST_LOOK
    # A short one, so that a test can wait for it.
    monkeypatch.setattr(beacon, "RENEW_BEFORE", 30)
    monkeypatch.setattr(beacon, "BEACON_LIFETIME", 40)
    agent = Agent.open("steady", **options)
    with at_work(agent):
        first = world.client.read("/v1/agents/{agentId}", agentId="steady")["beaconSequence"]
        # Its blocks are quick only while something happens.
        for _ in range(60):
            world.client.act("faucet", {"amount": 1}, actor=world.requester)
            listed = world.client.read("/v1/discovery", limit=100)["beacons"]
            assert "steady" in [beacon["agentId"] for beacon in listed]
            time.sleep(0.05)
        agent_now = world.client.read("/v1/agents/{agentId}", agentId="steady")
        assert agent_now["beaconSequence"] > first


@pytest.mark.campaign
def test_a_place_that_is_away_keeps_no_agent_from_opening(
    world: World, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "TRY_AGAIN", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
    lines: list[str] = []
    own = {"blobs": [f"http://127.0.0.1:{port}"], "log": lines.append}
    agent = Agent.open("unhoused", **options | own)
    assert re.fullmatch(r"warning  code: BLOB_NOT_STORED, message: the beacon: .*", "\n".join(lines))
    with at_work(agent):
        time.sleep(2.5)
        # Tried as it opens, as the work begins, and then after 0.2, 0.4, 0.8 and 1.6 seconds.
        assert 2 <= len(lines) <= 5
        late = RunningBlobs(tmp_path / "late", world.url, port)
        try:
            until(lambda: world.client.read("/v1/agents/{agentId}", agentId="unhoused")["beacon"] is not None)
        finally:
            late.stop()


def test_a_node_that_is_away_is_said_to_be_and_so_is_its_return(world: World, options: dict[str, Any]) -> None:
    between = Proxy(world.url)
    agent = Agent.open("tolerant", **options | {"url": between.url})
    told: list[tuple[str, Any]] = []
    agent.on("offline")(lambda facts: told.append(("offline", facts)))
    agent.on("online")(lambda facts: told.append(("online", facts)))
    agent.memory.set("seen", 1)
    between.change = lambda path, status, content: None
    committing = threading.Thread(target=agent.memory.commit)
    committing.start()
    try:
        until(lambda: len(told) >= 2)
        with pytest.raises(AgentError) as late:
            agent.act("faucet", {"amount": 1}, timeout=0.1)
        between.change = None
        committing.join(HANGS)
        until(lambda: told[-1][0] == "online")
        first, second = told[0][1], told[1][1]
        assert f"; {between.url} does not answer" in str(late.value)
        assert [name for name, _ in told] == ["offline"] * (len(told) - 1) + ["online"]
        assert first["url"] == between.url
        assert first["for_milliseconds"] == 0
        assert first["next_try_in"] >= 500
        assert first["reason"]
        assert second["for_milliseconds"] > 0
        assert second["next_try_in"] > first["next_try_in"]
        assert told[-1][1]["for_milliseconds"] > 0
        assert agent.memory.generation == 1
    finally:
        between.change = None
        agent.stop()
        between.close()


def test_an_event_that_does_not_exist_and_a_word_that_is_no_amount_are_refused_where_no_checker_looks(
    world: World, options: dict[str, Any]
) -> None:
    agent = Agent.open("typist", **options)
    try:
        listen: Any = agent.on
        with pytest.raises(AgentError, match=r"no event is called 'payed'; there are paid, rejected, .*warning"):
            listen("payed")
        act: Any = agent.act
        with pytest.raises(AgentError, match=r"not an amount \(/amount: '1 EUR'\)\. Write '5 NET'") as caught:
            act("faucet", {"amount": "1 EUR"})
        assert caught.value.code == "AMOUNT_INVALID"
    finally:
        agent.stop()


@pytest.mark.anyio
async def test_a_handler_that_would_never_be_called_or_replace_another_is_refused(options: dict[str, Any]) -> None:
    agent = await AsyncAgent.open("prompt", **options)
    memory = agent.memory
    nothing: Any = None

    def refused(call: Callable[[], Any]) -> str:
        with pytest.raises(AgentError) as caught:
            call()
        return caught.value.code

    assert refused(lambda: agent.on_message(nothing)) == "ARGUMENT_INVALID"
    agent.on_message(lambda message: "in time")
    assert refused(lambda: agent.on_message(lambda message: "never")) == "HANDLER_TWICE"
    running = asyncio.create_task(agent.run())
    while not agent.is_running:
        await asyncio.sleep(0.01)
    assert refused(lambda: agent.on_work()(lambda job: "never")) == "HANDLER_TOO_LATE"
    with pytest.raises(AgentError) as caught:
        await agent.fetch("xyz")
    assert caught.value.code == "ARGUMENT_INVALID"
    await agent.stop()
    await running
    facts = {"messageId": "m"}
    hire: Any = {"title": "t", "instructions": "i", "acceptance": [], "funding": 1}
    offer = WorkOffer._make([None] * len(WorkOffer._fields))
    calls: list[Callable[[], Any]] = [
        lambda: agent.on_work(lambda job: "x"),
        lambda: agent.on_handover(lambda memory: None),
        lambda: memory.set("a", 1),
        lambda: memory.delete("a"),
    ]
    assert {refused(call) for call in calls} == {"AGENT_STOPPED"}
    late: list[Callable[[], Any]] = [
        lambda: agent.findings("o-1"),
        lambda: agent.send("ada", "x"),
        lambda: agent.ask("ada", "x"),
        lambda: agent.act("withdrawBeacon", {}),
        lambda: agent.hire(**hire),
        lambda: agent.hired("o-1"),
        lambda: agent.release("o-1"),
        lambda: agent.dispute("o-1", "why"),
        lambda: agent.offer("o-1"),
        lambda: agent.accept("o-1"),
        lambda: agent.input(offer, "x"),
        lambda: agent.deliver("o-1", "x"),
        lambda: agent.open_message(facts),
        lambda: agent.acknowledge(facts),
        lambda: agent.store("x"),
        lambda: agent.fetch("0" * 64),
        lambda: agent.grant_session(actions=["transfer"], budget=1),
        lambda: agent.rotate_encryption_key(),
        lambda: memory.commit(),
        lambda: memory.keep(),
        lambda: memory.hand_over(provider_id="p", runtime_id="r"),
    ]
    for each in late:
        with pytest.raises(AgentError) as caught:
            await each()
        assert caught.value.code == "AGENT_STOPPED"


@pytest.mark.slow
@pytest.mark.anyio
async def test_concurrent_first_acts_succeed_with_one_extension(world: World, options: dict[str, Any]) -> None:
    world.join("payee")
    payer = await AsyncAgent.open("payer", **options)
    await payer.act("faucet", {"amount": "10 NET"})
    receipts = await asyncio.gather(*(payer.act("transfer", {"to": "payee", "amount": "1 NET"}) for _ in range(6)))
    assert len({receipt["transitionHash"] for receipt in receipts}) == 6
    feed = await payer.client.get("/v1/events?agent=payer&type=AgentCapabilitiesExtended&after=0.0")
    # One for the faucet, one for the six transfers.
    assert len(feed["events"]) == 2
    await payer.stop()


def test_a_sealed_scope_is_opened_by_its_worker_alone(world: World, options: dict[str, Any]) -> None:
    agents = [Agent.open(name, **options) for name in ("sue", "tom")]
    chain_id = agents[0].chain_id
    requester = Agent.open("req", **options | {"capabilities": ["asking"]})
    requester.act("faucet", {"amount": 100 * NET})
    order_id = "order-sealed"
    key = ensure_encryption_key("sue", chain_id, directory=options["keys"])
    public = {name: key[name] for name in ("kty", "crv", "x", "kid")}
    facts = {"chainId": chain_id, "fromAgentId": "req", "toAgentId": "sue", "orderId": order_id, "part": "scope"}
    sealed = seal_content(world.scope().data, [public], facts)
    skipped: list[str] = []
    taken: list[Job] = []

    def hear(event: SkippedEvent) -> None:
        if event["order_id"] == order_id:
            skipped.append(event["code"])

    def keep(job: Job) -> str:
        taken.append(job)
        return "only for you"

    for agent in agents:
        agent.on_work(keep)
        agent.on("skipped")(hear)
    payload: Any = {
        "orderId": order_id,
        "title": "Secret",
        "scopeHash": requester.store(sealed.data),
        "jobType": "research",
        "requirements": ["research"],
        "funding": 10 * NET,
    }
    # The stranger looks first, while it is open.
    with at_work(agents[1]):
        receipt = requester.act("createWorkOrder", payload, id="the order")
        # The same act again is the same act.
        assert requester.act("createWorkOrder", payload, id="the order") == receipt
        assert requester.act("createWorkOrder", payload | {"funding": "10 NET"}, id="the order") == receipt
        others: Any = [("createWorkOrder", payload | {"title": "Open"}), ("faucet", {"amount": 1})]
        for action, other in others:
            with pytest.raises(AgentError) as caught:
                requester.act(action, other, id="the order")
            assert caught.value.code == "ACT_ID_USED"
        until(lambda: skipped == ["SCOPE_SEALED_TO_OTHERS"])
    with at_work(agents[0]):
        until(lambda: world.order_at(order_id)["status"] == "VERIFYING")
        assert [(job.sealed, job.scope["title"]) for job in taken] == [(True, "Say what it is")]
        assert world.order_at(order_id)["workerId"] == "sue"
        result = requester.fetch(world.order_at(order_id)["result"]["deliverableHash"])
        assert b"only for you" not in result
    requester.stop()


@pytest.mark.slow
@pytest.mark.anyio
async def test_agents_talk_sealed_and_each_message_once(world: World, options: dict[str, Any]) -> None:
    bob = await AsyncAgent.open("bob", **options)
    carl = await AsyncAgent.open("carl", **options)
    told: list[str] = []

    @bob.on_message
    async def answer(message: Message) -> str | None:
        told.append(message.text)
        return {"kind": message.kind, "said": message.text} if message.kind == "REQUEST" else None  # type: ignore[return-value]

    running = asyncio.ensure_future(bob.run())
    first = await carl.ask("bob", "Who was the fourth?", timeout=HANGS)
    assert first.json() == {"kind": "REQUEST", "said": "Who was the fourth?"}
    second = await carl.ask("bob", "And the fifth?", conversation_id=first.conversation_id, timeout=HANGS)
    assert second.json()["said"] == "And the fifth?"
    sent = await carl.send("bob", "Thank you.", conversation_id=first.conversation_id)
    while "Thank you." not in told:
        await asyncio.sleep(0.05)
    assert told == ["Who was the fourth?", "And the fifth?", "Thank you."]
    while (await carl.client.read("/v1/agent-messages", agentId="bob", status="PENDING"))["messages"]:
        await asyncio.sleep(0.05)
    messages = (await carl.client.read("/v1/agent-messages", conversationId=first.conversation_id))["messages"]
    assert len(messages) == 5
    assert {message["status"] for message in messages} == {"DELIVERED"}
    assert sent.message_id in {message["messageId"] for message in messages}
    with pytest.raises(AgentError) as caught:
        await carl.ask("nobody-here", "Hello?", timeout=5)
    assert caught.value.code == "RECIPIENT_UNKNOWN"
    # The answer to a question that no call waits for is an event.
    answers: list[AnswerEvent] = []
    carl.on("answer")(answers.append)
    question = await carl.send("bob", "And the sixth?", kind="REQUEST")
    listening = asyncio.ensure_future(carl.run())
    while not answers:
        await asyncio.sleep(0.05)
    message = answers[0]["message"]
    assert (message.json()["said"], message.reply_to) == ("And the sixth?", question.message_id)
    assert answers[0]["message_id"] == message.message_id
    await bob.stop()
    await running
    with pytest.raises(AgentError) as caught:
        await carl.ask("bob", "Are you there?", timeout=0.2)
    assert caught.value.code == "ANSWER_TIMEOUT"
    await carl.stop()
    await listening


@pytest.mark.anyio
@pytest.mark.campaign
async def test_a_list_that_is_late_begins_nothing_anew(world: World, options: dict[str, Any]) -> None:
    proxy, is_asked_for = Proxy(world.url), threading.Event()

    def waiting() -> int:
        return len(world.client.read("/v1/agent-messages", agentId="slow-reader", status="PENDING")["messages"])

    def late(path: str, status: int, content: bytes) -> tuple[int, dict[str, str], bytes]:
        """Holds the list that shows both questions as waiting until the first is done with."""
        both = "status=PENDING" in path and len(json.loads(content)["messages"]) == 2
        if both and not is_asked_for.is_set():
            is_asked_for.set()
            until(lambda: waiting() == 1)
            time.sleep(0.5)  # The receipt is on its way to the agent.
        return status, {}, content

    proxy.change = late
    slow = await AsyncAgent.open("slow-reader", **options | {"url": proxy.url})
    asker = await AsyncAgent.open("asker", **options)
    heard: list[str] = []

    @slow.on_message
    def answer(message: Message) -> str:
        heard.append(message.text)
        assert is_asked_for.wait(HANGS)
        return "Yes."

    running = asyncio.ensure_future(slow.run())
    first = asyncio.ensure_future(asker.ask("slow-reader", "One?", timeout=HANGS))
    while not heard:
        await asyncio.sleep(0.02)
    await asyncio.gather(first, asker.ask("slow-reader", "Two?", timeout=HANGS))
    await slow.stop()
    await running
    await asker.stop()
    proxy.close()
    assert heard == ["One?", "Two?"]


@pytest.mark.anyio
async def test_who_cannot_be_opened(world: World, options: dict[str, Any]) -> None:
    async def code(name: str, **more: Any) -> str:
        with pytest.raises((AgentError, NetError)) as caught:
            await AsyncAgent.open(name, **options | more)
        return str(getattr(caught.value, "code", ""))

    assert await code("no/name") == "AGENT_ID_INVALID"
    assert await code("dan", url="http://127.0.0.1:1") == "NODE_UNREACHABLE"
    assert await code(world.requester.actor_id) == "AGENT_ID_TAKEN"
    dan = await AsyncAgent.open("dan", **options)
    assert await code("dan") == "AGENT_RUNNING"
    with pytest.raises(AgentError) as caught:
        dan.memory.set("key", {1, 2})
    assert caught.value.code == "MEMORY_VALUE_INVALID"
    with pytest.raises(AgentError) as caught:
        await dan.fetch("ab" * 32)
    assert caught.value.code == "BLOB_NOT_FOUND"
    await dan.stop()
    lonely = await AsyncAgent.open("dan", **options | {"blobs": world.origins[:1], "memory": True})
    lonely.memory.set("key", 1)
    with pytest.raises(AgentError) as caught:
        await lonely.memory.commit()
    assert caught.value.code == "MEMORY_NEEDS_REPLICAS"
    await lonely.stop()
    # The change is on disk, and is checkpointed once there are enough replicas.
    dan = await AsyncAgent.open("dan", **options)
    assert dan.memory.get("key") == 1
    await dan.memory.commit()
    assert dan.memory.generation == 1
    await dan.stop()
    state = Path(options["keys"]).parent / "agents" / dan.chain_id / "dan"
    copy = json.loads((state / "memory.json").read_text())
    (state / "memory.json").write_text(json.dumps(copy | {"base": {"generation": 7, "checkpointHash": "ab" * 32}}))
    assert await code("dan") == "MEMORY_UNKNOWN_GENERATION"
    forked = {"base": {"generation": 0, "checkpointHash": None}, "version": 9, "committed": 1}
    (state / "memory.json").write_text(json.dumps(copy | forked))
    assert await code("dan") == "MEMORY_FORKED"
    (state / "memory.json").write_text("{")
    assert await code("dan") == "STATE_INVALID"
    (state / "memory.json").unlink()
    lab_key("lola").save("lola", dan.chain_id, directory=options["keys"])
    assert await code("lola") == "LAB_KEY_REFUSED"


STEPS_OF_WORK = [
    "work.chosen",
    "act.signed@acceptWork",
    "act.answered@acceptWork",
    "work.handled",
    "work.kept",
    "work.stored",
    "act.answered@submitWorkResult",
    "act.answered@settleVerifiedWork",
    "work.settled",
]


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        pytest.param("kim", ["act.signed@acceptWork", "work.handled", "act.answered@settleVerifiedWork"]),
        pytest.param("kit", STEPS_OF_WORK, marks=pytest.mark.campaign),
    ],
)
def test_killed_at_every_step_of_work_it_is_paid_once(
    world: World, options: dict[str, Any], tmp_path: Path, name: str, steps: list[str]
) -> None:
    child = Child(name, options, tmp_path / "trace")
    assert child.start("act.signed@publishBeacon") == -signal.SIGKILL
    order_id = world.order(world.scope().data)
    for step in steps:
        assert child.start(step) == -signal.SIGKILL, step
    assert child.start() == 0
    assert world.order_at(order_id)["status"] == "PAID"
    assert world.balance(name) == 10 * NET
    for kind in ("BeaconPublished", "WorkAccepted", "WorkResultSubmitted", "WorkOrderPaid"):
        assert len(world.events(kind, name)) == 1, kind
    # A handler whose result was not on disk runs again; one whose result was does not.
    assert len(child.lines("worked on")) == 2
    assert child.lines("paid") == [f"paid {order_id}"]


@pytest.mark.campaign
def test_killed_at_every_step_of_a_checkpoint_it_commits_each_generation_once(
    world: World, options: dict[str, Any], tmp_path: Path
) -> None:
    child = Child("leo", options, tmp_path / "trace")
    for step in ("memory.sealed", "act.answered@commitMemoryCheckpoint", "memory.committed"):
        assert child.start(step, remember=step) == -signal.SIGKILL
    assert child.start(remember="the end") == 0
    generations = [event["generation"] for event in world.events("MemoryCheckpointCommitted", "leo")]
    assert sorted(generations) == list(range(1, len(generations) + 1))
    agent = Agent.open("leo", **options)
    assert agent.memory.get("remembered") == "the end"
    assert agent.memory.generation == max(generations)
    agent.stop()


@pytest.mark.campaign
def test_killed_while_it_answers_it_answers_once(world: World, options: dict[str, Any], tmp_path: Path) -> None:
    child = Child("max", options, tmp_path / "trace")
    assert child.start("act.recorded@publishBeacon") == -signal.SIGKILL
    asker = Agent.open("nia", **options)
    answers: list[str] = []
    asking = threading.Thread(target=lambda: answers.append(asker.ask("max", "Once?", timeout=HANGS).text), daemon=True)
    asking.start()
    steps = ["message.answered", "message.sealed", "act.answered@sendAgentMessage", "message.sent"]
    for step in [*steps, "act.recorded@acknowledgeAgentMessage"]:
        assert child.start(step) == -signal.SIGKILL, step
    asking.join(HANGS)
    assert answers == ["You said: Once?"]
    sent = [event for event in world.events("AgentMessageSent", "max") if event["fromAgentId"] == "max"]
    assert len(sent) == 1
    assert len(child.lines("heard")) == 2
    asker.stop()


@pytest.mark.campaign
def test_the_twenty_lines_of_the_readme_work_until_they_are_terminated(
    world: World, options: dict[str, Any], tmp_path: Path
) -> None:
    lines, *_ = re.findall(r"```py\n(.*?)```", (PROJECT / "README.md").read_text("utf-8"), re.DOTALL)
    changes = {
        '"ada"': '"pat"',
        'capabilities=["research"]': f'capabilities=["research"], blobs={world.origins!r}',
    }
    for old, new in changes.items():
        assert old in lines
        lines = lines.replace(old, new)
    environment = os.environ | {
        "PYTHONPATH": str(PROJECT / "src"),
        "NET_HOME": str(tmp_path / "keys"),
        "NET_URL": world.url,
    }
    process = subprocess.Popen([sys.executable, "-c", lines], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        order_id = world.order(world.scope().data, deliverWithin={"heights": 1_000, "milliseconds": 600_000})
        until(lambda: world.order_at(order_id)["status"] == "PAID", 60)
        deliverable = world.order_at(order_id)["result"]["deliverableHash"]
        asker = Agent.open("quo", **options)
        assert asker.fetch(deliverable) == b"Say what it is, by pat"
        assert asker.ask("pat", "Which one?", timeout=HANGS).text == "The fourth."
        asker.stop()
    finally:
        process.send_signal(signal.SIGTERM)
        printed, _ = process.communicate(timeout=HANGS)
    assert process.returncode == 0
    assert "checkpoint  generation: 1" in printed


@pytest.mark.slow
def test_what_the_javascript_agent_began_is_taken_up_here(world: World, options: dict[str, Any]) -> None:
    script = str(PROJECT / "tests/scripts/agent.mjs")
    plain = json.dumps({key: value for key, value in options.items() if key != "log"})
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = subprocess.Popen([node(), script, "zoe", plain], **pipes)
    try:
        assert process.stdout
        told = json.loads(process.stdout.readline())
        with pytest.raises(AgentError) as caught:
            Agent.open("zoe", **options)
        assert caught.value.code == "AGENT_RUNNING"
    finally:
        process.communicate(timeout=HANGS)
    assert process.returncode == 0
    agent = Agent.open("zoe", **options)
    assert agent.memory.get("from") == "node"
    assert agent.memory.generation == 1
    assert agent.act("faucet", {"amount": 1_000}, id="once")["transitionHash"] == told["transitionHash"]
    assert world.balance("zoe") == 1_000
    agent.stop()


def test_a_key_of_another_machine_is_not_taken_for_this_one(world: World, options: dict[str, Any]) -> None:
    agent = Agent.open("oda", **options)
    agent.stop()
    keys = Path(options["keys"]) / agent.chain_id
    (keys / "oda.json").unlink()
    AgentKey.ensure("oda", agent.chain_id, directory=options["keys"])
    with pytest.raises(AgentError) as caught:
        Agent.open("oda", **options)
    assert caught.value.code == "AGENT_ID_TAKEN"


@pytest.mark.slow
def test_a_key_that_was_copied_without_the_one_that_others_seal_to_is_told_of_by_name(
    world: World, options: dict[str, Any], tmp_path: Path
) -> None:
    Agent.open("olga", **options).stop()
    (copied,) = Path(options["keys"]).glob("*/olga.json")
    elsewhere = tmp_path / "elsewhere/keys" / copied.parent.name / copied.name
    elsewhere.parent.mkdir(parents=True)
    shutil.copy2(copied, elsewhere)
    lines: list[str] = []
    moved = options | {"keys": str(tmp_path / "elsewhere/keys"), "log": lines.append}
    Agent.open("olga", **moved).stop()
    missing = f"{elsewhere.with_name('olga.encryption.json')}, key "
    assert any("ENCRYPTION_KEY_MISSING" in line and missing in line for line in lines), lines
    lines.clear()
    with Agent.open("ottilie", **options) as keeps:
        keeps.memory.set("seen", 1)
        keeps.memory.commit()
    shutil.copy2(copied.with_name("ottilie.json"), elsewhere.parent)
    for _ in range(2):
        with pytest.raises(AgentError, match=r"ottilie\.encryption\.json") as refused:
            Agent.open("ottilie", **moved)
        assert refused.value.code == "ENCRYPTION_KEY_MISSING"
    Agent.open("ottilie", **moved, memory=False).stop()
    lines.clear()
    Agent.open("oleg", **moved).stop()
    assert not any("encryption.json" in line for line in lines), lines


def test_an_order_is_accepted_only_with_a_sound_scope_and_the_bond_agreed_to(
    world: World, options: dict[str, Any]
) -> None:
    agent = Agent.open("picky", **options)
    broken = json.loads(world.scope().data) | {"acceptance": [{"kind": "json-schema", "schema": {"type": "objekt"}}]}
    with pytest.raises(FormatError, match="/acceptance/0/schema/type") as refused:
        agent.store(broken)
    assert refused.value.code == "SCOPE_UNJUDGEABLE"
    lost, bad = world.scope(title="Lost").data, canonical_bytes(broken)
    missing = world.order(world.scope().data, scopeHash=sha256(lost).hex())
    absent = {"name": "lost", "hash": "ab" * 32, "mediaType": "text/plain", "byteLength": 4}
    blocks = {"kind": "chain-replay", "from": 0, "to": 649}
    orders = [
        ("SCOPE_MISSING", missing),
        ("SCOPE_UNJUDGEABLE", world.order(bad)),
        ("INPUT_MISSING", world.order(world.scope(inputs=[absent]).data)),
        ("ORDER_UNVERIFIABLE", world.order(world.scope(blocks).data)),
    ]
    for code, order_id in orders:
        for accept in (
            lambda: agent.accept(order_id),  # noqa: B023
            lambda: agent.act("acceptWork", {"orderId": order_id}),  # noqa: B023
        ):
            with pytest.raises((AgentError, FormatError)) as refusal:
                accept()
            assert getattr(refusal.value, "code", None) == code
        assert world.order_at(order_id)["status"] == "OPEN"
    agent.act("faucet", {"amount": 5 * NET})
    bonded = world.order(world.scope().data, workerBond=2 * NET)
    with pytest.raises(AgentError, match="2 NET, but 0 NET was agreed to"):
        agent.accept(bonded)
    for _ in range(2):
        assert agent.accept(bonded, worker_bond="2 NET")["status"] == "ACCEPTED"
    agent.stop()


def test_a_replaced_chain_ends_run_and_every_call_that_waits(
    world: World, options: dict[str, Any], proxy: Proxy
) -> None:
    quiet = Agent.open("quiet", **options, memory=False)
    agent = Agent.open("left", **options | {"url": proxy.url}, memory=False)
    agent.on_message(lambda message: "never")
    codes: list[str | None] = []

    def ends(call: Callable[[], Any]) -> threading.Thread:
        def run() -> None:
            try:
                call()
            except AgentError as error:
                codes.append(error.code)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread

    threads = [ends(agent.run), ends(lambda: agent.ask("quiet", "who?"))]
    while not world.events("AgentMessageSent", "left"):
        time.sleep(0.05)

    def alter(path: str, document: Any) -> Any:
        if path == "/v1/network":
            return document | {"height": 1, "genesisHash": "f" * 64}
        return document | {"height": 1} if isinstance(document.get("height"), int) else document

    proxy.tamper(alter)
    for thread in threads:
        thread.join(60)
    assert codes == ["CHAIN_REPLACED"] * 2
    quiet.stop()


def test_a_timeout_bounds_the_whole_call_and_stop_is_quiet_while_the_node_is_away(
    world: World, options: dict[str, Any], proxy: Proxy
) -> None:
    agent = Agent.open("bounded", **options | {"url": proxy.url})
    warnings: list[Any] = []
    agent.on("warning")(warnings.append)
    agent.on("offline")(lambda facts: None)
    proxy.change = lambda path, status, content: (503, {}, b"{}")
    with pytest.raises(AgentError) as caught:
        agent.ask("quiet", "when?", timeout=0.3)
    assert caught.value.code == "ANSWER_TIMEOUT"
    agent.memory.set("kept", "yes")
    agent.stop()
    assert warnings == []
    again = Agent.open("bounded", **options)
    assert again.memory.get("kept") == "yes"
    again.stop()


def test_what_it_keeps_of_a_chain_is_never_taken_for_that_of_another_with_the_same_name(
    world: World, options: dict[str, Any], tmp_path: Path
) -> None:
    agent = Agent.open("reborn", **options)
    agent.act("faucet", {"amount": NET}, id="money")
    agent.stop()
    place = tmp_path / "agents" / agent.chain_id / "reborn"
    bound = json.loads((place / "genesis.json").read_text())
    assert bound["genesisHash"] == world.client.network()["genesisHash"]
    # As if they had been written on a chain that was reset since.
    (place / "genesis.json").write_text(json.dumps(bound | {"genesisHash": "ab" * 32}))
    with pytest.raises(AgentError, match=re.escape(f"move {place} to {place}.of-abababab")) as refusal:
        Agent.open("reborn", **options)
    assert refusal.value.code == "CHAIN_REPLACED"
    place.rename(f"{place}.of-abababab")
    again = Agent.open("reborn", **options)
    assert again.act("faucet", {"amount": NET}, id="money")["events"][0]["type"] == "FaucetPaid"
    again.stop()


def test_what_a_process_that_was_killed_has_left_behind_is_one_checkpoint(
    world: World, options: dict[str, Any], tmp_path: Path
) -> None:
    agent = Agent.open("crashed", **options)
    agent.memory.set("seen", 0)
    agent.memory.commit()
    agent.stop()
    file = tmp_path / "agents" / agent.chain_id / "crashed" / "memory.json"
    left = json.loads(file.read_text())
    file.write_text(json.dumps(left | {"version": left["version"] + 1}))
    again = Agent.open("crashed", **options)
    for number in range(24):
        again.memory.set("seen", number)
        time.sleep(0.03)
    assert again.memory.generation == 1
    again.memory.commit()
    assert again.memory.generation == 2
    again.stop()


def test_a_dispute_of_an_unjudged_result_is_answered_and_a_rejection_is_reported(
    world: World, options: dict[str, Any]
) -> None:
    agent = Agent.open("sure", **options)
    agent.act("faucet", {"amount": "5 NET"})
    agent.on_work(lambda _: "one two three")
    seen: dict[str, list[dict[str, Any]]] = {"paid": [], "voted_down": [], "rejected": []}
    for name, events in seen.items():
        agent.on(name)(events.append)  # type: ignore[call-overload]
    with at_work(agent):
        order_id = world.order(world.scope().data, agentId="sure", jury="none")
        until(lambda: bool(world.order_at(order_id)["phase"] == "UNJUDGED"))
        dispute: Any = {"orderId": order_id, "reasonHash": "0" * 64, "bond": 5 * NET}
        world.client.act("openDispute", dispute, actor=world.requester)
        until(lambda: bool(seen["paid"]))
        answered = world.events("DisputeAnswered", "sure")
        assert [(each["orderId"], each["actorId"], each["bond"]) for each in answered] == [(order_id, "sure", 5 * NET)]
        # The funding and both bonds, without the fee of the jury.
        assert 19 * NET < world.balance("sure") < 20 * NET

        world.rejects_because = "not three words"
        try:
            rejected = world.order(world.scope().data, agentId="sure")
            until(lambda: bool(seen["rejected"]))
        finally:
            world.rejects_because = None
        verdict = seen["voted_down"][0]
        assert (verdict["order_id"], verdict["bond"]) == (rejected, 5 * NET)
        assert verdict["findings"][0].vote == "REJECT"


@pytest.mark.campaign
def test_three_rejections_of_one_kind_in_a_row_pause_it(world: World, options: dict[str, Any]) -> None:
    world.rejects_because = '{"reason":"Not met is condition 1."}'
    world.store(world.rejects_because.encode())
    agent = Agent.open("hopeless", **options)
    agent.on_work(min_funding="1 NET")(lambda _: "not what was asked")
    seen: dict[str, list[dict[str, Any]]] = {"rejected": [], "paused": [], "accepted": []}
    for name, events in seen.items():
        agent.on(name)(events.append)  # type: ignore[call-overload]
    try:
        with at_work(agent):
            haiku: Any = {"agentId": "hopeless", "jobType": "haiku", "funding": NET}
            for count in range(1, 4):
                world.order(world.scope().data, **haiku)
                until(lambda count=count: len(seen["rejected"]) == count)  # type: ignore[misc]
            until(lambda: bool(seen["paused"]))
            assert seen["paused"][0]["reasons"] == ["Not met is condition 1."]
            assert "resume_work('haiku')" in seen["paused"][0]["go_on"]
            assert seen["rejected"][0]["findings"][0].reason == "Not met is condition 1."
            order_id = world.order(world.scope().data, **haiku)
            other = world.order(world.scope().data, **haiku | {"jobType": "sonnet"})
            until(lambda: seen["accepted"][-1]["order_id"] == other)
            assert world.order_at(order_id)["status"] == "OPEN"
            agent.resume_work("haiku")
            until(lambda: seen["accepted"][-1]["order_id"] == order_id)
    finally:
        world.rejects_because = None
