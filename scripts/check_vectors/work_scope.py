"""NET-WORK-SCOPE/1, its acceptance, and NET-CHAIN-REPLAY/1."""

import re

from jsonschema import Draft202012Validator

from .canonical_json import canonicalize, hash_value, sha256
from .documents import check_texts, parse, read, SCHEMAS
from .merkle import list_root
from .report import expect, Refused

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ONE = set("items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if then else".split())
LISTS = set("allOf anyOf oneOf prefixItems".split())
MAPS = set("properties patternProperties dependentSchemas $defs".split())
OTHERS = set(
    "$schema $ref pattern type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength"
    " maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired"
    " $comment title description default examples deprecated readOnly writeOnly format contentEncoding contentMediaType".split()
)


def check_schema(root):
    """Keywords, references and cycles; what a schema costs is left to whoever compiles it."""
    finished, open_parts = set(), set()

    def refuse():
        raise Refused("ACCEPTANCE_SCHEMA_REFUSED")

    def target(reference):
        if not re.fullmatch(r"#(/[^%]*)?", reference):
            refuse()
        found = root
        for step in reference.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            try:
                found = found[int(name)] if isinstance(found, list) else found[name]
            except (KeyError, IndexError, ValueError, TypeError):
                refuse()
        return found

    def pattern(text):
        # Python's engine backtracks too: only what it has and RE2 does not is looked for.
        if len(text) > 512 or re.search(r"\(\?[=!<]|\\[1-9]", text):
            refuse()

    def walk(part):
        if isinstance(part, bool) or id(part) in finished:
            return
        if not isinstance(part, dict) or id(part) in open_parts:
            refuse()
        open_parts.add(id(part))
        for name, value in part.items():
            if name in ONE:
                walk(value)
            elif name in LISTS:
                list(map(walk, value))
            elif name in MAPS:
                list(map(walk, value.values()))
                if name == "patternProperties":
                    list(map(pattern, value))
            elif name == "$ref":
                walk(target(value))
            elif name == "pattern":
                pattern(value)
            elif name not in OTHERS or (name == "$schema" and (part is not root or value != DIALECT)):
                refuse()
        open_parts.discard(id(part))
        finished.add(id(part))

    walk(root)


def read_scope(text, expected_hash=None):
    scope = read("WorkScope", text, expected_hash)
    for condition in scope["acceptance"]:
        if condition["kind"] == "json-schema":
            check_schema(condition["schema"])
        if condition["kind"] == "chain-replay" and condition["to"] < condition["from"]:
            raise Refused("DOCUMENT_INVALID")
    return scope


def judge(scope, text, replay):
    if len(text.encode()) > scope["deliverable"]["maxBytes"]:
        return "unmet"
    verdicts = [judge_one(condition, text, replay) for condition in scope["acceptance"]]
    return next((verdict for verdict in ("unmet", "open") if verdict in verdicts), "met")


def judge_one(condition, text, replay):
    kind = condition["kind"]
    if kind == "sha256":
        met = sha256(text.encode()).hex() == condition["hash"]
    elif kind == "json-schema":
        try:
            met = Draft202012Validator(condition["schema"]).is_valid(parse(text))
        except Refused:
            met = False
    elif kind == "chain-replay":
        met = text == canonicalize(replay)
    else:
        return "open"
    return "met" if met else "unmet"


def replay_digest(headers):
    hashes = [hash_value(header) for header in headers]
    for before, header in zip(hashes, headers[1:]):
        if header["previousBlockHash"] != before:
            raise Refused("not a chain")
    return {
        "schema": "NET-CHAIN-REPLAY/1",
        "chainId": headers[0]["chainId"],
        "from": headers[0]["height"],
        "to": headers[-1]["height"],
        "blocksRoot": list_root([bytes.fromhex(h) for h in hashes]).hex(),
        "transitionCount": sum(header["transitionCount"] for header in headers),
        "stateRoot": headers[-1]["stateRoot"],
    }


def work_scope(topic):
    replay = replay_digest(topic["replay"]["headers"])
    expect(SCHEMAS["ChainReplay"].is_valid(replay), True, "replay")
    expect(canonicalize(replay), topic["replay"]["text"], "replay")
    expect(hash_value(replay), topic["replay"]["hash"], "replay")
    check_texts(topic, read_scope)
    for case in topic["valid"]:
        scope = read_scope(case["text"])
        for deliverable in case["deliverables"]:
            expect(judge(scope, deliverable["text"], replay), deliverable["verdict"], case["name"], deliverable["text"])
