"""The JSON that envelopes may be written in."""

from netsdk.protocol.canonical_json import canonicalize
from netsdk.protocol.strict_json import parse_strict, StrictJsonError

from .report import expect, refused


def strict_json(topic):
    for case in topic["valid"]:
        expect(canonicalize(parse_strict(case["input"])), case["canonical"], case["name"])
        expect(canonicalize(parse_strict(case["input"].encode())), case["canonical"], case["name"])
    for case in topic["invalid"]:
        data = case["input"] if "input" in case else bytes.fromhex(case["inputHex"])
        expect(refused(StrictJsonError, parse_strict, data), True, case["name"])
    for case in topic["repeated"]:
        data = case["before"] + case["unit"] * case["count"] + case["after"]
        expect(refused(StrictJsonError, parse_strict, data), not case["valid"], case["name"])
