"""Sessions of agents: opened from a file, bounded, over when they are revoked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from netsdk import Actor, Agent, AgentError, NetError
from tests.at_work import at_work
from tests.node import HANGS, RunningNode
from tests.test_agent import until
from tests.world import NET, World

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """On a node of its own: verifiers of another world would be drawn and never vote."""
    net = RunningNode(tmp_path_factory.mktemp("session-net"))
    made = World(net, tmp_path_factory.mktemp("session-world"), Actor(*net.operator()))
    yield made
    made.stop()
    net.stop()


def code(source: Any, **options: Any) -> str:
    with pytest.raises(AgentError) as caught:
        Agent.open_session(source, **(options | {"log": None}))
    return caught.value.code


def test_a_session_works_hears_and_remembers_from_its_file_alone(world: World, tmp_path: Path) -> None:
    common: dict[str, Any] = {"url": world.url, "blobs": world.origins, "capabilities": ["sessions"], "log": None}
    owner = Agent.open("sam", keys=tmp_path / "home/keys", **common)
    owner.act("faucet", {"amount": 5 * NET})
    actions = ["acceptWork", "submitWorkResult", "settleVerifiedWork", "commitMemoryCheckpoint", "transfer"]
    file = owner.grant_session(actions=actions, budget="2 NET", max_amount="0.5 NET")
    with pytest.raises(NetError, match="sam holds no capability for voteWork") as too_wide:
        owner.grant_session(actions=["transfer", "voteWork"], budget=0)
    assert too_wide.value.code == "SESSION_TOO_WIDE"
    owner.stop()

    away: dict[str, Any] = {**common, "keys": tmp_path / "away/keys"}
    agent = Agent.open_session(file, **away)
    paid: list[str] = []
    ended: list[str] = []
    agent.on_work(lambda job: f"three words, {job.order_id}")
    agent.on("paid")(lambda event: paid.append(event["order_id"]))
    with pytest.raises(NetError) as caught:
        agent.act("transfer", {"to": "rita", "amount": NET})
    assert caught.value.code == "SESSION_AMOUNT_EXCEEDED"
    with pytest.raises(AgentError) as refused:
        agent.grant_session(actions=["transfer"], budget=1)
    assert refused.value.code == "SESSION_CANNOT_GRANT"
    agent.memory.set("seen", 1)
    agent.memory.commit()

    def run() -> None:
        try:
            agent.run()
        except AgentError as error:
            ended.append(error.code)

    with at_work(agent, run) as running:
        order_id = world.order(world.scope().data, requirements=["sessions"], agentId="sam")
        until(lambda: paid == [order_id])
        assert world.order_at(order_id)["status"] == "PAID"
        again = Agent.open("sam", keys=tmp_path / "home/keys", **common)
        assert again.memory.get("seen") == 1
        again.act("revokeSession", {"sessionId": json.loads(file.read_text("utf-8"))["sessionId"]})
        running.join(HANGS)
    assert ended == ["SESSION_ENDED"]
    again.stop()
    assert code(file, **away) == "SESSION_ENDED"


def test_an_act_under_a_session_that_was_revoked_says_so_and_ends_the_run(world: World, tmp_path: Path) -> None:
    common: dict[str, Any] = {"url": world.url, "blobs": world.origins, "memory": False, "log": None}
    owner = Agent.open("sid", keys=tmp_path / "home/keys", **common)
    file = owner.grant_session(actions=["acceptWork"], budget=0)
    agent = Agent.open_session(file, keys=tmp_path / "away/keys", **common)
    ended: Any = {"sessionId": json.loads(file.read_text("utf-8"))["sessionId"]}
    owner.act("revokeSession", ended)
    # The agent itself goes on after it names a session that no longer exists.
    with pytest.raises(NetError) as again:
        owner.act("revokeSession", ended, id="again")
    assert again.value.code == "SESSION_UNKNOWN"
    with at_work(owner) as running:
        assert running.is_alive()
    # As in JavaScript: not the code of the refusal, which stands behind it.
    with pytest.raises(AgentError) as caught:
        agent.act("acceptWork", {"orderId": world.order(world.scope().data)})
    assert caught.value.code == "SESSION_ENDED"
    assert isinstance(caught.value.__cause__, NetError)
    assert caught.value.__cause__.code == "SESSION_UNKNOWN"
    with pytest.raises(AgentError) as over:
        agent.run()
    assert over.value.code == "SESSION_ENDED"


def test_what_is_no_session_file_is_refused_without_a_word_of_it(world: World, tmp_path: Path) -> None:
    owner = Agent.open("sue", url=world.url, blobs=world.origins, keys=tmp_path / "keys", log=None)
    file = owner.grant_session(actions=["acceptWork"], budget=0)
    owner.stop()
    members = json.loads(file.read_text("utf-8"))
    assert members["encryptionKey"] is None
    file.chmod(0o644)
    assert code(file, url=world.url) == "KEY_FILE_READABLE"
    wrong = [{}, [], None, members | {"schema": "x"}, members | {"privateKey": "secret"}, members | {"actorId": "../x"}]
    for each in wrong:
        if each is None:
            assert code(tmp_path / "none.json", url=world.url) == "SESSION_FILE_INVALID"
        else:
            assert code(each, url=world.url) == "SESSION_FILE_INVALID"
    assert code(members | {"chainId": "another"}, url=world.url) == "CHAIN_MISMATCH"
    # Without the key there is nothing to hear with.
    agent = Agent.open_session(members, url=world.url, blobs=world.origins, keys=tmp_path / "away/keys", log=None)
    with pytest.raises(AgentError) as caught:
        agent.on_message(lambda message: None)
    assert caught.value.code == "SESSION_READS_NOTHING"
    agent.stop()
