"""Paid services from frameworks that have the work (FastAPI, LangGraph, CrewAI), and services as tools and skills.

The functions take the framework's own objects, so that netsdk imports no framework.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, get_type_hints, overload

import httpx

from .agent.errors import AgentError
from .agent.handler_call import call as call_handler
from .agent.job import Job
from .agent.purchase import buy_once
from .agent.retry import RetryPolicy
from .agent.service import Service, define_service, require_service
from .agent.typed import In, Out, codec_of, input_bytes, json_of
from .arguments import refuse, require_handler, require_text
from .blobs import MAX_BLOB_BYTES
from .protocol.canonical_json import JsonObject

if TYPE_CHECKING:
    from typing import Concatenate

    from .agent import Agent, AsyncAgent

#: Characters of a refusal by an endpoint that the error quotes at most.
MOST_WORDS = 500


class ServiceDecorator(Protocol):
    """Makes a service of a function. Its first parameter is the input, and its annotations are the types."""

    @overload
    def __call__(self, function: Callable[Concatenate[In, ...], Awaitable[Out]], /) -> Service[In, Out]: ...
    @overload
    def __call__(self, function: Callable[Concatenate[In, ...], Out], /) -> Service[In, Out]: ...


def function_service(
    *, price: str | int, name: str | None = None, description: str | None = None, retry: RetryPolicy | None = None
) -> ServiceDecorator:
    """Returns a decorator that sells a function, such as a node of LangGraph: ``def work(text: Text) -> Summary``.

    :param price: pay for one call: ``'1 NET'``, or unet
    :param name: job type and title of its orders; default: the name of the function
    :param description: public text for workers and models; default: the first line of its docstring, or the name
    :param retry: calls of the work if it fails; default three, and then the order is given back
    :raises AgentError: AMOUNT_INVALID; the decorator ARGUMENT_INVALID if an annotation is missing or no type of JSON
    """

    def made(function: Callable[..., Any]) -> Service[Any, Any]:
        service = _service(
            function, lambda job: function(job.data), price=price, name=name, description=description, retry=retry
        )
        require_handler(service.name, function)
        return service

    return made


class _BoundedApp:
    """An app of ASGI that is cut off once its answer is longer than a result may be."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self._app = app
        #: Bytes that the answer may still have; below 0 if it had more.
        self.left = MAX_BLOB_BYTES

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def count(message: Any) -> None:
            self.left -= len(message.get("body", b""))
            if self.left < 0:
                raise ValueError("the answer is too long")
            await send(message)

        await self._app(scope, receive, count)


def fastapi_service(
    app: Callable[..., Awaitable[None]],
    endpoint: str,
    *,
    price: str | int,
    name: str | None = None,
    description: str | None = None,
    retry: RetryPolicy | None = None,
) -> ServiceDecorator:
    """Returns a decorator that sells an endpoint of FastAPI, for the line above ``@app.post``.

    Each job is a request to the app in this process, so validation, dependencies and middleware hold for jobs too. An
    answer of more than 8 MiB, the most that a result may have, fails the job.

    :param app: the FastAPI app, or any app of ASGI
    :param endpoint: method and path, such as ``'POST /summarize'``; the body is the input
    :param price: pay for one call: ``'1 NET'``, or unet
    :param name: job type and title of its orders; default: the name of the function
    :param description: public text for workers and models; default: the first line of its docstring, or the name
    :param retry: calls of the work if it fails; default three, and then the order is given back
    :raises AgentError: AMOUNT_INVALID, ARGUMENT_INVALID; the decorator ARGUMENT_INVALID if the first parameter is not
        the body, or an annotation is missing or no type of JSON
    """
    require_text("endpoint", endpoint)
    method, _, path = endpoint.partition(" ")
    if not (method.isupper() and path.startswith("/")):
        refuse(
            "ARGUMENT_INVALID",
            f"endpoint: {endpoint!r} is not a method and a path, such as 'POST /summarize'",
            "/endpoint",
        )

    async def handler(job: Job[Any]) -> Any:
        bounded = _BoundedApp(app)
        transport = httpx.ASGITransport(app=bounded)
        async with httpx.AsyncClient(transport=transport, base_url="http://service", timeout=None) as client:  # noqa: S113 - as long as the handler works
            try:
                response = await client.request(method, path, json=json_of(job.data))
            finally:
                # Middleware may hide or wrap the error that ended the answer.
                if bounded.left < 0:
                    most = f"{MAX_BLOB_BYTES} bytes, the most that a result may have"
                    raise AgentError("HANDLER_FAILED", f"{endpoint} answered with more than {most}")
        if not response.is_success:
            why = f"{endpoint} answered {response.status_code}: {response.text[:MOST_WORDS]}"
            raise AgentError("HANDLER_FAILED", why)
        return response.json()

    def made(function: Callable[..., Any]) -> Service[Any, Any]:
        return _service(function, handler, price=price, name=name, description=description, retry=retry)

    return made


def graph_service(
    graph: Any,
    *,
    name: str,
    input: type[In],
    output: type[Out],
    price: str | int,
    description: str | None = None,
    retry: RetryPolicy | None = None,
) -> Service[In, Out]:
    """Returns a service that invokes a compiled graph of LangGraph, or any other runnable of LangChain.

    The members of the output type are sold; the rest of the final state stays here.

    :param graph: has ``ainvoke``
    :param name: job type and title of its orders
    :param input: type of the values that the graph starts with
    :param output: type of the result
    :param price: pay for one call: ``'1 NET'``, or unet
    :param description: public text for workers and models; default: the name
    :param retry: calls of the work if it fails; default three, and then the order is given back
    :raises AgentError: AMOUNT_INVALID, ARGUMENT_INVALID
    """

    async def handler(job: Job[Any]) -> Any:
        return _part(output, await graph.ainvoke(json_of(job.data)))

    _require_method("graph", graph, "ainvoke")
    return define_service(
        name=name, input=input, output=output, price=price, handler=handler, description=description, retry=retry
    )


def crew_service(
    crew: Any,
    *,
    name: str,
    input: type[In],
    output: type[Out],
    price: str | int,
    description: str | None = None,
    retry: RetryPolicy | None = None,
) -> Service[In, Out]:
    """Returns a service that kicks off a copy of a crew of CrewAI for each job, with the members of the input as its
    inputs.

    The result is the crew's output by ``output_pydantic`` or ``output_json``; otherwise its text, which must be JSON
    unless ``output`` is ``str``.

    :param crew: has ``copy`` and ``kickoff_async``
    :param name: job type and title of its orders
    :param input: type of the inputs
    :param output: type of the result
    :param price: pay for one call: ``'1 NET'``, or unet
    :param description: public text for workers and models; default: the name
    :param retry: calls of the work if it fails; default three, and then the order is given back
    :raises AgentError: AMOUNT_INVALID, ARGUMENT_INVALID
    """

    async def handler(job: Job[Any]) -> Any:
        # A crew writes the inputs into its tasks, so that two jobs at once would read each other's.
        made = await crew.copy().kickoff_async(inputs=json_of(job.data))
        for value in (made.pydantic, made.json_dict):
            if value is not None:
                return _part(output, value)
        return made.raw if output is str else _part(output, json.loads(made.raw))

    for method in ("copy", "kickoff_async"):
        _require_method("crew", crew, method)
    return define_service(
        name=name, input=input, output=output, price=price, handler=handler, description=description, retry=retry
    )


def _service(
    function: Callable[..., Any],
    handler: Callable[[Job[Any]], Any],
    *,
    price: str | int,
    name: str | None,
    description: str | None,
    retry: RetryPolicy | None,
) -> Service[Any, Any]:
    own = name or str(getattr(function, "__name__", ""))
    first = next(iter(inspect.signature(function).parameters), "")
    try:
        hints = get_type_hints(function)
    except NameError as error:
        refuse("ARGUMENT_INVALID", f"{own}: {error}: define its types in the module", "/function")
    if first not in hints or "return" not in hints:
        refuse("ARGUMENT_INVALID", f"{own} needs annotations, as in def work(text: Text) -> Summary", "/function")
    about = inspect.getdoc(function) or own
    return define_service(
        name=own,
        input=hints[first],
        output=hints["return"],
        price=price,
        handler=handler,
        description=description or about.partition("\n")[0],
        retry=retry,
    )


def _part(output: Any, value: Any) -> Any:
    """Returns the part of a value that the output type has, because a graph's state can hold more than its buyer gets.

    :raises MistypedError: if the value is no such type
    """
    codec = codec_of(output, "output")
    found = json_of(value) if not isinstance(value, Mapping) else value
    members = codec.schema.get("properties")
    if isinstance(found, Mapping) and isinstance(members, Mapping):
        found = {name: json_of(each) for name, each in found.items() if name in members}
    return codec.read(input_bytes(found))


def _require_method(name: str, value: Any, method: str) -> None:
    if not callable(getattr(value, method, None)):
        refuse("ARGUMENT_INVALID", f"{name} has no {method}: give the compiled {name} itself", f"/{name}")


@dataclass(frozen=True)
class McpTool:
    """A tool of MCP, for the handlers of a low-level server of the package ``mcp``.

    :ivar definition: for ``Tool.model_validate``: name, description, both schemas, annotations
    :ivar call: takes the arguments of a call, and returns what ``CallToolResult.model_validate`` takes; a refusal or a
        failure is a result with ``isError``
    """

    definition: JsonObject
    call: Callable[[Mapping[str, Any]], Awaitable[JsonObject]]


class _JobWithoutOrder:
    """Refuses members that only an order has, so that a handler does not go on without them."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.attempt = 1

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        refuse("ARGUMENT_INVALID", f"job.{name} needs an order, and a call by MCP has none", "/handler")


def to_mcp(service: Service[Any, Any]) -> McpTool:
    """Returns a tool that runs the service's handler here, without an order and without pay.

    Of the job, the handler gets ``data`` and ``attempt``.

    :raises AgentError: ARGUMENT_INVALID if the input or the result is no object, or there is no handler
    """

    async def run(value: Any) -> Any:
        assert service.handler is not None
        return await call_handler(service.handler, _JobWithoutOrder(value))

    require_service(service)
    made = _tool(service, service.description, run, is_bought=False)
    require_handler(f"to_mcp, {service.name}", service.handler)
    return made


def buy_tool(
    agent: Agent | AsyncAgent,
    service: Service[Any, Any],
    *,
    worker: str | None = None,
    timeout: float | None = None,
) -> McpTool:
    """Returns a tool whose every call hires: it orders the service, waits for the jury, and pays the price.

    A call ends if its task is canceled, or after ``timeout``; the error names the order. A call with the same
    arguments continues an order that is still open, also after a restart, and pays once.

    :param agent: buys; a session bounds what it can spend
    :param worker: the only agent that may accept the orders; default: any
    :param timeout: seconds for each call; default none
    :raises AgentError: ARGUMENT_INVALID if the input or the result is no object
    """
    require_service(service)
    price = f"{service.price} unet" if isinstance(service.price, int) else service.price
    words = f"{service.description}\n\nEach call pays {price} and the fee of a jury."

    async def run(value: Any) -> Any:
        # A blocking agent has an event loop of its own, in which a canceled task ends.
        loop = getattr(agent, "_loop", None)
        buyer: Any = getattr(agent, "_agent", agent)
        bought = buy_once(buyer, service, value, worker=worker, timeout=timeout)
        if loop is None:
            return await bought
        if loop.is_closed():
            bought.close()
            raise AgentError("AGENT_STOPPED", agent.agent_id)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(bought, loop))

    return _tool(service, words, run, is_bought=True)


def to_a2a_skill(service: Service[Any, Any]) -> JsonObject:
    """Returns a skill for the ``skills`` of an agent card of A2A 1.0.

    Its tags are the name and ``paid``, which says that a call is an order.
    """
    require_service(service)
    modes = ["application/json"]
    return {
        "id": service.name,
        "name": service.name,
        "description": service.description,
        "tags": [service.name, "paid"],
        "inputModes": modes,
        "outputModes": modes,
    }


def _tool(
    service: Service[Any, Any], description: str, run: Callable[[Any], Awaitable[Any]], *, is_bought: bool
) -> McpTool:
    for side, schema in (("input", service.input_schema), ("output", service.output_schema)):
        if schema.get("type") != "object":
            refuse("ARGUMENT_INVALID", f"{side} of {service.name} is no object, which a tool of MCP needs", f"/{side}")
    input_codec, output_codec = codec_of(service.input, "input"), codec_of(service.output, "output")

    async def called(arguments: Mapping[str, Any]) -> JsonObject:
        try:
            made = await run(input_codec.read(input_bytes(arguments)))
            value = output_codec.write(made, "RESULT_UNMET")
            # A dataclass checks its JSON when it is read.
            output_codec.read(input_bytes(value))
        except Exception as error:  # The model reads what failed.
            return {"content": [{"type": "text", "text": str(error)}], "isError": True}
        return {"content": [{"type": "text", "text": json.dumps(value)}], "structuredContent": value}

    definition = {
        "name": service.name,
        "title": service.name,
        "description": description,
        "inputSchema": service.input_schema,
        "outputSchema": service.output_schema,
        "annotations": {"readOnlyHint": False, "openWorldHint": is_bought},
    }
    return McpTool(definition, called)
