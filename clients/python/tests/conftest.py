"""One devnet for all tests, and actors on it."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from netsdk import Actor, AgentKey, NetClient
from tests.node import HANGS, RunningFollowers, RunningNode
from tests.proxy import Proxy
from tests.world import World

# Installed, pytest finds them by itself.
pytest_plugins = ["netsdk.testing.plugin"]

NAMES = itertools.count(1)
STARTS_A_NODE = {"net", "followers"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests with a node as slow, unless they are marked `scenario`: vectors hold most of what they test."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if STARTS_A_NODE & fixtures and item.get_closest_marker("scenario") is None:
            item.add_marker("slow")


def pytest_collection_finish() -> None:
    """Takes what the imports made out of every later collection, which becomes cheap enough for each test."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    """Collects garbage after each test, so that a socket that it left open fails this test and not a later one."""
    yield
    gc.collect()


@pytest.fixture(scope="session")
def net(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningNode]:
    running = RunningNode(tmp_path_factory.mktemp("net"))
    yield running
    running.stop()


@pytest.fixture
def proxy(net: RunningNode) -> Iterator[Proxy]:
    """Between a client and the devnet, and at the orders of the test."""
    between = Proxy(net.url)
    yield between
    between.close()


@pytest.fixture(scope="session")
def followers() -> Iterator[RunningFollowers]:
    running = RunningFollowers()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def operator(net: RunningNode) -> Actor:
    return Actor(*net.operator())


@pytest.fixture(scope="session")
def world(net: RunningNode, operator: Actor, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The devnet with blob stores, voting verifiers, and a funded requester."""
    made = World(net, tmp_path_factory.mktemp("world"), operator)
    yield made
    made.stop()


@pytest.fixture
def client(net: RunningNode, operator: Actor) -> Iterator[NetClient]:
    """A client that signs as the operator."""
    with NetClient(net.url, actor_id=operator.actor_id, key=operator.key, timeout=HANGS) as client:
        yield client


@pytest.fixture
def join(net: RunningNode) -> Iterator[Callable[..., NetClient]]:
    """Registers a new agent, and gives a client that signs for it."""
    clients: list[NetClient] = []

    def join_as(name: str = "agent") -> NetClient:
        made = NetClient(net.url, actor_id=f"{name}-{next(NAMES)}", key=AgentKey.generate(), timeout=HANGS)
        clients.append(made)
        made.register("made by a test")
        return made

    yield join_as
    for made in clients:
        made.close()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _own_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps tests away from the developer's own keys."""
    monkeypatch.setenv("NET_HOME", str(tmp_path / "keys"))
