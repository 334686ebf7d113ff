"""Types as contracts: dataclasses and pydantic models give the JSON Schema of an order and read its JSON."""

from __future__ import annotations

import dataclasses
import json
import math
import reprlib
import types
from collections.abc import Callable, Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NamedTuple,
    NoReturn,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ..arguments import refuse
from ..exact_value import exact_value
from ..protocol.canonical_json import JsonObject, canonical_bytes

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from .retry import RetryPolicy

    In = TypeVar("In", default=Any)
    Out = TypeVar("Out", default=None)
else:
    from typing import TypeVar

    In = TypeVar("In")
    Out = TypeVar("Out")

T = TypeVar("T")

_Read = Callable[[Any, str], Any]


class MistypedError(ValueError):
    """Raised if a type refuses JSON. The text has the JSON Pointer of the part, and what the type expects there."""


class Codec(NamedTuple):
    """A type of Python as JSON.

    :ivar schema: JSON Schema of the written values
    :ivar read: parses JSON; raises MistypedError
    :ivar write: returns the JSON value of a Python value; raises AgentError with the given code
    """

    schema: JsonObject
    read: Callable[[bytes], Any]
    write: Callable[[Any, str], Any]


def codec_of(kind: Any, name: str) -> Codec:
    """Returns the codec of a dataclass, a pydantic model, or a type made of them.

    Plain dataclasses need no pydantic. Every other type is left to pydantic.

    :param name: of the argument, for errors
    :raises AgentError: ARGUMENT_INVALID if the type has no JSON Schema
    """
    try:
        schema, read = _plain(kind, f"/{name}", ())
    except _NotPlainError as error:
        return _pydantic_codec(kind, name, error)

    def read_bytes(data: bytes) -> Any:
        return read(_parsed(data), "")

    return Codec(schema, read_bytes, lambda value, code: exact_value(json_of(value), code))


def json_of(value: Any) -> Any:
    """Returns a value with its dataclasses and pydantic models as dicts; other parts are left as they are."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: json_of(getattr(value, each.name)) for each in dataclasses.fields(value)}
    if hasattr(value, "__pydantic_validator__") and not isinstance(value, type):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, Mapping):
        return {name: json_of(each) for name, each in value.items()}
    return [json_of(each) for each in value] if isinstance(value, (list, tuple)) else value


def is_typed(kind: Any) -> bool:
    """Returns True for a dataclass, a pydantic model, and any type that contains one."""
    if isinstance(kind, type) and (dataclasses.is_dataclass(kind) or hasattr(kind, "__pydantic_validator__")):
        return True
    return any(is_typed(each) for each in get_args(kind))


class _NotPlainError(Exception):
    def __init__(self, path: str, kind: Any) -> None:
        super().__init__(f"{path}: {getattr(kind, '__name__', kind)}")
        self.path = path


def _mistyped(path: str, expected: str, value: Any) -> NoReturn:
    raise MistypedError(f"{path or '/'}: {expected} is needed, not {json.dumps(value)[:40]}")


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise MistypedError(f"/: no JSON ({error})") from error


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_ATOMS: Mapping[Any, tuple[JsonObject, Callable[[Any], bool], Callable[[Any], Any]]] = {
    str: ({"type": "string"}, lambda value: isinstance(value, str), str),
    bool: ({"type": "boolean"}, lambda value: isinstance(value, bool), bool),
    int: ({"type": "integer"}, lambda value: _is_number(value) and math.isfinite(value) and value % 1 == 0, int),
    float: ({"type": "number"}, _is_number, float),
    type(None): ({"type": "null"}, lambda value: value is None, lambda value: value),
    Any: ({}, lambda value: True, lambda value: value),
}


def _plain(kind: Any, path: str, above: tuple[Any, ...]) -> tuple[JsonObject, _Read]:
    """Returns the schema of a type, and a function that reads its parsed JSON.

    :param above: the enclosing dataclasses, because verifiers judge no schema that contains itself
    :raises _NotPlainError: for a type that only pydantic knows
    """
    kind = type(None) if kind is None else kind
    try:
        atom = _ATOMS.get(kind)
    except TypeError:
        atom = None
    if atom is not None:
        return _plain_atom(*atom)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal and all(isinstance(each, (str, int, type(None))) for each in arguments):
        return _plain_literal(arguments)
    if origin in (Union, types.UnionType):
        return _plain_union([_plain(each, path, above) for each in arguments])
    if origin is list:
        return _plain_list(_plain(arguments[0], f"{path}/items", above))
    if origin is dict and arguments[0] is str:
        return _plain_dict(_plain(arguments[1], f"{path}/values", above))
    is_plain = dataclasses.is_dataclass(kind) and not hasattr(kind, "__pydantic_validator__")
    if not is_plain or not isinstance(kind, type) or kind in above:
        raise _NotPlainError(path, kind)
    return _plain_dataclass(kind, path, (*above, kind))


def _plain_atom(
    schema: JsonObject, fits: Callable[[Any], bool], make: Callable[[Any], Any]
) -> tuple[JsonObject, _Read]:
    def read(value: Any, path: str) -> Any:
        if not fits(value):
            _mistyped(path, schema["type"], value)
        return make(value)

    return dict(schema), read


def _plain_literal(values: Sequence[Any]) -> tuple[JsonObject, _Read]:
    def read(value: Any, path: str) -> Any:
        for each in values:
            if each == value and isinstance(value, bool) == isinstance(each, bool):
                return each
        _mistyped(path, f"one of {json.dumps(list(values))}", value)

    return {"enum": list(values)}, read


def _plain_union(choices: Sequence[tuple[JsonObject, _Read]]) -> tuple[JsonObject, _Read]:
    def read(value: Any, path: str) -> Any:
        reasons = []
        for _, choice in choices:
            try:
                return choice(value, path)
            except MistypedError as error:
                reasons.append(str(error))
        raise MistypedError(" or ".join(reasons))

    return {"anyOf": [schema for schema, _ in choices]}, read


def _plain_list(item: tuple[JsonObject, _Read]) -> tuple[JsonObject, _Read]:
    def read(value: Any, path: str) -> Any:
        if not isinstance(value, list):
            _mistyped(path, "a list", value)
        return [item[1](each, f"{path}/{index}") for index, each in enumerate(value)]

    return {"type": "array", "items": item[0]}, read


def _plain_dict(item: tuple[JsonObject, _Read]) -> tuple[JsonObject, _Read]:
    def read(value: Any, path: str) -> Any:
        if not isinstance(value, dict):
            _mistyped(path, "an object", value)
        return {name: item[1](each, f"{path}/{name}") for name, each in value.items()}

    return {"type": "object", "additionalProperties": item[0]}, read


def _plain_dataclass(kind: type, path: str, above: tuple[Any, ...]) -> tuple[JsonObject, _Read]:
    hints = get_type_hints(kind)
    members = {each.name: each for each in dataclasses.fields(kind) if each.init}
    known = {name: _plain(hints[name], f"{path}/{name}", above) for name in members}
    schema = {
        "type": "object",
        "properties": {name: each for name, (each, _) in known.items()},
        "required": list(members),
    }

    def read(value: Any, path: str) -> Any:
        if not isinstance(value, dict):
            _mistyped(path, "an object", value)
        given = {name: each(value[name], f"{path}/{name}") for name, (_, each) in known.items() if name in value}
        for name, member in members.items():
            has_default = (member.default, member.default_factory) != (dataclasses.MISSING, dataclasses.MISSING)
            if name not in given and not has_default:
                raise MistypedError(f"{path}/{name}: it is missing")
        try:
            return kind(**given)
        except (TypeError, ValueError) as error:
            raise MistypedError(f"{path or '/'}: {error}") from error

    return schema, read


def _pydantic_codec(kind: Any, name: str, reason: Exception) -> Codec:
    try:
        from pydantic import TypeAdapter, ValidationError
    except ImportError:
        how = "give a dataclass, or install pydantic for other types"
        refuse("ARGUMENT_INVALID", f"{reason} is no dataclass: {how}", f"/{name}")
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(kind)
        schema = _without_discriminators(adapter.json_schema(mode="serialization"))
    except Exception as error:
        # Pydantic raises errors of many classes for a value that is not a type.
        how = "give a dataclass, a pydantic model, or a type made of them"
        why = str(error).partition(". ")[0].partition("\n")[0]
        refuse("ARGUMENT_INVALID", f"{name}: {reprlib.repr(kind)} has no JSON Schema: {how} ({why:.160})", f"/{name}")

    def read(data: bytes) -> Any:
        _parsed(data)
        try:
            return adapter.validate_json(data)
        except ValidationError as error:
            path, message = _first_fault(error)
            raise MistypedError(f"{path}: {message}") from error

    def write(value: Any, code: str) -> Any:
        try:
            return exact_value(adapter.dump_python(adapter.validate_python(value), mode="json", by_alias=True), code)
        except ValidationError as error:
            path, message = _first_fault(error)
            refuse(code, f"{path}: {message}", path)

    return Codec(schema, read, write)


def _first_fault(error: Any) -> tuple[str, str]:
    """Returns the JSON Pointer and the message of the first fault that pydantic found."""
    first = error.errors(include_url=False)[0]
    return f"/{'/'.join(map(str, first['loc']))}", first["msg"]


def _without_discriminators(schema: Any) -> Any:
    """Drops OpenAPI's ``discriminator``, which only says which choice to try first."""
    if isinstance(schema, list):
        return [_without_discriminators(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    is_choice = "oneOf" in schema and isinstance(schema.get("discriminator"), dict)
    return {
        name: _without_discriminators(each)
        for name, each in schema.items()
        if not (is_choice and name == "discriminator")
    }


#: Name of the input that holds the typed value of an order.
INPUT = "input"
MEDIA_TYPE = "application/json"


def input_bytes(value: Any) -> bytes:
    """Returns the canonical JSON of a typed input.

    :raises AgentError: VALUE_NOT_JSON
    """
    return canonical_bytes(exact_value(json_of(value)))


def read_input(codec: Codec, data: bytes | None) -> Any:
    """Returns the typed input of an order.

    :raises AgentError: INPUT_INVALID
    """
    if data is None:
        refuse("INPUT_INVALID", f"the order has no input named {INPUT}", f"/{INPUT}")
    try:
        return codec.read(data)
    except MistypedError as error:
        refuse("INPUT_INVALID", str(error), f"/{INPUT}")


class TypedHandler(NamedTuple):
    """A handler of jobs, with the types of its annotations, and the least funding of its orders in unet."""

    function: Callable[..., Any]
    input: Codec | None = None
    output: Codec | None = None
    least: int | None = None
    #: None for the policy of the worker.
    retry: RetryPolicy | None = None


#: Returns the handler of an order, or None if the agent does not serve orders of its type.
HandlerOf = Callable[[Mapping[str, Any]], TypedHandler | None]
