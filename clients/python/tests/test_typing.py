"""Types of reads and actions. mypy checks this file in strict mode, which includes `warn_unused_ignores`: it fails if
an expected error does not occur.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args, get_type_hints

from typing_extensions import assert_type

from netsdk import Agent, AsyncAgent, AsyncNetClient, NetClient, documents, payloads
from netsdk.agent import AsyncHired, HireResult
from netsdk.agent.agent_events import PaidEvent, WarningEvent
from netsdk.agent.findings import Finding
from netsdk.completion import complete
from netsdk.contracts import actions_by_name
from netsdk.documents import AgentRegistry, AgentSummary, NetworkStatus, Receipt, Simulation
from netsdk.tables import FILLED_IN, LISTS, ActionName, PagedPath, ReadPath

Join = Callable[..., NetClient]


def test_reads_and_lists_say_what_they_answer(client: NetClient) -> None:
    registry = assert_type(client.read("/v1/agents", limit=1), AgentRegistry)
    assert registry["schema"] == "NET-AGENT-REGISTRY/1"
    assert_type(client.network(), NetworkStatus)
    assert_type(client.pages("/v1/agents"), Iterator[AgentRegistry])
    assert_type(client.items("/v1/agents"), Iterator[AgentSummary])
    assert_type(client.simulate("faucet", {"amount": 1}), Simulation)
    # A name that is only known when it runs is given as Any.
    path: Any = "/v1/network"
    assert client.read(path)["schema"] == "NET-NETWORK-STATUS/1"


def test_every_list_in_pages_is_found_under_its_name(client: NetClient) -> None:
    for path in get_args(PagedPath):
        if "{" not in path:
            assert isinstance(client.read(path)[LISTS[path]], list), path
            assert isinstance(list(client.items(path, limit=100)), list)


def test_mistakes_are_found_before_they_are_sent() -> None:
    def mistakes(client: NetClient, other: AsyncNetClient, agent: Agent) -> None:
        client.read("/v1/agent")  # type: ignore[call-overload]
        client.read("/v1/agents/{agentId}")  # type: ignore[call-overload]
        client.read("/v1/agents", limits=1)  # type: ignore[call-overload]
        client.read("/v1/network")["hight"]  # type: ignore[typeddict-item]
        client.items("/v1/network")  # type: ignore[call-overload]
        client.act("faucet")  # type: ignore[call-overload]
        client.act("faucet", {"amont": 1})  # type: ignore[call-overload]
        client.act("faucets", {"amount": 1})  # type: ignore[call-overload]
        client.simulate("transfer", {"to": 1, "amount": 1})  # type: ignore[call-overload]
        other.act("faucet", {"amount": 1.5})  # type: ignore[call-overload]
        agent.act("faucet", {"amount": 1.5})  # type: ignore[call-overload]
        client.act("mintToken", {"tokenId": "tok-one", "amount": "1 NET"})  # type: ignore[call-overload]
        agent.actions.faucet({"amont": 1})  # type: ignore[typeddict-item, typeddict-unknown-key]
        agent.actions.faucet({"amount": 1.5})  # type: ignore[typeddict-item]
        agent.actions.faucets({"amount": 1})  # type: ignore[attr-defined]
        agent.on("payed")  # type: ignore[call-overload]

        agent.on("paid")(lambda event: event["order"])  # type: ignore[typeddict-item]
        agent.on("paid")(warned)  # type: ignore[arg-type]
        agent.hire(title="x", instructions="y", acceptance=[])  # type: ignore[call-overload]
        agent.hire(title="x", instructions="y", acceptance=[], funding=1.5)  # type: ignore[call-overload]
        agent.hire(title="x", instructions="y", acceptance=[], funding="1 NET", deliver_within={"heights": 1})  # type: ignore[call-overload]
        hired = agent.hire(title="x", instructions="y", acceptance=[], funding="1 NET")
        hired.on("vote")  # type: ignore[call-overload]
        hired.on("voted")(lambda event: event["words"])  # type: ignore[typeddict-item]

    def warned(event: WarningEvent) -> str:
        return event["code"]

    async def hears(agent: AsyncAgent, hired: AsyncHired[Any]) -> None:
        @agent.on("paid")
        def paid(event: PaidEvent) -> int:
            return event["amount"]

        assert_type(paid, Callable[[PaidEvent], int])
        agent.on("warning")(warned)
        agent.on("waiting")(lambda event: assert_type(event["for"], str))
        agent.on("rejected")(lambda event: assert_type(event["findings"], list[Finding]))
        hired.on("voted")(lambda event: assert_type(event["reason"], str | None))
        hired.on("timed_out")(lambda event: assert_type(event["refund"], int | None))
        assert_type((await hired.result()).text, str | None)
        assert_type(await AsyncAgent.open("ada"), AsyncAgent)
        async with AsyncAgent.open("ada") as opened, AsyncAgent.open_session("file") as session:
            assert_type([opened, session], list[AsyncAgent])
        async with Agent.open("ada"):  # type: ignore[attr-defined]
            pass
        AsyncAgent.open("ada", capability=["x"])  # type: ignore[call-arg]

    def right(client: NetClient, other: AsyncNetClient, agent: Agent) -> Receipt:
        assert_type(agent.hire(title="x", instructions="y", acceptance=[], funding="1 NET").result(), HireResult[None])
        client.act("withdrawBeacon")
        client.act("publishBeacon", {"endpoint": "https://a.example", "capabilities": ["x"], "protocols": ["p/1"]})
        client.act("faucet", {"amount": "1 NET"})
        agent.act("transfer", {"to": "bob", "amount": "0.5 NET"})
        assert_type(agent.actions.withdraw_beacon(id="gone"), Receipt)
        return assert_type(agent.act("faucet", {"amount": 1}, id="once"), Receipt)

    # None of it runs: whether it is right is for mypy to say.
    assert [mistakes.__name__, right.__name__, hears.__name__] == ["mistakes", "right", "hears"]


def test_every_action_and_read_has_its_types() -> None:
    assert set(get_args(ActionName)) == set(actions_by_name())
    for name in actions_by_name():
        assert get_type_hints(getattr(payloads, f"{name[0].upper()}{name[1:]}Payload")) is not None
    written = [kind for kind in vars(documents).values() if isinstance(kind, type) and hasattr(kind, "__total__")]
    assert len(written) > 250
    for kind in written:
        assert get_type_hints(kind), kind
    assert len(get_args(ReadPath)) > 60


def test_what_the_chain_is_asked_for_is_filled_in(join: Join) -> None:
    ada = join("ada")
    assert ada.actor
    height = ada.network()["height"]
    asked = {action for action, rules in FILLED_IN.items() if ("chain", None) in rules.values()}
    assert len(asked) == 5
    for action in asked:
        payload = ada.run(complete(ada.api.read, ada.actor.actor_id, action, {}, height=height))
        assert set(FILLED_IN[action]) <= set(payload), action
