"""The JSON that envelopes may be written in."""

import json
import re

from .canonical_json import canonicalize, lone_surrogate
from .report import expect, refused, Refused


def parse_strict(data):
    if isinstance(data, bytes):
        try:
            data = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refused(error) from error

    def integer(token):
        if not re.fullmatch(r"0|-?[1-9][0-9]*", token) or len(token) > 20 or abs(int(token)) > 2**53 - 1:
            raise Refused(token)
        return int(token)

    def refuse(token):
        raise Refused(token)

    def members(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names) or "__proto__" in names:
            raise Refused("duplicate member or __proto__")
        return dict(pairs)

    def check(value, depth):
        if isinstance(value, str) and (lone_surrogate(value) or len(value) > 2048):
            raise Refused("string")
        if isinstance(value, (list, dict)):
            if depth == 32:
                raise Refused("depth")
            for item in value:
                check(item, depth + 1)
            if isinstance(value, dict):
                for item in value.values():
                    check(item, depth + 1)

    try:
        value = json.loads(
            data, parse_int=integer, parse_float=refuse, parse_constant=refuse, object_pairs_hook=members
        )
    except (ValueError, RecursionError) as error:
        raise Refused(error) from error
    check(value, 0)
    return value


def strict_json(topic):
    for case in topic["valid"]:
        expect(canonicalize(parse_strict(case["input"])), case["canonical"], case["name"])
        expect(canonicalize(parse_strict(case["input"].encode())), case["canonical"], case["name"])
    for case in topic["invalid"]:
        data = case["input"] if "input" in case else bytes.fromhex(case["inputHex"])
        expect(refused(parse_strict, data), True, case["name"])
    for case in topic["repeated"]:
        data = case["before"] + case["unit"] * case["count"] + case["after"]
        expect(refused(parse_strict, data), not case["valid"], case["name"])
