"""Services, and the types of handlers."""

from __future__ import annotations

import reprlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, get_args, get_origin, get_type_hints

from ..arguments import refuse, require_handler, require_text
from ..formats import FormatError
from ..formats.check_schema import check_schema
from ..formats.judge_error import JudgeError
from ..protocol.canonical_json import JsonObject
from .amount import unet_of
from .job import AsyncJob, Job
from .retry import RetryPolicy
from .typed import INPUT, In, Out, TypedHandler, codec_of, is_typed

#: The most characters that the rules allow in the type of an order.
MAX_NAME_LENGTH = 128


def typed_handler(function: Callable[..., Any]) -> TypedHandler:
    """Reads the types of ``def handler(job: Job[In]) -> Out``.

    :raises AgentError: ARGUMENT_INVALID if a type has no JSON Schema, or cannot be resolved
    """
    written = getattr(function, "__annotations__", {})
    names_job = any("Job[" in str(each) for name, each in written.items() if name != "return")
    try:
        hints = get_type_hints(function)
    except Exception as error:
        if names_job:
            detail = f"{getattr(function, '__name__', 'handler')}: {error}: define the types of a job in the module"
            refuse("ARGUMENT_INVALID", detail, "/handler")
        return TypedHandler(function)
    returned = hints.pop("return", None)
    jobs = [each for each in hints.values() if get_origin(each) in (Job, AsyncJob)]
    asked = get_args(jobs[0])[0] if jobs else Any
    return TypedHandler(
        function,
        None if asked is Any else codec_of(asked, INPUT),
        codec_of(returned, "result") if is_typed(returned) else None,
    )


@dataclass(frozen=True)
class Service(Generic[In, Out]):
    """A kind of work with types for its input and its output, and a price: from :func:`define_service`.

    Its worker and its buyers share this value.

    :ivar input_schema: JSON Schema of the input
    :ivar output_schema: JSON Schema of the result, which is the acceptance of its orders
    :ivar retry: calls of a handler that fails
    """

    name: str
    input: type[In]
    output: type[Out]
    price: str | int
    handler: Callable[..., Any] | None
    description: str
    input_schema: JsonObject
    output_schema: JsonObject
    retry: RetryPolicy | None = None


def define_service(
    *,
    name: str,
    input: type[In],
    output: type[Out],
    price: str | int,
    handler: Callable[[Job[In]], Out | Awaitable[Out]] | Callable[[AsyncJob[In]], Awaitable[Out]] | None = None,
    description: str | None = None,
    retry: RetryPolicy | None = None,
) -> Service[In, Out]:
    """Returns a service, for ``agent.serve`` of its worker and ``agent.call`` of its buyers.

    :param name: job type and title of its orders
    :param input: type of the value that a buyer sends: a dataclass, a pydantic model, or a type made of them
    :param output: type of the result, which verifiers judge by its JSON Schema
    :param price: pay for one call, more than 0: ``'1 NET'``, or unet
    :param handler: does the work; a buyer needs none
    :param description: public text for workers and models; default: the name
    :param retry: calls of a handler that fails; default three, and then the order is given back
    :raises AgentError: AMOUNT_INVALID, ARGUMENT_INVALID if a type has no JSON Schema
    :raises FormatError: SCOPE_UNJUDGEABLE if no jury could judge a result by its schema
    """
    require_text("name", name)
    if len(name) > MAX_NAME_LENGTH:
        detail = (
            f"name: {len(name)} characters are too many: it names the type of an order, "
            f"which has at most {MAX_NAME_LENGTH}"
        )
        refuse("ARGUMENT_INVALID", detail, "/name")
    if unet_of(price, "price") == 0:
        # An order pays something, so a call would be refused.
        refuse("AMOUNT_INVALID", "price: 0", "/price")
    if handler is not None:
        require_handler("define_service", handler)
    schemas = codec_of(input, "input").schema, codec_of(output, "output").schema
    try:
        check_schema(schemas[1])
    except JudgeError as error:
        raise FormatError("SCOPE_UNJUDGEABLE", f"/output{error.path}", str(error)) from error
    about = name if description is None else description
    return Service(name, input, output, price, handler, about, *schemas, retry)


def require_service(service: object) -> None:
    """Raises ARGUMENT_INVALID for anything but a service."""
    if not isinstance(service, Service):
        refuse("ARGUMENT_INVALID", f"{reprlib.repr(service)} is no service of define_service", "/service")


def handlers_of(services: Sequence[Service[Any, Any]]) -> dict[str, TypedHandler]:
    """Returns the handlers of services by the type of their orders.

    :raises AgentError: ARGUMENT_INVALID if there is no service, or one without a handler
    """
    known: dict[str, TypedHandler] = {}
    for each in services or (None,):
        require_service(each)
        assert each is not None
        require_handler(f"serve, {each.name}", each.handler)
        assert each.handler is not None
        codecs = codec_of(each.input, "input"), codec_of(each.output, "output")
        known[each.name] = TypedHandler(each.handler, *codecs, unet_of(each.price, "price"), each.retry)
    return known
