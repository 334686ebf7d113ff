"""Timeouts of calls: every method that waits has one, and an act that it ends happens once."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from netsdk import Agent, AgentKey, AsyncAgent, AsyncNetClient, LostAnswerError, NetClient
from netsdk.agent import AgentError, Memory
from netsdk.agent.blocking import BlockingMemory
from netsdk.agent.blocking_hired import Hired
from netsdk.agent.handler_call import cancel
from netsdk.agent.hired import AsyncHired
from netsdk.agent.retrying_client import RetryingClient
from netsdk.payloads import TransferPayload
from netsdk.protocol.hashes import hash_value
from tests.fake_node import HASH, Node

PAY: TransferPayload = {"to": "bea", "amount": 1}
KEY = AgentKey.generate()
#: They run as long as they have work, or do not wait for a node.
UNBOUND = {"run", "stop", "close", "resume_work", "load"}


@pytest.fixture
def node() -> Iterator[Node]:
    with Node.running() as running:
        yield running


@pytest.mark.parametrize("kind", [AsyncNetClient, AsyncAgent, AsyncHired, Memory])
def test_every_method_that_waits_has_a_timeout(kind: type) -> None:
    waiting = {
        name: method
        for name, method in inspect.getmembers(kind, inspect.isroutine)
        if not name.startswith("_")
        and (inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method) or name.startswith("open"))
    }
    assert len(waiting) > 2
    bare = [name for name, method in waiting.items() if "timeout" not in inspect.signature(method).parameters]
    assert set(bare) <= UNBOUND


@pytest.mark.parametrize(
    ("blocking", "kind"),
    [(NetClient, AsyncNetClient), (Agent, AsyncAgent), (Hired, AsyncHired), (BlockingMemory, Memory)],
)
def test_the_blocking_half_has_the_same_timeouts(blocking: type, kind: type) -> None:
    for name, method in inspect.getmembers(kind, inspect.isroutine):
        if name.startswith("_") or not hasattr(blocking, name):
            continue
        if "timeout" in inspect.signature(method).parameters:
            assert "timeout" in inspect.signature(getattr(blocking, name)).parameters, name


CALLS: dict[str, tuple[Any, ...]] = {
    "read": ("/v1/agents",),
    "get": ("/v1/agents",),
    "post": ("/v1/intents", {}),
    "text": ("/llms.txt",),
    "network": (),
    "rules": (),
    "agent_trust": (),
    "trace": (HASH,),
    "compare_trust_reports": ([],),
    "send": ("/v1/intents", {}),
    "register": (),
    "apply": ({},),
    "claim": (HASH,),
    "rotate_key": (KEY,),
    "grant_session": (KEY, ["transfer"], 1),
    "act": ("transfer", PAY),
    "simulate": ("transfer", PAY),
}


@pytest.mark.anyio
async def test_each_call_of_a_client_ends_before_a_node_that_is_silent(node: Node) -> None:
    node.mute = True
    node.speaks.clear()
    waiting = {name for name, method in inspect.getmembers(AsyncNetClient, inspect.iscoroutinefunction)}
    assert {name for name in waiting if not name.startswith("_")} - UNBOUND == set(CALLS)
    async with AsyncNetClient(node.url, actor_id="ada", key=KEY) as client:

        async def end(name: str) -> str:
            try:
                await getattr(client, name)(*CALLS[name], timeout=0.1)
            except (AgentError, LostAnswerError) as error:
                return error.code
            return "none"

        codes = dict(zip(CALLS, await asyncio.gather(*map(end, CALLS)), strict=True))
    lost = {"send"}
    assert codes == {name: "ANSWER_LOST" if name in lost else "CALL_TIMEOUT" for name in CALLS}


def test_a_blocking_call_ends_with_its_envelope(node: Node) -> None:
    node.speaks.clear()
    with NetClient(node.url, actor_id="ada", key=KEY) as client:
        with pytest.raises(LostAnswerError) as lost:
            client.act("transfer", PAY, timeout=0.2)
        node.speaks.set()
        receipt = client.send("/v1/intents", lost.value.envelope)
    assert receipt["transitionHash"] == lost.value.transition_hash
    assert {hash_value(envelope) for envelope in node.received} == {lost.value.transition_hash}


@pytest.mark.anyio
@pytest.mark.parametrize("named", [None, "rent"])
async def test_an_act_that_its_timeout_ends_happens_once(node: Node, tmp_path: Path, named: str | None) -> None:
    agent = await AsyncAgent.open("ada", url=node.url, keys=tmp_path / "keys", log=None, memory=False)
    node.received.clear()
    node.speaks.clear()
    with pytest.raises(AgentError) as late:
        await agent.act("transfer", PAY, id=named, timeout=0.3)
    assert late.value.code == "CALL_TIMEOUT"
    act_id = late.value.data["id"]
    assert named in (None, act_id)
    await agent.stop()
    node.speaks.set()
    again = await AsyncAgent.open("ada", url=node.url, keys=tmp_path / "keys", log=None, memory=False)
    receipt = await again.act("transfer", PAY, id=act_id)
    await again.stop()
    payments = [envelope for envelope in node.received if envelope.get("action") == "transfer"]
    assert {hash_value(envelope) for envelope in payments} == {receipt["transitionHash"]}


@pytest.mark.anyio
async def test_opening_ends_while_the_node_is_away(node: Node, tmp_path: Path) -> None:
    node.mute = True
    node.speaks.clear()
    with pytest.raises(AgentError) as late:
        await AsyncAgent.open("ada", url=node.url, keys=tmp_path / "keys", log=None, timeout=0.2)
    assert late.value.code == "CALL_TIMEOUT"


def test_a_call_that_is_cancelled_waits_until_its_request_has_closed_its_connection() -> None:
    closed: list[bool] = []

    async def request() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(5):
                await asyncio.sleep(0)
            closed.append(True)

    async def main() -> None:
        async with AsyncNetClient("http://127.0.0.1:9") as net_client:
            reading = asyncio.ensure_future(RetryingClient(net_client)._unless_ended(request()))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            await cancel([reading])
            assert closed == [True]

    asyncio.run(main())
