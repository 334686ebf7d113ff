"""An endpoint of FastAPI, a node and a graph of LangGraph, and a crew become services that a real node settles."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypedDict

import anyio
import httpx
import pytest
import uvicorn
from fastapi import Depends, FastAPI, HTTPException
from fastapi.responses import StreamingResponse
from langgraph.graph import END, START, StateGraph
from mcp import Client, types
from mcp.server import Server
from pydantic import BaseModel
from typing_extensions import assert_type

from netsdk import Agent, AgentError, Job, Service, define_service
from netsdk.agent.errors import code_of
from netsdk.agent.handler_call import call
from netsdk.agent.home import FileState, Records
from netsdk.services import (
    McpTool,
    buy_tool,
    crew_service,
    fastapi_service,
    function_service,
    graph_service,
    to_a2a_skill,
    to_mcp,
)
from tests.node import HANGS
from tests.test_services import running
from tests.world import NET, World


class Text(BaseModel):
    text: str


class Letters(BaseModel):
    letters: int


app = FastAPI()


def weight() -> int:
    return 2


@fastapi_service(app, "POST /count", price="5 NET")
@app.post("/count")
async def by_fastapi(text: Text, each: int = Depends(weight)) -> Letters:
    """Count the letters, twice.

    More for those who read on.
    """
    if not text.text:
        raise HTTPException(422, "no text")
    return Letters(letters=len(text.text) * each)


def count(state: Text) -> Letters:
    return Letters(letters=len(state.text))


class State(TypedDict):
    text: str
    letters: int
    notes: object


def noted(state: State) -> dict[str, Any]:
    return {"letters": len(state["text"]), "notes": object()}


graph = StateGraph(State).add_node("count", noted).add_edge(START, "count").add_edge("count", END).compile()


@dataclass
class Kickoff:
    """The members of CrewAI's output that count."""

    raw: str
    pydantic: Any = None
    json_dict: Any = None


class Crew:
    """A crew that keeps the inputs of its job, as CrewAI writes them into its tasks."""

    def __init__(self, made: Kickoff) -> None:
        self.made = made
        self.inputs: dict[str, Any] | None = None

    def copy(self) -> Crew:
        return Crew(self.made)

    async def kickoff_async(self, inputs: dict[str, Any]) -> Kickoff:
        assert self.inputs is None, "the crew has the inputs of another job"
        self.inputs = inputs
        assert inputs == {"text": "four"}
        return self.made


@contextmanager
def serving(served: FastAPI) -> Iterator[str]:
    """Serves an app on a free port."""
    server = uvicorn.Server(uvicorn.Config(served, log_level="warning"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(HANGS)


@pytest.fixture
def options(world: World, tmp_path: Path) -> dict[str, Any]:
    return {"url": world.url, "keys": tmp_path / "keys", "blobs": world.origins, "memory": False, "log": None}


def test_frameworks_sell_what_they_serve(world: World, options: dict[str, Any]) -> None:
    assert (by_fastapi.name, by_fastapi.description) == ("by_fastapi", "Count the letters, twice.")
    types: dict[str, Any] = {"input": Text, "output": Letters, "price": "5 NET"}
    by_graph = graph_service(graph, name="by-graph", **types)
    by_node = function_service(price="5 NET", name="by-node")(count)
    by_crew = crew_service(Crew(Kickoff("", pydantic=Letters(letters=4))), name="by-crew", **types)
    worker, buyer = Agent.open("wraps", **options), Agent.open("wants", **options)
    buyer.act("faucet", {"amount": 90 * NET}, id="money")
    services = [by_fastapi, by_graph, by_node, by_crew]
    mine: Any = {"requesterId": "wants"}
    worker.serve(*services)
    with running(worker):
        called = [buyer.call(service, Text(text="four"), timeout=HANGS) for service in services]
        ended = [buyer.hired(order["orderId"]).accept() for order in world.client.items("/v1/work-orders", **mine)]
    assert called == [Letters(letters=8), *3 * [Letters(letters=4)]]
    assert [(order["workerId"], order["status"]) for order in ended] == 4 * [("wraps", "PAID")]
    buyer.stop()


def test_an_endpoint_answers_over_http_as_before() -> None:
    with serving(app) as url:
        answered = httpx.post(f"{url}/count", json={"text": "four"})
        assert (answered.status_code, answered.json()) == (200, {"letters": 8})
        assert httpx.post(f"{url}/count", json={"text": ""}).status_code == 422


def run(service: Service[Any, Any], data: Any) -> Any:
    """Returns what the handler of a service makes of an input."""
    job = Job("o-1", {}, {}, False, 1, {}, data)
    assert service.handler is not None
    return anyio.run(call, service.handler, job)


def test_a_refusal_of_an_endpoint_fails_the_handler_and_is_quoted() -> None:
    with pytest.raises(AgentError, match=r"POST /count answered 422: .*no text") as failed:
        run(by_fastapi, Text(text=""))
    assert failed.value.code == "HANDLER_FAILED"
    missing = fastapi_service(app, "POST /nothing", price="1 NET")(count)
    with pytest.raises(AgentError, match="answered 404"):
        run(missing, Text(text="four"))


@pytest.mark.parametrize("wraps", [False, True])
def test_an_endpoint_that_answers_with_more_than_a_result_may_have_is_cut_off(wraps: bool) -> None:
    endless = FastAPI()
    sent = 0

    async def parts() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 1_000_000
            yield bytes(1_000_000)

    @endless.post("/count")
    async def count_on(text: Text) -> Letters:
        return StreamingResponse(parts())  # type: ignore[return-value]

    if wraps:

        @endless.middleware("http")
        async def passed_on(request: Any, call_next: Any) -> Any:
            return await call_next(request)

    service = fastapi_service(endless, "POST /count", price="1 NET")(count)
    with pytest.raises(AgentError, match="POST /count answered with more than 8388608 bytes") as failed:
        run(service, Text(text="four"))
    assert failed.value.code == "HANDLER_FAILED"
    assert sent < 12_000_000


def test_the_rest_of_a_state_is_not_sold() -> None:
    service = graph_service(graph, name="g", input=Text, output=Letters, price="1 NET")
    assert run(service, Text(text="four")) == Letters(letters=4)


@pytest.mark.parametrize(
    ("made", "output", "result"),
    [
        (Kickoff("", json_dict={"letters": 4, "notes": "mine"}), Letters, Letters(letters=4)),
        (Kickoff('{"letters": 4}'), Letters, Letters(letters=4)),
        (Kickoff("four letters"), str, "four letters"),
    ],
)
def test_a_crew_gives_a_model_json_or_text(made: Kickoff, output: Any, result: Any) -> None:
    service: Service[Any, Any] = crew_service(Crew(made), name="c", input=Text, output=output, price="1 NET")
    assert run(service, Text(text="four")) == result


def test_each_job_gets_a_crew_of_its_own() -> None:
    crew = Crew(Kickoff('{"letters": 4}'))
    service = crew_service(crew, name="c", input=Text, output=Letters, price="1 NET")
    assert [run(service, Text(text="four")) for _ in range(2)] == 2 * [Letters(letters=4)]


def test_a_result_of_another_type_fails_the_handler() -> None:
    service = crew_service(Crew(Kickoff('{"words": 4}')), name="c", input=Text, output=Letters, price="1 NET")
    with pytest.raises(ValueError, match="letters"):
        run(service, Text(text="four"))


def test_what_cannot_be_sold_is_refused() -> None:
    def bare(text):  # type: ignore[no-untyped-def]
        return text

    def two(text: Text, more: int) -> Letters:
        return Letters(letters=more)

    types: dict[str, Any] = {"name": "n", "input": Text, "output": Letters, "price": "1 NET"}
    for mistake in (
        lambda: fastapi_service(app, "/count", price="1 NET"),
        lambda: fastapi_service(app, "POST /count", price="1 NET")(bare),
        lambda: function_service(price="1 NET")(bare),
        lambda: function_service(price="1 NET")(two),
        lambda: graph_service(StateGraph(State), **types),
        lambda: crew_service(object(), **types),
    ):
        with pytest.raises(AgentError) as refused:
            mistake()
        assert refused.value.code == "ARGUMENT_INVALID"


def test_the_annotations_of_an_endpoint_are_the_types_of_its_service() -> None:
    def typed(buyer: Agent) -> None:
        assert_type(buyer.call(by_fastapi, Text(text="")), Letters)
        assert_type(buyer.call(function_service(price="1 NET")(count), Text(text="")), Letters)
        buyer.call(by_fastapi, "text")  # type: ignore[misc]

    assert callable(typed)


async def over_mcp(tool: McpTool, *calls: dict[str, Any]) -> tuple[types.Tool, list[types.CallToolResult]]:
    """Returns a tool as a client of the official package sees it, and the results of its calls."""

    async def listed(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool.model_validate(tool.definition)])

    async def called(_context: Any, params: Any) -> types.CallToolResult:
        return types.CallToolResult.model_validate(await tool.call(params.arguments))

    server = Server("test", on_list_tools=listed, on_call_tool=called)
    async with Client(server) as client:
        [shown] = (await client.list_tools()).tools
        return shown, [await client.call_tool(shown.name, each) for each in calls]


def test_a_service_is_a_tool_of_mcp_that_runs_its_handler() -> None:
    shown, [done, wrong, failed] = anyio.run(over_mcp, to_mcp(by_fastapi), {"text": "four"}, {"text": 4}, {"text": ""})
    assert (shown.name, shown.description) == ("by_fastapi", "Count the letters, twice.")
    assert shown.input_schema == by_fastapi.input_schema
    assert (done.structured_content, done.is_error) == ({"letters": 8}, False)
    assert [each.is_error for each in (wrong, failed)] == [True, True]
    assert "422" in str(failed.content)


def test_a_handler_that_needs_an_order_fails_by_mcp_and_says_what_it_missed() -> None:
    def needy(job: Job[Text]) -> Letters:
        return Letters(letters=job.order["funding"])

    service = define_service(name="needy", input=Text, output=Letters, price=5, handler=needy)
    _, [failed] = anyio.run(over_mcp, to_mcp(service), {"text": ""})
    assert failed.is_error
    assert "job.order needs an order" in str(failed.content)


def test_a_bought_tool_hires_once_although_its_first_calls_end_early(world: World, options: dict[str, Any]) -> None:
    service = function_service(price="5 NET", name="by-tool")(count)
    worker, buyer = Agent.open("toolwork", **options), Agent.open("toolbuy", **options)
    buyer.act("faucet", {"amount": 90 * NET}, id="money")
    mine: Any = {"requesterId": "toolbuy"}

    def orders() -> list[Any]:
        return list(world.client.items("/v1/work-orders", **mine))

    async def cancelled(*, at: int) -> None:
        """Calls the tool, and cancels the call once there are so many orders."""
        tool = buy_tool(buyer, service, worker="toolwork")
        calling = asyncio.ensure_future(tool.call({"text": "four"}))
        while len(orders()) < at and not calling.done():
            await asyncio.sleep(0.05)
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
        assert calling.cancelled()

    async def late() -> Any:
        return await buy_tool(buyer, service, worker="toolwork", timeout=0.5).call({"text": "four"})

    asyncio.run(cancelled(at=1))
    [order] = orders()
    said = asyncio.run(late())
    assert said["isError"]
    assert f"Order {order['orderId']} stays open. Call this tool again with the same arguments" in str(said)
    worker.serve(service)
    with running(worker):
        shown, [done] = anyio.run(over_mcp, buy_tool(buyer, service, worker="toolwork"), {"text": "four"})
    assert "Each call pays 5 NET" in str(shown.description)
    assert done.structured_content == {"letters": 4}
    assert [(each["orderId"], each["workerId"]) for each in orders()] == [(order["orderId"], "toolwork")]
    # The next call is another purchase.
    asyncio.run(cancelled(at=2))
    assert len(orders()) == 2
    buyer.stop()


def test_a_purchase_that_ends_before_it_is_signed_leaves_no_record(tmp_path: Path) -> None:
    service = function_service(price="5 NET", name="unsigned")(count)
    state = FileState(tmp_path, "net-test-1", "ada")
    records = Records(state, "purchase")
    held: set[str] = set()
    outbox = SimpleNamespace(signed=lambda name: name in held or None, holds=held.__contains__, forget=held.discard)
    ends: list[BaseException] = []

    def agent() -> Any:
        parts = SimpleNamespace(state=state, outbox=outbox, purchases=None, end=None, require_live=lambda: None)

        async def call(*_given: Any, id: str, **_options: Any) -> Any:
            end = ends.pop()
            parts.end = end if code_of(end) == "AGENT_STOPPED" else None
            raise end

        return SimpleNamespace(_parts=parts, call=call)

    def bought(buyer: Any, end: BaseException) -> str:
        async def buy() -> object:
            return await buy_tool(buyer, service).call({"text": "four"})

        ends.append(end)
        return str(asyncio.run(buy()))

    buyer = agent()
    assert "stays open" not in bought(buyer, AgentError("CALL_TIMEOUT", "call"))
    with pytest.raises(asyncio.CancelledError):
        bought(buyer, asyncio.CancelledError())
    assert not records.all()
    assert re.search(r"If order order-\S+ was signed, it stays open", bought(buyer, AgentError("AGENT_STOPPED")))
    [known] = records.all()
    # The next process drops the record, because nothing was signed. It keeps a signed one.
    bought(agent(), AgentError("CALL_TIMEOUT", "call"))
    assert not records.all()
    records.put(known["key"], known)
    held.add(f"hire/{known['id']}")
    assert f"Order {known['id']} stays open" in bought(agent(), AgentError("CALL_TIMEOUT", "call"))
    assert records.all() == [known]
    state.close()


def test_a_service_is_a_skill_of_a2a() -> None:
    skill = to_a2a_skill(by_fastapi)
    assert (skill["id"], skill["description"]) == ("by_fastapi", "Count the letters, twice.")
    assert (skill["tags"], skill["inputModes"]) == (["by_fastapi", "paid"], ["application/json"])


def test_a_service_of_other_values_than_objects_or_without_a_handler_is_no_tool() -> None:
    terms: dict[str, Any] = {"name": "n", "price": "1 NET", "output": Letters}
    with pytest.raises(AgentError, match="input of n is no object"):
        to_mcp(define_service(**terms, input=str))
    with pytest.raises(AgentError, match="to_mcp, n: there is no handler"):
        to_mcp(define_service(**terms, input=Text))
