"""Encoding of documents as blobs, and decoding of untrusted bytes."""

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

MAX_DOCUMENT_BYTES = 262_144
MAX_SMALL_DOCUMENT_BYTES = 131_072
#: Limit in bytes of a document that holds only a few hashes and names.
MAX_FACTS_BYTES = 8_192
#: Limit of values in a document, because each takes many times its bytes in memory.
MAX_DOCUMENT_VALUES = 131_072
MAX_DOCUMENT_DEPTH = 64
MAX_BLOB_BYTES = 8 * 1024 * 1024


class Blob(NamedTuple):
    """Bytes, with their lowercase hex SHA-256."""

    hash: str
    data: bytes


def blob_of(data: bytes) -> Blob:
    """Returns the blob of these bytes."""
    return Blob(sha256(data).hex(), data)


class Format:
    """One kind of document: its schema in ``contract/formats.json``, and further checks."""

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
        """Encodes a document. Raises FormatError if it violates its schema or is too large."""
        try:
            document = exact_json(document)
        except NotJsonError as error:
            raise FormatError("DOCUMENT_INVALID", error.path, f"it is {error.detail}") from error
        data = canonical_bytes(document)
        self._require(document)
        require_size(data, self._max_bytes)
        return blob_of(data)

    def read(self, data: bytes, expected_hash: str | None = None) -> JsonObject:
        """Decodes a document.

        :param expected_hash: hash from the chain, if known
        :raises FormatError: if the bytes are invalid
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
            # This check reports some faults better than the schema does.
            self._before(value)
        try:
            # Stop at the first violation, because each one needs more memory than its value.
            self._validator.validate(value)
        except jsonschema_rs.ValidationError as error:
            raise FormatError("DOCUMENT_INVALID", json_pointer(error.instance_path), error.message[:200]) from None
        if self._check is not None:
            self._check(value)


def json_pointer(steps: Iterable[str | int]) -> str:
    """Returns the JSON Pointer (RFC 6901) of these steps."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def require_size(data: bytes, most: int) -> None:
    """Raises FormatError if the data is too large."""
    if len(data) > most:
        raise FormatError("DOCUMENT_TOO_LARGE", "", f"{len(data)} bytes, at most {most}")


def _parse_canonical(data: bytes) -> Any:
    text = _text_of(data)
    value = _parse(text)
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


def _parse(text: str) -> Any:
    # Check before parsing, because later steps recurse and visit every value.
    depth, values = shape_of(text)
    if values > MAX_DOCUMENT_VALUES:
        raise FormatError("DOCUMENT_TOO_LARGE", "", f"{values} values, at most {MAX_DOCUMENT_VALUES}")
    try:
        if depth <= MAX_DOCUMENT_DEPTH:
            return json.loads(text, parse_int=_integer, parse_constant=_no_constant)
    except ValueError as error:
        raise FormatError("DOCUMENT_NOT_JSON") from error
    raise FormatError("DOCUMENT_NOT_JSON")


def _integer(token: str) -> int | float:
    # Beyond the doubles, other readers see infinity, and Python refuses to convert that many digits.
    return int(token) if len(token) <= 310 else float(token)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def shape_of(text: str) -> tuple[int, int]:
    """Returns the nesting depth of JSON text, and an upper bound of the number of its values."""
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
