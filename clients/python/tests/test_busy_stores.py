"""A running agent goes on while all stores are slow: it waits, says so, and retries with a growing pause."""

from __future__ import annotations

import hashlib
import itertools
import queue
import re
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from netsdk import Agent, AgentError, Job, Message
from netsdk.agent import messages, origins
from netsdk.formats import agent_metadata, generate_encryption_key, public_encryption_key, seal_content
from netsdk.key_file import ensure_encryption_key
from tests.at_work import at_work
from tests.node import HANGS
from tests.world import NET, World


class SlowStore:
    """Has what another store has. While it is slow it takes nothing: first it does not answer, then it is busy."""

    def __init__(self, behind: str) -> None:
        self.is_slow = False
        #: Seconds by which its clock is behind.
        self.behind_by = 0.0
        self.kept: dict[str, bytes] = {}
        #: Paths that it is too busy to answer.
        self.busy_at: set[str] = set()
        #: When each upload came, by path.
        self.asked: dict[str, list[float]] = {}
        over = threading.Event()
        store, upstream = self, httpx.Client(base_url=behind, timeout=HANGS)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_PUT(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                tries = store.asked.setdefault(self.path, [])
                tries.append(time.monotonic())
                if not store.is_slow:
                    store.kept[self.path] = body
                    self._answer(201)
                elif len(tries) == 1:
                    over.wait()
                    self.close_connection = True
                else:
                    self._answer(503)

            def do_GET(self) -> None:
                if self.path in store.busy_at:
                    self._answer(503)
                    return
                if self.path in store.kept:
                    self._answer(200, store.kept[self.path])
                    return
                answer = upstream.request(self.command, self.path)
                self._answer(answer.status_code, answer.content)

            do_HEAD = do_GET

            def date_time_string(self, timestamp: float | None = None) -> str:
                return super().date_time_string(time.time() - store.behind_by)

            def _answer(self, status: int, content: bytes = b"") -> None:
                self.send_response(status)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            def log_message(self, *arguments: object) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                pass  # The agent has hung up.

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self._over, self._upstream = over, upstream
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._upstream.close()


@contextmanager
def slow_stores(world: World) -> Iterator[list[SlowStore]]:
    stores = [SlowStore(origin) for origin in world.origins]
    try:
        yield stores
    finally:
        for store in stores:
            store.close()


@pytest.mark.campaign
def test_a_running_agent_waits_for_stores_that_are_slow_and_goes_on(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with slow_stores(world) as stores:
        places = [store.url for store in stores]
        agent = Agent.open(
            "unhurried", url=world.url, keys=tmp_path / "keys", blobs=places, memory=False, capabilities=["waiting"]
        )
        told: list[tuple[str, Any]] = []
        usual = origins.TIMEOUT
        enough, delivered = threading.Event(), threading.Event()

        def wait(event: Any) -> None:
            told.append(("waiting", event["for"]))
            if len(told) >= 3:
                enough.set()

        agent.on("waiting")(wait)
        agent.on("warning")(lambda event: told.append(("warning", event["code"])))
        agent.on("delivered")(lambda _: delivered.set())

        @agent.on_work
        def work(_: Job) -> str:
            for store in stores:
                store.is_slow = True
            monkeypatch.setattr(origins, "TIMEOUT", 0.5)
            return "three slow words"

        with at_work(agent) as running:
            order_id = world.order(world.scope().data, agentId="unhurried", requirements=[])
            assert enough.wait(HANGS)
            assert running.is_alive()
            monkeypatch.setattr(origins, "TIMEOUT", usual)
            for store in stores:
                store.is_slow = False
            assert delivered.wait(HANGS)
        # The agent waits for a silent store as it does for a store that reports being busy.
        assert told[:3] == [("waiting", "stores that are busy or away")] * 3
        path = f"/blobs/{world.order_at(order_id)['result']['deliverableHash']}"
        for store in stores:
            assert store.kept[path] == b"three slow words"
            pauses = [after - before for before, after in itertools.pairwise(store.asked[path])]
            # No pause is shorter than it is meant to be, and each is meant to be twice the last.
            assert all(pause >= 0.5 * 2**count * 0.9 for count, pause in enumerate(pauses[:3]))


@pytest.mark.slow
def test_inputs_that_cannot_be_had_and_too_many_are_left(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A silent origin delays a fetch only briefly: the agent asks the next origin in parallel.
    lost = {"name": "lost", "hash": hashlib.sha256(b"lost").hexdigest(), "mediaType": "text/plain", "byteLength": 4}
    heavy = [lost | {"name": f"{count}", "byteLength": 8 * 1024 * 1024} for count in range(9)]
    common: Any = {"url": world.url, "keys": tmp_path / "keys", "blobs": world.origins, "memory": False}
    behind = b"behind a silent place"
    name = hashlib.sha256(behind).hexdigest()
    with socket.create_server(("127.0.0.1", 0)) as silent, slow_stores(world) as stores, monkeypatch.context() as m:
        m.setattr(origins, "TIMEOUT", HANGS)
        stores[0].kept[f"/blobs/{name}"] = behind
        places = [f"http://127.0.0.1:{silent.getsockname()[1]}", stores[0].url]
        agent = Agent.open("fetcher", **common, trusted_origins=places, capabilities=["research"])
        assert agent.fetch(name, places) == behind
    told: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
    agent.on("skipped")(lambda event: told.put((event["order_id"], event["code"])))
    agent.on("rejected")(lambda event: told.put((event["order_id"], event["reason"])))
    agent.on("warning")(lambda event: told.put(("warning", event["code"])))
    agent.on_work(lambda _: "never")

    def said_of(order_id: str) -> str:
        """Orders of other tests may be looked at meanwhile."""
        return next(why for one, why in iter(lambda: told.get(timeout=HANGS), ("", "")) if one == order_id)

    nowhere = world.order(world.scope(inputs=[lost]).data, agentId="fetcher")
    with at_work(agent):
        assert said_of(nowhere) == "INPUT_MISSING"
        too_many = world.order(world.scope(inputs=heavy).data, agentId="fetcher")
        assert said_of(too_many) == "ORDER_UNSUITABLE"


@pytest.mark.campaign
def test_busy_places_have_not_lost_a_memory(world: World, tmp_path: Path) -> None:
    with slow_stores(world) as stores:
        kept: Any = {"url": world.url, "keys": tmp_path / "keys", "blobs": [store.url for store in stores]}
        agent = Agent.open("kept-py", **kept)
        agent.memory.set("seen", 1)
        agent.stop()
        # Another machine with the same key.
        shutil.rmtree(tmp_path / "agents")
        for store in stores:
            store.busy_at.update(store.kept)
        with pytest.raises(AgentError) as caught:
            Agent.open("kept-py", **kept)
        assert caught.value.code == "BLOB_UNAVAILABLE"
        for store in stores:
            store.busy_at.clear()
        again = Agent.open("kept-py", **kept)
        assert again.memory.get("seen") == 1
        again.stop()


@pytest.mark.slow
def test_a_busy_store_has_not_said_that_there_is_no_key(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "KEY_PATIENCE", 0.1)
    keys = tmp_path / "keys"
    # Its endpoint is elsewhere than its metadata, which lies at stores alone.
    hidden: Any = {"url": world.url, "keys": keys, "blobs": world.origins, "memory": False}
    with slow_stores(world) as stores:
        places = [store.url for store in stores]
        asker = Agent.open("hidden", endpoint="https://asker.example/", trusted_origins=places, **hidden)
        asker.act("faucet", {"amount": 50 * NET})
        beacon: Any = world.client.read("/v1/agents/{agentId}", agentId="hidden")["beacon"]
        metadata = f"/blobs/{beacon['metadataHash']}"
        # The other agent stores at the world's own stores.
        own: Any = {"blobs": places, "trusted_origins": world.origins}
        agent = Agent.open("forbearing", url=world.url, keys=keys, memory=False, **own)
        told: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
        handled = 0

        def is_busy(busy: bool) -> None:
            for store in stores:
                (store.busy_at.add if busy else store.busy_at.discard)(metadata)

        def until_told(*expected: str) -> None:
            while (heard := told.get(timeout=HANGS)) != expected:
                # Fail at once if the agent reports an event that only a broken rule produces.
                assert heard[0] != "failed", heard
                assert not heard[1].endswith("_HAS_NO_KEY"), heard

        agent.on("skipped")(lambda event: told.put((event["order_id"], event["code"])))
        agent.on("failed")(lambda event: told.put(("failed", str(event["error"]))))
        agent.on("waiting")(lambda event: told.put(("waiting", event["for"])))
        agent.on("warning")(lambda event: told.put(("warning", event["code"])))
        agent.on("delivered")(lambda event: told.put((event["order_id"], "delivered")))

        @agent.on_work
        def work(_: Job) -> str:
            nonlocal handled
            handled += 1
            is_busy(True)
            return "three patient words"

        @agent.on_message
        def answer(_: Message) -> str:
            is_busy(True)
            return "Here."

        key = ensure_encryption_key("forbearing", agent.chain_id, directory=keys)
        public = {name: key[name] for name in ("kty", "crv", "x", "kid")}
        facts = {
            "chainId": agent.chain_id,
            "fromAgentId": "hidden",
            "toAgentId": "forbearing",
            "orderId": "order-hidden",
        }
        sealed = seal_content(world.scope().data, [public], facts | {"part": "scope"})
        is_busy(True)
        with at_work(agent):
            terms: Any = {"orderId": "order-hidden", "title": "Secret", "scopeHash": asker.store(sealed.data)}
            asker.act("createWorkOrder", terms | {"jobType": "research", "agentId": "forbearing", "funding": 10 * NET})
            until_told("order-hidden", "BLOB_UNAVAILABLE")
            is_busy(False)
            until_told("waiting", "the key of hidden")
            is_busy(False)
            until_told("order-hidden", "delivered")
            assert handled == 1
            asked = asker.send("forbearing", "Where?", kind="REQUEST")
            until_told("warning", "BLOB_UNAVAILABLE")
            with pytest.raises(AgentError) as caught:
                agent.send("hidden", "There.")
            assert caught.value.code == "BLOB_UNAVAILABLE"
            is_busy(False)

            def is_answered() -> bool:
                found: Any = world.client.read("/v1/agent-messages", conversationId=asked.conversation_id)["messages"]
                return any(message.get("replyTo") == asked.message_id for message in found)

            end = time.monotonic() + HANGS
            while not is_answered():
                assert time.monotonic() < end
                time.sleep(0.05)
    asker.stop()


@pytest.mark.slow
def test_a_place_that_does_not_answer_keeps_no_order_of_others_waiting(world: World, tmp_path: Path) -> None:
    options: Any = {"url": world.url, "keys": tmp_path / "keys", "blobs": world.origins, "memory": False}
    asker = Agent.open("silent", **options)
    asker.act("faucet", {"amount": 50 * NET})
    with socket.create_server(("127.0.0.1", 0)) as silent:
        metadata = agent_metadata.make(
            {
                "schema": "NET-AGENT-METADATA/1",
                "agentId": "silent",
                "description": "",
                "encryptionKey": public_encryption_key(generate_encryption_key()),
                "blobs": [f"http://127.0.0.1:{silent.getsockname()[1]}"],
            }
        )
        own: Any = world.client.read("/v1/agents/{agentId}", agentId="silent")["beacon"]
        beacon: Any = {
            "schema": "NET-AGENT-BEACON/1",
            "indexable": True,
            "endpoint": "https://silent.example/",
            "capabilities": ["asking"],
            "protocols": ["none/1"],
            "metadataHash": asker.store(metadata.data),
            "expiresAtHeight": world.client.network()["height"] + 4_000,
            "sequence": own["sequence"] + 1,
        }
        asker.act("publishBeacon", beacon)

        def offer(order_id: str) -> None:
            terms: Any = {
                "orderId": order_id,
                "title": "Nowhere",
                "scopeHash": hashlib.sha256(order_id.encode()).hexdigest(),
            }
            asker.act("createWorkOrder", terms | {"jobType": "research", "agentId": "unmoved", "funding": 10 * NET})

        agent = Agent.open("unmoved", **options, trusted_origins=[f"http://127.0.0.1:{silent.getsockname()[1]}"])
        skipped: list[str] = []
        delivered = threading.Event()
        agent.on("skipped")(lambda event: skipped.append(event["order_id"]))
        agent.on("delivered")(lambda _: delivered.set())
        agent.on_work(lambda _: "three unmoved words")
        offer("nowhere-1")
        world.order(world.scope().data, agentId="unmoved", requirements=[])
        offer("nowhere-2")
        with at_work(agent):
            assert delivered.wait(HANGS)
            # The agent gives up on a blob that no store has after twenty seconds.
            assert not [order_id for order_id in skipped if order_id.startswith("nowhere")]
    asker.stop()


def test_no_order_is_accepted_while_no_store_would_take_what_this_clock_signs(world: World, tmp_path: Path) -> None:
    with slow_stores(world) as stores:
        for store in stores:
            store.behind_by = 3_600.0
        blobs = [store.url for store in stores]
        agent = Agent.open("early", url=world.url, keys=tmp_path, blobs=blobs, memory=False, capabilities=["early"])
        warned: queue.Queue[Any] = queue.Queue()
        agent.on("warning")(lambda event: warned.put(event) if event["code"] == "CLOCK_WRONG" else None)
        agent.on_work(lambda job: "never")
        with at_work(agent):
            order_id = world.order(world.scope().data, requirements=["early"])
            assert re.search(r"\(36\d\d s ahead of http", warned.get(timeout=HANGS)["message"])
            for accept in (
                lambda: agent.accept(order_id),
                lambda: agent.act("acceptWork", {"orderId": order_id}),
            ):
                with pytest.raises(AgentError) as refused:
                    accept()
                assert refused.value.code == "CLOCK_WRONG"
            stores[1].behind_by = 0.0
            assert agent.accept(order_id)["status"] == "ACCEPTED"
