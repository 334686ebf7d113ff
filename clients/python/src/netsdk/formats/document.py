"""How a document becomes the bytes of a blob, and is read from bytes of any origin."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple

import jsonschema_rs

from ..contracts import contract
from ..protocol.canonical_json import CanonicalJsonError, JsonObject, canonical_bytes, canonicalize
from ..protocol.exact_json import NotJsonError, exact_json
from ..protocol.hashes import sha256
from .errors import FormatError

#: Bytes of a document in a blob: a work scope, agent metadata, the manifest of a memory.
MAX_DOCUMENT_BYTES = 262_144
#: Bytes of a document in a blob that can hold less: agent metadata, and the manifest of a memory.
MAX_SMALL_DOCUMENT_BYTES = 131_072
#: Bytes of a document in a blob that holds a few hashes and names.
MAX_FACTS_BYTES = 8_192
#: Values in a document in a blob: each takes many times its bytes in memory, and sealed content has few.
MAX_DOCUMENT_VALUES = 131_072
#: A document in a blob may nest this deep.
MAX_DOCUMENT_DEPTH = 64
#: Bytes of one blob.
MAX_BLOB_BYTES = 8 * 1024 * 1024


class Blob(NamedTuple):
    """Bytes, and the lowercase hex SHA-256 that names them."""

    hash: str
    data: bytes


def blob_of(data: bytes) -> Blob:
    """The blob of some bytes."""
    return Blob(sha256(data).hex(), data)


class Format:
    """One kind of document: its schema in ``contract/formats.json``, and what a schema cannot say."""

    def __init__(
        self,
        *names: str,
        max_bytes: int = MAX_DOCUMENT_BYTES,
        before: Callable[[Any], None] | None = None,
        check: Callable[[JsonObject], None] | None = None,
    ) -> None:
        self._names = names
        self._max_bytes = max_bytes
        self._before = before
        self._check = check

    @cached_property
    def _validator(self) -> jsonschema_rs.Draft202012Validator:
        schemas = [contract("formats")["formats"][name] for name in self._names]
        return jsonschema_rs.Draft202012Validator(schemas[0] if len(schemas) == 1 else {"anyOf": schemas})

    def make(self, document: JsonObject) -> Blob:
        """The blob of a document.

        :raises FormatError: where the document breaks its schema or is too large
        """
        try:
            document = exact_json(document)
        except NotJsonError as error:
            raise FormatError("DOCUMENT_INVALID", error.path, f"it is {error.detail}") from error
        data = canonical_bytes(document)
        self._require(document)
        require_size(data, self._max_bytes)
        return blob_of(data)

    def read(self, data: bytes, expected_hash: str | None = None) -> JsonObject:
        """The document of these bytes.

        :param expected_hash: what the chain says the bytes are, where the reader has it from there
        :raises FormatError: with the first rule that the bytes break
        """
        require_size(data, self._max_bytes)
        if expected_hash is not None and sha256(data).hex() != expected_hash:
            raise FormatError("DOCUMENT_HASH_MISMATCH")
        value = _parse_canonical(data)
        self._require(value)
        document: JsonObject = value
        return document

    def _require(self, value: Any) -> None:
        if self._before is not None:
            # Faults that deserve a better report than a violation of the schema.
            self._before(value)
        try:
            # Ends at the first: each violation takes more memory than what it is about.
            self._validator.validate(value)
        except jsonschema_rs.ValidationError as error:
            raise FormatError("DOCUMENT_INVALID", json_pointer(error.instance_path), error.message[:200]) from None
        if self._check is not None:
            self._check(value)


def json_pointer(steps: Iterable[str | int]) -> str:
    """The JSON Pointer (RFC 6901) of a place."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def require_size(data: bytes, most: int) -> None:
    """Refuses what is too large.

    :raises FormatError:
    """
    if len(data) > most:
        raise FormatError("DOCUMENT_TOO_LARGE", "", f"{len(data)} bytes, at most {most}")


def parse_json(data: bytes) -> Any:
    """The value of JSON text, without asking for its canonical form.

    :raises FormatError: where it is not JSON in UTF-8, or nests too deep
    """
    return _parse(_text_of(data))


def _parse_canonical(data: bytes) -> Any:
    """That it comes out again as the same text also excludes what readers disagree about: members twice, numbers."""
    text = _text_of(data)
    value = _parse(text, MAX_DOCUMENT_VALUES)
    try:
        if canonicalize(value) == text:
            return value
    except CanonicalJsonError:
        pass
    raise FormatError("DOCUMENT_NOT_CANONICAL")


def _text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except ValueError as error:
        raise FormatError("DOCUMENT_NOT_JSON") from error


def _parse(text: str, max_values: int | None = None) -> Any:
    # Before it is parsed: what walks the value later does so by recursion, and takes its time for each part.
    depth, values = _shape_of(text)
    if max_values is not None and values > max_values:
        raise FormatError("DOCUMENT_TOO_LARGE", "", f"{values} values, at most {max_values}")
    try:
        if depth <= MAX_DOCUMENT_DEPTH:
            return json.loads(text, parse_int=_integer, parse_constant=_no_constant)
    except ValueError as error:
        raise FormatError("DOCUMENT_NOT_JSON") from error
    raise FormatError("DOCUMENT_NOT_JSON")


def _integer(token: str) -> int | float:
    # Beyond the doubles it is infinite to every other reader, and Python would refuse to count its digits.
    return int(token) if len(token) <= 310 else float(token)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _shape_of(text: str) -> tuple[int, int]:
    """How deep arrays and objects nest in a text, and how many values there are at most, were it JSON."""
    depth, deepest, values, in_string, escaped = 0, 0, 1, False, False
    for char in text:
        if escaped:
            escaped = False
        elif in_string:
            escaped = char == "\\"
            in_string = char != '"'
        elif char == '"':
            in_string = True
        elif char == ",":
            values += 1
        elif char in "[{":
            depth += 1
            values += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest, values
