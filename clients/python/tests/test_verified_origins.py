"""Several origins, one anchor: what one cannot or will not prove the next one is asked for."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from netsdk import (
    Actor,
    AgentKey,
    AsyncVerifiedOrigins,
    NetClient,
    NetError,
    StaleStateError,
    VerificationError,
    VerifiedOrigins,
)
from tests.node import RunningFollowers, RunningNode
from tests.proxy import Proxy

pytestmark = pytest.mark.slow

DEAD = "http://127.0.0.1:1"
Join = Callable[..., NetClient]


@pytest.fixture
def anchor(client: NetClient) -> str:
    return client.network()["genesisHash"]


def test_one_that_is_away_is_passed_over_and_rests(net: RunningNode, anchor: str, operator: Actor, join: Join) -> None:
    join()  # The chain has a block.
    with VerifiedOrigins([DEAD, net.url, net.url + "/"], genesis_hash=anchor) as origins:
        assert [each.state for each in origins.origins] == ["unknown", "unknown"]
        assert origins.read_state("chain/identity").verdict == "trusted"
        # The other answer may be there before the refusal is.
        for _ in range(200):
            if all(each.state != "unknown" for each in origins.origins):
                break
            time.sleep(0.05)
        assert [(each.origin, each.state) for each in origins.origins] == [(net.url, "good"), (DEAD, "backoff")]
        assert origins.height > 0
        with pytest.raises(NetError) as caught:
            origins.read_transition("00" * 32)
        assert caught.value.status == 404
    with VerifiedOrigins([DEAD], genesis_hash=anchor) as nobody, pytest.raises(NetError) as caught:
        nobody.act(operator, "withdrawBeacon")
    assert caught.value.code == "UNREACHABLE"
    with pytest.raises(TypeError):
        VerifiedOrigins([net.url])
    with pytest.raises(ValueError, match="at least one"):
        VerifiedOrigins([], genesis_hash=anchor)


def test_one_that_lies_is_dropped_and_named(net: RunningNode, proxy: Proxy, anchor: str) -> None:
    def lie(path: str, document: Any) -> Any:
        return document | {"value": {"chainId": "mine"}} if path.startswith("/v1/state/proof") else document

    proxy.tamper(lie)
    with VerifiedOrigins([proxy.url], genesis_hash=anchor) as alone:
        with pytest.raises(VerificationError, match="no origin is left to be believed"):
            alone.read_state("chain/identity")
        (status,) = alone.origins
        assert status.state == "banned"
        assert status.fault is not None
        assert status.fault.answers[-1].document["value"] == {"chainId": "mine"}
        asked = len(proxy.requests)
        with pytest.raises(VerificationError):
            alone.read_state("chain/identity")
        assert len(proxy.requests) == asked
    with VerifiedOrigins([proxy.url, net.url], genesis_hash=anchor) as both:
        for _ in range(3):
            assert both.read_state("chain/identity").value["chainId"] != "mine"
        assert both.origins[0].origin == net.url


def test_it_never_goes_back_in_height_over_all_of_them(
    net: RunningNode, proxy: Proxy, anchor: str, client: NetClient, join: Join
) -> None:
    ada = join("ada")
    assert ada.actor
    key = f"account/{ada.actor.actor_id}"
    old: dict[str, bytes] = {}

    def stuck(path: str, status: int, content: bytes) -> tuple[int, dict[str, str], bytes]:
        return status, {}, old.setdefault(path, content)

    proxy.change = stuck
    with NetClient(proxy.url) as before:
        before.read("/v1/state/proof", key=key)
        before.network()
    ada.act("extendAgentCapabilities", {"actions": ["faucet"]})
    receipt = ada.act("faucet", {"amount": 5})
    with VerifiedOrigins([proxy.url, net.url], genesis_hash=anchor, max_lag=0) as origins:
        seen = [origins.read_state(key, min_height=receipt["height"]).height for _ in range(3)]
        assert seen == sorted(seen)
        assert {each.origin: each.state for each in origins.origins} == {net.url: "good", proxy.url: "behind"}
        assert origins.read_state(key).value["balance"] == 5
    with VerifiedOrigins([proxy.url], genesis_hash=anchor) as alone:
        with pytest.raises(StaleStateError) as caught:
            alone.read_state(key, min_height=receipt["height"])
        assert caught.value.height < receipt["height"]
        # It is behind, and no liar.
        assert alone.origins[0].fault is None


@pytest.mark.anyio
async def test_writes_go_where_a_follower_says(net: RunningNode, proxy: Proxy, anchor: str, join: Join) -> None:
    ada = join("ada")
    assert ada.actor
    code = "FOLLOWER_TAKES_NO_WRITES"
    refused = {"code": code, "title": "", "detail": f"This node follows. Send it to {net.url}.", "status": 403}

    proxy.instead["/v1/intents"] = (403, json.dumps(refused).encode())
    async with AsyncVerifiedOrigins([DEAD, proxy.url], genesis_hash=anchor) as origins:
        receipt = await origins.act(ada.actor, "extendAgentCapabilities", {"actions": ["faucet"]})
        assert (await origins.read_transition(receipt["transitionHash"])).receipt == receipt
        await origins.act(ada.actor, "faucet", {"amount": 1})
        # The second one goes to the right place at once.
        assert [path for _, path, _ in proxy.requests].count("/v1/intents") == 1
        with pytest.raises(NetError) as caught:
            await origins.act(ada.actor, "faucet", {"amount": 0})
        assert caught.value.code == "PAYLOAD_INVALID"


def test_what_is_signed_is_signed_for_the_chain_of_the_anchor(
    proxy: Proxy, anchor: str, client: NetClient, join: Join
) -> None:
    ada = join("ada")
    assert ada.actor
    proxy.tamper(lambda path, document: document | {"chainId": "other"} if path == "/v1/network" else document)
    with VerifiedOrigins([proxy.url], genesis_hash=anchor) as origins:
        receipt = origins.act(ada.actor, "extendAgentCapabilities", {"actions": ["faucet"]})
        assert origins.send("/v1/intents", origins.read_transition(receipt["transitionHash"]).envelope) == receipt
    assert b'"chainId":"other"' not in b"".join(body for _, _, body in proxy.requests)


def test_a_real_copy_proves_what_it_shows_and_says_who_takes_writes(followers: RunningFollowers) -> None:
    """The state of a node that halted at a fork is true, but does not go beyond the fork."""
    with NetClient(followers.writer, actor_id="vera", key=AgentKey.generate()) as client:
        client.register("made by a test")
        assert client.actor
        actor, anchor = client.actor, client.network()["genesisHash"]
    with VerifiedOrigins([followers.follower, DEAD], genesis_hash=anchor) as origins:
        receipt = origins.act(actor, "extendAgentCapabilities", {"actions": ["faucet"]})
        assert receipt["height"] > followers.height
        assert [each.fault for each in origins.origins] == [None, None]
    with VerifiedOrigins(
        [followers.follower, followers.halted, followers.writer], genesis_hash=anchor, max_lag=0
    ) as origins:
        state = origins.read_state("agent/vera", min_height=receipt["height"])
        assert (state.verdict, state.value["description"]) == ("trusted", "made by a test")
        assert origins.read_transition(receipt["transitionHash"]).receipt == receipt
    with VerifiedOrigins([followers.halted], genesis_hash=anchor) as alone:
        assert alone.read_state("agent/alice").present
        with pytest.raises(StaleStateError):
            alone.read_state("agent/vera", min_height=receipt["height"])
