"""The formats beyond their vectors: bounds, strangers' schemas, and what the JavaScript side makes of our bytes."""

from __future__ import annotations

import json
import pathlib
import re
import resource
import sys
import threading
from typing import Any

import jsonschema_rs
import pytest

from netsdk.formats import (
    FormatError,
    MemoryFacts,
    agent_metadata,
    generate_encryption_key,
    judge,
    judge_in_time,
    open_content,
    open_memory,
    public_encryption_key,
    read_manifest,
    recipients_of,
    seal_content,
    seal_memory,
    work_scope,
)
from netsdk.formats.check_schema import check_schema
from netsdk.formats.judge_error import JudgeError
from tests.node import run_script

FACTS = {
    "chainId": "net-test-1",
    "fromAgentId": "ada",
    "toAgentId": "bob",
    "conversationId": "c1",
    "messageId": "m1",
    "sequence": 1,
}


def code(call: Any, *arguments: Any) -> str | None:
    try:
        call(*arguments)
    except (FormatError, JudgeError) as error:
        return error.code
    return None


def scope(*acceptance: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema": "NET-WORK-SCOPE/1",
        "title": "t",
        "instructions": "",
        "inputs": [],
        "deliverable": {"mediaType": "application/json", "maxBytes": 8_000_000},
        "acceptance": list(acceptance),
    }


@pytest.mark.parametrize("size", [1, 250_001, 4 * 1024 * 1024])
def test_what_is_sealed_here_opens_here_up_to_the_bound(size: int) -> None:
    key = generate_encryption_key()
    sealed = seal_content(b"x" * size, [public_encryption_key(key)], FACTS)
    assert open_content(sealed.data, key, FACTS, sealed.hash) == b"x" * size


def test_sealing_refuses_what_cannot_be_opened() -> None:
    key = generate_encryption_key()
    public = public_encryption_key(key)
    small_order = {"kty": "OKP", "crv": "X25519", "x": "A" * 43}
    from netsdk.formats.encryption_key import encryption_key_of

    assert code(seal_content, b"", [public], FACTS) == "CONTENT_EMPTY"
    assert code(seal_content, b"x" * (4 * 1024 * 1024 + 1), [public], FACTS) == "DOCUMENT_TOO_LARGE"
    assert code(seal_content, b"x", [], FACTS) in {"ENCRYPTION_KEY_INVALID", "DOCUMENT_INVALID"}
    assert code(seal_content, b"x", [encryption_key_of(small_order["x"])], FACTS) == "ENCRYPTION_KEY_INVALID"
    assert code(seal_content, b"x", [public | {"kid": "A" * 43}], FACTS) == "ENCRYPTION_KEY_INVALID"
    assert code(seal_content, b"x", [public | {"x": "AAAA"}], FACTS) == "ENCRYPTION_KEY_INVALID"
    assert code(seal_content, b"x", [public], {"chainId": "c"}) == "DOCUMENT_INVALID"


def test_every_bit_of_sealed_content_counts() -> None:
    key = generate_encryption_key()
    content = json.loads(seal_content(b"hello", [public_encryption_key(key)], FACTS).data)
    from netsdk.formats import open_sealed

    for name in ("ciphertext", "iv", "tag"):
        text = content[name]
        changed = content | {name: ("B" if text[0] == "A" else "A") + text[1:]}
        assert code(open_sealed, changed, key, FACTS) == "SEALED_UNREADABLE", name
    assert code(open_sealed, content, key, FACTS | {"sequence": 2}) == "SEALED_CONTEXT_MISMATCH"
    assert code(open_sealed, content, generate_encryption_key(), FACTS) == "SEALED_NOT_FOR_KEY"


def test_javascript_opens_what_python_seals_and_the_other_way_round() -> None:
    key, other = generate_encryption_key(), generate_encryption_key()
    public = [public_encryption_key(key), public_encryption_key(other)]
    memory = list(seal_memory(b"remember" * 200_000, MemoryFacts("ada", 2, "ab" * 32), public[:1]))
    asked = {
        "key": key,
        "public": public,
        "facts": FACTS,
        "sealed": [seal_content(b"from python", keys, FACTS).data.decode() for keys in (public[:1], public)],
        "memory": {blob.hash: blob.data.hex() for blob in memory},
        "bundleHash": memory[-1].hash,
    }
    told = run_script("formats.mjs", asked)
    assert told["opened"] == ["from python", "from python"]
    assert told["memory"] == "remember" * 200_000
    for text in told["sealed"]:
        assert open_content(text.encode(), key, FACTS) == b"from node"
    facts = MemoryFacts("bob", 1, None)
    blobs = {name: bytes.fromhex(data) for name, data in told["written"].items()}
    manifest = read_manifest(blobs[told["bundleHash"]], facts, told["bundleHash"])
    assert open_memory(manifest, key, blobs.get) == b"node" * 300_000


@pytest.mark.parametrize(
    ("schema", "text", "verdict"),
    [
        ({"pattern": "^(a+)+$"}, '"' + "a" * 5_000 + '!"', "unmet"),
        ({"pattern": "^\\d+$"}, '"12"', "met"),
        ({"pattern": "^\\d+$"}, '"\u0664"', "unmet"),
        ({"type": "integer"}, "1.0", "met"),
        ({"type": "integer"}, "12345678901234567890", "met"),
        ({"const": 12345678901234567891}, "12345678901234567890", "unmet"),
        ({"$defs": {"$id": True}}, "1", "unmet"),
        ({"dependentSchemas": {"$anchor": True}}, "{}", "unmet"),
        ({"$ref": "#/$defs/ ", "$defs": {" ": True}}, "1", "unmet"),
        ({"uniqueItems": True}, '[{"a":1,"b":2},{"b":2,"a":1}]', "unmet"),
        ({"uniqueItems": True}, "[1,true]", "met"),
        ({"format": "email"}, '"no"', "met"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, "1", "unmet"),
        ({"minLength": 2}, '"\U0001f600"', "unmet"),
        ({}, "not json", "unmet"),
        ({}, "[" * 65 + "]" * 65, "unmet"),
        ({}, "[1e400]", "met"),
        ({}, "[1e401]", "unmet"),
        ({}, "\ufeff1", "unmet"),
        (False, "1", "unmet"),
        ({"type": "nothing"}, "1", "unmet"),
        ({"pattern": "(?=a)"}, '"a"', "unmet"),
        ({"pattern": "a{1000}" * 60}, '"a"', "unmet"),
    ],
)
def test_a_schema_of_a_stranger_is_judged_within_bounds(schema: Any, text: str, verdict: str) -> None:
    told = judge(scope({"kind": "json-schema", "schema": schema}), text.encode())
    assert told.verdict == verdict, told


def test_the_judge_gives_the_verdicts_of_another_engine() -> None:
    vectors = pathlib.Path(__file__).parents[3] / "vectors/formats/judge.json"
    compared = 0
    for case in json.loads(vectors.read_text("utf-8"))["cases"]:
        schema, text = json.loads(case["schema"]), case["text"]
        # Other engines read numbers as doubles, and refuse half of a surrogate pair.
        differs = re.search(r'[0-9]{16}|[.][0-9]{3}|[eE][+-]?[0-9]{3}|ud83d"', case["schema"] + text)
        if "isMet" not in case or differs:
            continue
        engine = jsonschema_rs.Draft202012Validator(schema, validate_formats=False)
        try:
            value = json.loads(text)
        except ValueError:
            continue
        assert engine.is_valid(value) is case["isMet"], (schema, text)
        compared += 1
    assert compared > 400


def test_what_costs_too_much_to_judge_is_unmet() -> None:
    schema = {"anyOf": [{"enum": list(range(100))} for _ in range(300)]}
    assert check_schema(schema) > 5_000
    text = json.dumps([0] * 100_000).encode()
    assert judge(scope({"kind": "json-schema", "schema": schema}), text).verdict == "unmet"


@pytest.mark.anyio
async def test_judging_leaves_the_loop_alone_and_a_deadline_ends_it_without_a_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = threading.Event()
    monkeypatch.setattr(sys.modules["netsdk.formats.judge"], "_judge_one", lambda *_: (release.wait(), ("met", ""))[1])
    try:
        assert await judge_in_time(scope({"kind": "review", "question": "?"}), b"x", seconds=0.01) is None
    finally:
        release.set()
    judged = await judge_in_time(scope({"kind": "review", "question": "?"}), b"x")
    assert judged is not None
    assert judged.verdict == "met"


def test_a_schema_that_multiplies_is_refused_before_it_is_compiled() -> None:
    definitions = {f"d{level}": {"anyOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 10} for level in range(10)}
    schema = {"$defs": definitions | {"d10": {"type": "string"}}, "$ref": "#/$defs/d0"}
    assert code(check_schema, schema) == "cost"


def test_size_and_replay_are_judged() -> None:
    replay = {"kind": "chain-replay", "from": 1, "to": 2}
    assert judge(scope(replay), b"x").verdict == "open"
    assert judge(scope(replay), b"x", lambda _first, _last: None).verdict == "open"
    small = scope(replay)
    small["deliverable"]["maxBytes"] = 1
    assert judge(small, b"xx").verdict == "unmet"
    assert code(work_scope.make, scope({"kind": "chain-replay", "from": 2, "to": 1})) == "SCOPE_UNJUDGEABLE"


@pytest.mark.parametrize(
    ("acceptance", "path"),
    [
        ([], "/acceptance"),
        ([{"kind": "json-schema", "schema": {"type": "objekt"}}], "/acceptance/0/schema/type"),
        ([{"kind": "jsonschema", "schema": {}}], "/acceptance/0/kind"),
        ([{"kind": []}], "/acceptance/0/kind"),
        (["sha256"], "/acceptance/0"),
        ([{"kind": "json-schema"}], "/acceptance/0"),
        ([{"kind": "json-schema", "schema": {"enum": []}}], "/acceptance/0/schema/enum"),
        ([{"kind": "json-schema", "schema": {"enum": ["x" * 1_000_000]}}], "/acceptance/0/schema/enum"),
    ],
)
def test_a_scope_that_cannot_be_judged_is_not_made(acceptance: list[Any], path: str) -> None:
    with pytest.raises(FormatError) as refusal:
        work_scope.make(scope() | {"acceptance": acceptance})
    assert (refusal.value.code, refusal.value.path) == ("SCOPE_UNJUDGEABLE", path)


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "objekt"}, "/type"),
        ({"required": "lines"}, "/required"),
        ({"properties": {"a/b": {"minimum": "x"}}}, "/properties/a~1b/minimum"),
    ],
)
def test_a_keyword_of_the_wrong_form_is_named_in_one_line(schema: dict[str, Any], path: str) -> None:
    with pytest.raises(JudgeError) as refusal:
        check_schema(schema)
    assert (refusal.value.code, refusal.value.path) == ("schema", path)
    assert len(str(refusal.value).splitlines()) == 1


def test_a_document_that_json_cannot_say_is_refused() -> None:
    metadata = {
        "schema": "NET-AGENT-METADATA/1",
        "agentId": "ada",
        "description": "\ud83d",
        "encryptionKey": public_encryption_key(generate_encryption_key()),
        "blobs": [],
    }
    assert code(agent_metadata.make, metadata) == "DOCUMENT_INVALID"
    blob = agent_metadata.make(metadata | {"description": "d"})
    assert agent_metadata.read(blob.data, blob.hash)["description"] == "d"
    assert code(agent_metadata.read, blob.data + b" ") == "DOCUMENT_NOT_CANONICAL"
    assert code(agent_metadata.read, b"\xff") == "DOCUMENT_NOT_JSON"
    assert code(agent_metadata.read, b"1" * 5_000) == "DOCUMENT_NOT_CANONICAL"


def test_what_is_many_values_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(FormatError, match="4000003 values, at most 131072"):
        recipients_of(b'{"recipients":[' + b"1," * 4_000_000 + b"1]}")
    small = b'{"recipients":[' + b"1," * 100_000 + b"1]}"
    assert code(recipients_of, small) == "DOCUMENT_INVALID"


def test_an_error_is_made_of_the_first_violation_alone() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    schema = {"type": "object", "properties": {"list": {"type": "array", "items": {"type": "string"}}}}
    scope = {"deliverable": {"maxBytes": 2**23}, "acceptance": [{"kind": "json-schema", "schema": schema}]}
    verdict = judge(scope, b'{"list":[' + b"1," * 2_000_000 + b"1]}")
    assert verdict.conditions[0].reason.startswith("/list/0 ")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 400_000, f"{grown} KB"
