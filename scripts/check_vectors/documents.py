"""What holds for every document in a blob: size, canonical JSON, and a schema of contract/formats.json."""

import json
from pathlib import Path

from jsonschema import Draft202012Validator

from .canonical_json import canonicalize, sha256
from .report import expect, Refused

CONTRACT = Path(__file__).parent.parent.parent / "contract/formats.json"
SCHEMAS = {
    name: Draft202012Validator(schema)
    for name, schema in json.loads(CONTRACT.read_text("utf-8"))["formats"].items()
}
MAX_DEPTH = 64


def depth(value):
    if isinstance(value, (list, dict)):
        members = value.values() if isinstance(value, dict) else value
        return 1 + max(map(depth, members), default=0)
    return 0


def parse(text):
    try:
        value = json.loads(text, parse_constant=lambda name: 1 / 0)
    except (ValueError, RecursionError, ZeroDivisionError):
        raise Refused("DOCUMENT_NOT_JSON")
    if depth(value) > MAX_DEPTH:
        raise Refused("DOCUMENT_NOT_JSON")
    return value


def read(name, text, expected_hash=None):
    """The document, or Refused with the code."""
    if expected_hash is not None and sha256(text.encode()).hex() != expected_hash:
        raise Refused("DOCUMENT_HASH_MISMATCH")
    value = parse(text)
    if canonicalize(value) != text:
        raise Refused("DOCUMENT_NOT_CANONICAL")
    if not SCHEMAS[name].is_valid(value):
        raise Refused("DOCUMENT_INVALID")
    return value


def code_of(function, *arguments):
    """The code of the refusal, None where there is none."""
    try:
        function(*arguments)
    except Refused as refusal:
        return str(refusal)
    return None


def check_texts(topic, reader):
    for case in topic["valid"]:
        expect(code_of(reader, case["text"], case["hash"]), None, case["name"])
    for case in topic["invalid"]:
        expect(code_of(reader, case["text"]), case["code"], case["name"])
