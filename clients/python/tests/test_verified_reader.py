"""The verified reader accepts the answers of a real node, and refuses altered answers."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from netsdk import Actor, AgentKey, AsyncNetClient, AsyncVerifiedReader, NetClient, NetError, VerificationError
from netsdk import VerifiedReader as Reader
from netsdk.documents import BlockDetail, Receipt
from netsdk.protocol.hashes import hash_without
from netsdk.protocol.merkle import verify_merkle_proof
from tests.node import HANGS, RunningNode, node
from tests.proxy import Proxy

OTHER = "ab" * 32
ORDER: Any = {
    "title": "Read a paper",
    "scopeHash": "cd" * 32,
    "jobType": "reading",
    "requirements": ["read"],
    # There are no verifiers.
    "jury": "none",
}


class Chain(NamedTuple):
    """Facts of the chain that the fixture makes for these tests."""

    genesis_hash: str
    agent_id: str
    receipt: Receipt
    order_id: str
    accepted: str


@pytest.fixture(scope="module")
def chain(net: RunningNode, operator: Actor) -> Iterator[Chain]:
    with NetClient(net.url, timeout=HANGS) as client:
        alice = Actor("verified-alice", AgentKey.generate())
        receipt = client.register("reads papers", actor=alice)
        created = client.act("createWorkOrder", ORDER | {"funding": 1_000_000}, actor=operator)
        order_id = created["events"][0]["data"]["orderId"]
        accepted = client.act("acceptWork", {"orderId": order_id}, actor=alice)
        genesis_hash = client.network()["genesisHash"]
        yield Chain(genesis_hash, alice.actor_id, receipt, order_id, accepted["transitionHash"])


@pytest.fixture(scope="module")
def heights(net: RunningNode, chain: Chain, operator: Actor) -> list[int]:
    """Heights of more blocks than may take a request each."""
    with NetClient(net.url, timeout=HANGS) as client:
        payload: Any = {"to": chain.agent_id, "amount": 1}
        return [client.act("transfer", payload, actor=operator)["height"] for _ in range(40)]


@pytest.fixture
def honest(net: RunningNode, chain: Chain) -> Iterator[Reader]:
    with NetClient(net.url, timeout=HANGS) as client:
        yield Reader(client, genesis_hash=chain.genesis_hash)


@pytest.fixture
def lied(proxy: Proxy, chain: Chain) -> Iterator[Reader]:
    """Reads through the proxy."""
    with NetClient(proxy.url, timeout=HANGS) as client:
        yield Reader(client, genesis_hash=chain.genesis_hash)


def at(start: str, edit: Callable[[Any], Any]) -> Callable[[str, Any], Any]:
    return lambda path, document: edit(document) if path.startswith(start) else document


class TestTheAnchor:
    def test_makes_a_verdict_trusted(self, net: RunningNode, chain: Chain) -> None:
        with NetClient(net.url, timeout=HANGS) as client:
            set_hash = client.read("/v1/consensus/validator-set")["validatorSetHash"]
            for reader in (
                Reader(client, genesis_hash=chain.genesis_hash),
                Reader(client, validator_set_hash=set_hash),
            ):
                assert reader.read_state("agent/verified-alice").verdict == "trusted"
            with pytest.raises(TypeError, match="one anchor"):
                Reader(client, genesis_hash=chain.genesis_hash, validator_set_hash=set_hash)

    def test_left_out_nothing_is_more_than_self_consistent(self, net: RunningNode, chain: Chain) -> None:
        with NetClient(net.url, timeout=HANGS) as client:
            reader = Reader(client)
            assert reader.read_state("agent/verified-alice").verdict == "self-consistent"
            assert reader.read_transition(chain.accepted).verdict == "self-consistent"
            assert reader.read_work_audit(chain.order_id).verdict == "self-consistent"

    def test_of_another_chain_is_refused(self, net: RunningNode) -> None:
        with NetClient(net.url, timeout=HANGS) as client:
            with pytest.raises(VerificationError, match="genesis of the node is not the trusted one"):
                Reader(client, genesis_hash=OTHER).read_state("agent/a")
            with pytest.raises(VerificationError, match="validator set is not the trusted one"):
                Reader(client, validator_set_hash=OTHER).read_state("agent/a")

    def test_is_fetched_again_where_the_first_time_failed(self, lied: Reader, proxy: Proxy) -> None:
        proxy.tamper(at("/v1/genesis", lambda document: {}))
        with pytest.raises(VerificationError):
            lied.read_state("agent/a")
        proxy.change = None
        assert lied.read_state("agent/a").verdict == "trusted"


class TestAStateValue:
    def test_is_there_or_proven_not_to_be(self, honest: Reader, chain: Chain) -> None:
        found = honest.read_state(f"agent/{chain.agent_id}")
        assert found.value["description"] == "reads papers"
        assert found.present
        assert found.height >= chain.receipt["height"]
        absent = honest.read_state("agent/nobody")
        assert (absent.value, absent.present, absent.verdict) == (None, False, "trusted")

    @pytest.mark.parametrize(
        ("edit", "reason"),
        [
            (lambda p: p | {"value": p["value"] | {"status": "retired"}}, "path does not lead to the root"),
            (lambda p: p | {"leaf": {"kind": "empty"}, "value": None}, "path does not lead to the root"),
            (lambda p: p | {"key": "agent/bob"}, "for another key"),
            (lambda p: p | {"height": 1_000_000}, "for another height"),
            (lambda p: p | {"height": True}, "for another height"),
            (lambda p: p | {"certificate": p["certificate"] | {"stateRoot": OTHER}}, "certificateHash is wrong"),
            (lambda p: p | {"certificate": p["certificate"] | {"votes": [], "votingPower": 0}}, "below the quorum"),
            (lambda p: p | {"certificate": p["certificate"] | {"votes": None}}, "not of the shape"),
            (lambda p: {}, "shape"),
            (lambda p: p | {"siblings": None}, "shape"),
            (lambda p: p | {"leaf": {"kind": "other", "keyHash": "ab", "valueHash": OTHER}}, "64 lowercase hex"),
        ],
    )
    def test_that_is_a_lie_is_refused(
        self, lied: Reader, proxy: Proxy, edit: Callable[[Any], Any], reason: str, chain: Chain
    ) -> None:
        proxy.tamper(at("/v1/state/proof", edit))
        with pytest.raises(VerificationError, match=reason):
            lied.read_state(f"agent/{chain.agent_id}")

    def test_that_is_no_document_is_no_answer(self, lied: Reader, proxy: Proxy) -> None:
        lied.read_state("agent/a")
        proxy.tamper(at("/v1/state/proof", lambda p: []))
        with pytest.raises(NetError, match="not a document"):
            lied.read_state("agent/a")


class TestWhatWasCertifiedInItsTime:
    @pytest.fixture
    def stuck(self, lied: Reader, proxy: Proxy) -> Reader:
        """A reader of a node that goes on telling what it told first."""
        told: dict[str, Any] = {}

        def alter(path: str, document: Any) -> Any:
            if not path.startswith("/v1/state/proof"):
                return document
            return told.setdefault(document["key"], document)

        proxy.tamper(alter)
        return lied

    def move_on(self, client: NetClient) -> int:
        return int(client.act("transfer", {"to": "verified-alice", "amount": 1})["height"])

    def test_is_refused_where_the_reader_has_seen_a_later_state(self, stuck: Reader, client: NetClient) -> None:
        height = stuck.read_state("agent/verified-alice").height
        stuck.read_state("agent/verified-alice")
        self.move_on(client)
        assert stuck.read_state("account/verified-alice").height > height
        with pytest.raises(VerificationError, match="there has been one of"):
            stuck.read_state("agent/verified-alice")

    def test_is_refused_where_the_reader_has_seen_a_later_transition(self, stuck: Reader, client: NetClient) -> None:
        stuck.read_state("agent/verified-alice")
        receipt = client.act("transfer", {"to": "verified-alice", "amount": 1})
        stuck.read_transition(receipt["transitionHash"])
        with pytest.raises(VerificationError, match="there has been one of"):
            stuck.read_state("agent/verified-alice")

    def test_is_refused_below_the_height_that_the_caller_knows(
        self, stuck: Reader, honest: Reader, client: NetClient
    ) -> None:
        stuck.read_state("agent/verified-alice")
        height = self.move_on(client)
        assert honest.read_state("agent/verified-alice", min_height=height).height >= height
        with pytest.raises(VerificationError, match="there has been one of"):
            stuck.read_state("agent/verified-alice", min_height=height)

    def test_is_refused_where_it_is_older_than_the_caller_allows(
        self, stuck: Reader, proxy: Proxy, client: NetClient, chain: Chain
    ) -> None:
        stuck.read_state("agent/verified-alice", max_age=3600)
        with pytest.raises(VerificationError, match="s old, 1e-06 s are asked"):
            stuck.read_state("agent/verified-alice", max_age=1e-6)
        late = {"timestamp": "2999-01-01T00:00:00.000Z"}
        proxy.tamper(at("/v1/blocks?", lambda told: told | {"blocks": [told["blocks"][0] | late]}))
        with pytest.raises(VerificationError, match="not that of the certified block"):
            stuck.read_state("agent/verified-alice", max_age=3600)
        with pytest.raises(VerificationError, match="not that of the certified block"):
            stuck.read_head()
        proxy.tamper(at("/v1/blocks?", lambda told: told | {"blocks": []}))
        with pytest.raises(VerificationError, match="lacks a certified block"):
            stuck.read_head()

    def test_has_a_header_that_tells_its_time_without_the_whole_block(
        self, lied: Reader, honest: Reader, proxy: Proxy
    ) -> None:
        head = lied.read_head()
        assert head.verdict == "trusted"
        assert head.header["height"] == lied.height
        assert head.header == honest.read_block(lied.height).header
        assert not any(path.startswith("/v1/blocks/") for _, path, _ in proxy.requests)

    def test_is_refused_where_the_events_of_an_order_are_later(
        self, lied: Reader, honest: Reader, proxy: Proxy, client: NetClient
    ) -> None:
        created = client.act("createWorkOrder", ORDER | {"funding": 1_000_000})
        order_id = created["events"][0]["data"]["orderId"]
        old = client.read("/v1/state/proof", key=f"order/{order_id}")
        client.act("cancelWorkOrder", {"orderId": order_id})
        proxy.tamper(at("/v1/state/proof", lambda _: old))
        with pytest.raises(VerificationError, match="there has been one of"):
            lied.read_work_audit(order_id)
        assert honest.read_work_audit(order_id).order["status"] != "OPEN"

    def test_a_block_is_read_with_all_that_happened_in_it(
        self, lied: Reader, honest: Reader, proxy: Proxy, chain: Chain, client: NetClient
    ) -> None:
        height = client.read("/v1/transitions/{transitionHash}", transitionHash=chain.accepted)["receipt"]["height"]
        block = honest.read_block(height)
        assert chain.accepted in block.transitions
        assert block.verdict == "trusted"
        told = client.read("/v1/blocks/{height}", height=height)
        assert block.events == told["events"]
        path = f"/v1/blocks/{height}"
        without_events = told | {"events": told["events"][:-1]}
        without_transitions = told | {"transitions": told["transitions"][:-1]}
        proxy.tamper(at(path, lambda _: without_events))
        with pytest.raises(VerificationError, match="events are not"):
            lied.read_block(height)
        proxy.tamper(at(path, lambda _: without_transitions))
        with pytest.raises(VerificationError, match="transitions are not"):
            lied.read_block(height)

    @pytest.mark.anyio
    async def test_of_two_reads_at_once_the_older_answer_is_taken(
        self, net: RunningNode, chain: Chain, client: NetClient
    ) -> None:
        async with AsyncNetClient(net.url, timeout=HANGS) as asynchronous:
            reader = AsyncVerifiedReader(asynchronous, genesis_hash=chain.genesis_hash)
            key = f"agent/{chain.agent_id}"
            first = asyncio.ensure_future(reader.read_state(key))
            await asyncio.to_thread(self.move_on, client)
            await asyncio.gather(first, reader.read_state(f"account/{chain.agent_id}"), reader.read_state(key))
            assert (await reader.read_transition(chain.accepted)).verdict == "trusted"
            assert (await reader.read_work_audit(chain.order_id)).verdict == "trusted"


class TestATransition:
    def test_is_in_its_block_with_the_events_it_caused(self, honest: Reader, chain: Chain) -> None:
        found = honest.read_transition(chain.receipt["transitionHash"])
        assert found.envelope["actorId"] == chain.agent_id
        assert found.receipt == chain.receipt
        with pytest.raises(NetError) as caught:
            honest.read_transition(OTHER)
        assert caught.value.code == "TRANSITION_NOT_FOUND"


class TestAnAudit:
    def test_has_the_order_and_its_events(self, honest: Reader, chain: Chain) -> None:
        audit = honest.read_work_audit(chain.order_id)
        assert [event["type"] for event in audit.events] == ["WorkOrderCreated", "WorkAccepted"]
        assert audit.order["status"] == "ACCEPTED"

    @pytest.mark.parametrize(
        ("edit", "reason"),
        [
            (lambda events: events[:1] * 2, "left out|not in order|stands twice"),
            (lambda events: events[::-1], "not in order|stands twice"),
            (lambda events: [], "not even the first"),
            (lambda events: [e | {"data": e["data"] | {"orderId": "x"}} for e in events], "of another order"),
            (lambda events: [e | {"block": e["block"] | {"height": True}} for e in events], "no integer"),
        ],
    )
    def test_that_is_a_lie_is_refused(
        self, lied: Reader, proxy: Proxy, edit: Callable[[Any], Any], reason: str, chain: Chain
    ) -> None:
        def alter(audit: Any) -> Any:
            audit["timeline"]["events"] = edit(audit["timeline"]["events"])
            return audit | {"reportHash": hash_without(audit, "reportHash")}

        proxy.tamper(at("/v1/work-orders/", alter))
        with pytest.raises(VerificationError, match=reason):
            lied.read_work_audit(chain.order_id)


class TestSeveralBlocks:
    WHOLE = "/v1/blocks/whole"

    def test_come_in_the_order_of_the_request_each_once(
        self, lied: Reader, honest: Reader, proxy: Proxy, heights: list[int]
    ) -> None:
        last, *others = reversed(heights)
        found = lied.read_blocks([last, *others, last, 0])
        assert [block.header["height"] for block in found] == [last, *others, 0]
        assert found[0] == honest.read_block(last)
        assert len(proxy.requests) == 2
        assert honest.read_blocks([]) == []

    def test_are_asked_for_again_from_the_first_missing_one_on(
        self, lied: Reader, proxy: Proxy, heights: list[int]
    ) -> None:
        proxy.tamper(at(self.WHOLE, lambda document: document | {"blocks": document["blocks"][:9]}))
        assert len(lied.read_blocks(heights)) == len(heights)
        assert len(proxy.requests) == 1 + 5

    @pytest.mark.parametrize(
        ("status", "body"),
        [(400, {"code": "PARAMETER_INVALID", "detail": ""}), (404, {"code": "ROUTE_NOT_FOUND"}), (404, 1)],
    )
    def test_are_read_one_at_a_time_from_a_node_that_does_not_know_them(
        self, lied: Reader, proxy: Proxy, heights: list[int], status: int, body: Any
    ) -> None:
        proxy.change = lambda path, told, content: (
            (status, {}, json.dumps(body).encode()) if path.startswith(self.WHOLE) else (told, {}, content)
        )
        assert len(lied.read_blocks(heights[:3])) == 3
        assert len(lied.read_blocks(heights[:2])) == 2
        assert sum(path.startswith(self.WHOLE) for _, path, _ in proxy.requests) == 1

    def test_that_the_node_does_not_have_or_give_are_refusals(
        self, lied: Reader, honest: Reader, proxy: Proxy, heights: list[int]
    ) -> None:
        with pytest.raises(NetError, match="BLOCK_NOT_FOUND"):
            honest.read_blocks([1, 1_000_000])
        lied.read_block(0)
        proxy.change = lambda path, told, content: (503, {}, b"{}")
        with pytest.raises(NetError) as caught:
            lied.read_blocks(heights)
        assert caught.value.status == 503

    @pytest.mark.parametrize(
        ("edit", "reason"),
        [
            (lambda blocks: [], "no blocks"),
            (lambda blocks: None, "no blocks"),
            (lambda blocks: [None], "no blocks"),
            (lambda blocks: [*blocks, blocks[0]], "more than asked for"),
            (lambda blocks: [blocks[0], *blocks[:-1]], "another height"),
            (lambda blocks: blocks[:5] + blocks[6:], "another height"),
            (lambda blocks: blocks[::-1], "another height"),
        ],
    )
    def test_that_are_a_lie_are_refused(
        self, lied: Reader, proxy: Proxy, heights: list[int], edit: Callable[[Any], Any], reason: str
    ) -> None:
        proxy.tamper(at(self.WHOLE, lambda document: document | {"blocks": edit(document["blocks"])}))
        with pytest.raises(VerificationError, match=reason):
            lied.read_blocks(heights)

    def test_prove_an_order_of_many_blocks_with_as_many_requests_as_one_of_two(
        self, net: RunningNode, lied: Reader, proxy: Proxy, operator: Actor, chain: Chain
    ) -> None:
        lied.read_state("agent/nobody")
        del proxy.requests[:]
        lied.read_work_audit(chain.order_id)
        few = len(proxy.requests)
        with NetClient(net.url, timeout=HANGS) as client:
            created = client.act("createWorkOrder", ORDER | {"funding": 1_000_000}, actor=operator)
            order: Any = {"orderId": created["events"][0]["data"]["orderId"]}
            for place in range(8):
                worker = Actor(f"verified-hand-{place}", AgentKey.generate())
                client.register("gives it back", actor=worker)
                client.act("acceptWork", order, actor=worker)
                client.act("releaseWork", order, actor=worker)
        del proxy.requests[:]
        events = lied.read_work_audit(order["orderId"]).events
        assert len({event["block"]["height"] for event in events}) == 17
        assert len(proxy.requests) == few


class TestTheSizeOfATree:
    """A proof may hold for another size too: only the certified one counts."""

    @pytest.fixture
    def crowded(self, net: RunningNode, operator: Actor) -> tuple[str, str, BlockDetail]:
        """An order made in a block with others, its transition, and the block."""

        async def at_once() -> list[Any]:
            async with AsyncNetClient(net.url, actor_id=operator.actor_id, key=operator.key, timeout=HANGS) as client:
                await client.network()
                order = client.act("createWorkOrder", ORDER | {"funding": 1_000_000})
                others = [client.act("transfer", {"to": "verified-alice", "amount": 1}) for _ in range(12)]
                return await asyncio.gather(*others[:6], order, *others[6:])

        with NetClient(net.url, timeout=HANGS) as client:
            for _ in range(20):
                receipt = asyncio.run(at_once())[6]
                block = client.read("/v1/blocks/{height}", height=receipt["height"])
                event = receipt["events"][0]
                sizes = [len(block["transitions"]), len(block["events"])]
                if any(size < 3 for size in sizes):
                    continue
                name, order_id, header = receipt["transitionHash"], event["data"]["orderId"], block["header"]
                proof = client.read("/v1/transitions/{transitionHash}", transitionHash=name)["proof"]
                told = client.read("/v1/work-orders/{orderId}/audit", orderId=order_id)["timeline"]["events"][0]
                if other_size(name, proof, header["transitionsRoot"]) and other_size(
                    told["eventHash"], told["proof"], header["eventsRoot"]
                ):
                    return name, order_id, block
        raise AssertionError("no block held several transitions")

    def test_of_transitions_and_events_is_the_certified_one(
        self, lied: Reader, proxy: Proxy, chain: Chain, crowded: tuple[str, str, BlockDetail]
    ) -> None:
        transition, order_id, block = crowded
        lied.read_transition(transition)
        lied.read_work_audit(order_id)

        def in_transition(document: Any) -> Any:
            document["proof"]["treeSize"] = other_size(
                transition, document["proof"], block["header"]["transitionsRoot"]
            )
            return document

        proxy.tamper(at("/v1/transitions/", in_transition))
        with pytest.raises(VerificationError, match="inclusion proof"):
            lied.read_transition(transition)

        def in_audit(document: Any) -> Any:
            event = document["timeline"]["events"][0]
            size = other_size(event["eventHash"], event["proof"], block["header"]["eventsRoot"])
            event["proof"]["treeSize"] = size
            return document | {"reportHash": hash_without(document, "reportHash")}

        proxy.tamper(at("/v1/work-orders/", in_audit))
        with pytest.raises(VerificationError, match="proof of an event"):
            lied.read_work_audit(order_id)


def other_size(leaf: str, proof: Any, root: str) -> int | None:
    """Another size of the tree for which the proof leads to the same root."""
    sizes = (size for size in range(1, 99) if size != proof["treeSize"])
    return next((size for size in sizes if verify_merkle_proof(leaf, proof | {"treeSize": size}, root)), None)


class Liar:
    """The lying node of the JavaScript tests, one lie at a time."""

    def __init__(self, url: str, chain: Chain) -> None:
        script = str(Path(__file__).parent / "scripts/liar.mjs")
        arguments = [url, chain.agent_id, chain.accepted, chain.order_id]
        self._process = subprocess.Popen(
            [node(), script, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            hello = self._hear()
        except ValueError:
            self.close()
            raise
        self.url: str = hello["url"]
        self.lies: list[dict[str, Any]] = hello["lies"]

    def _hear(self) -> Any:
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())

    def ask(self, question: Any) -> Any:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return self._hear()

    def close(self) -> None:
        self._process.communicate(timeout=HANGS)


def whom_it_concerns(lie: dict[str, Any]) -> list[str]:
    """Returns the readers that use the altered member. Each reader uses only a part of a block."""
    if not lie["name"].startswith("block: "):
        return [reader for reader in lie["readers"] if reader != "replay"]
    return ["transition"] if lie["name"].startswith(("block: header", "block: events")) else []


def tell(liar: Liar, chain: Chain) -> tuple[list[str], int]:
    """Tells every lie to each reader that it concerns. Returns the unnoticed lies, and the number of lies told."""
    unnoticed: list[str] = []
    count = 0
    with NetClient(liar.url, timeout=HANGS) as client:

        def read(name: str) -> None:
            reader = Reader(client, genesis_hash=chain.genesis_hash)
            if name == "state":
                reader.read_state(f"agent/{chain.agent_id}")
            elif name == "absence":
                reader.read_state("agent/nobody")
            elif name == "transition":
                reader.read_transition(chain.accepted)
            else:
                reader.read_work_audit(chain.order_id)

        for name in ("state", "absence", "transition", "audit"):
            read(name)
        for index, lie in enumerate(liar.lies):
            for name in whom_it_concerns(lie):
                count += 1
                liar.ask({"lie": index})
                try:
                    read(name)
                except VerificationError as error:
                    if str(error):
                        continue
                told = liar.ask({"told": True})["told"]
                unnoticed.append(f"{name}: {lie['name']}: {'is believed' if told else 'was never told'}")
    return unnoticed, count


def test_every_lie_of_the_catalogue_is_noticed(net: RunningNode, chain: Chain) -> None:
    liar = Liar(net.url, chain)
    try:
        unnoticed, count = tell(liar, chain)
    finally:
        liar.close()
    assert unnoticed == []
    assert count > 150, count
