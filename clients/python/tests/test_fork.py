"""A network for tests that begins with the state of another: its agents, orders and money, and none of its keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from netsdk import NetError
from netsdk.payloads import CreateWorkOrderPayload, TransferPayload
from netsdk.testing import Lie, Network, NetworkStartError, start_liar, start_network
from tests.node import ROOT

NET = 1_000_000
NETD = str(ROOT / "packages/cli/bin/netd.mjs")
ORDER: CreateWorkOrderPayload = {
    "orderId": "of-the-origin",
    "title": "Nobody takes this",
    "jobType": "general",
    "funding": 20 * NET,
    "scopeHash": "ab" * 32,
    "jury": "none",
    "acceptWithin": {"heights": 5, "milliseconds": 3_600_000},
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def origin() -> Iterator[Network]:
    agents = {"rita": {"actions": ["createWorkOrder", "transfer"]}, "walt": {}}
    with start_network(netd=NETD, agents=agents) as network:
        network.client.act("createWorkOrder", ORDER, actor=network.actor("rita"))
        yield network


def test_it_has_what_the_origin_has_and_any_agent_acts_without_its_key(origin: Network) -> None:
    with start_network(netd=NETD, fork_from=origin.url, agents=["nina"]) as fork:
        assert fork.chain_id != origin.chain_id
        assert fork.balance("walt") == 100 * NET
        assert fork.balance("rita") == origin.balance("rita") <= 80 * NET
        assert fork.balance("nina") == 100 * NET
        with pytest.raises(NetError) as unknown:
            origin.balance("nina")
        assert unknown.value.code == "ACCOUNT_NOT_FOUND"

        paid: TransferPayload = {"to": "walt", "amount": 7}
        receipt = fork.client.act("transfer", paid, actor=fork.impersonate("rita"))
        assert (fork.balance("walt"), origin.balance("walt")) == (100 * NET + 7, 100 * NET)
        writes = fork.client.trace(receipt)["trace"]["writes"]
        assert "account/walt" in [write["key"] for write in writes]

        with pytest.raises(ValueError, match=r"^rita is an agent .* begins with .*impersonate"):
            fork.join("rita")
        with pytest.raises(KeyError):
            fork.actor("rita")

        kept, rita = fork.snapshot(), fork.balance("rita")
        fork.advance(3_601, blocks=6)
        assert fork.balance("rita") == 100 * NET - 7
        fork.revert(kept)
        assert fork.balance("rita") == rita
        assert origin.client.get("/v1/work-orders/of-the-origin")["order"]["status"] == "OPEN"


def test_it_does_not_start_from_what_is_none_and_says_why(origin: Network) -> None:
    other = Lie("/v1/network", say=lambda network: network | {"interfaceVersion": "99.0.0"})
    with start_liar(origin.url, [other]) as liar:
        with pytest.raises(NetworkStartError, match=r'speaks version "99\.0\.0" of the interface') as refused:
            start_network(netd=NETD, fork_from=liar.url, timeout=600)
        assert refused.value.code == "FORK_OTHER_VERSION"
    # It is gone.
    with pytest.raises(NetworkStartError, match="no node answers at http://127") as unreachable:
        start_network(netd=NETD, fork_from=liar.url, timeout=600)
    assert unreachable.value.code == "NODE_UNREACHABLE"
    with pytest.raises(NetworkStartError, match="1000000"):
        start_network(netd=NETD, fork_from=origin.url, at=1_000_000, timeout=600)
