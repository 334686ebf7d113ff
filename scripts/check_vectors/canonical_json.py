"""Canonical JSON (RFC 8785), and hashes of it."""

import hashlib
import json
import struct

from .report import expect, refused, Refused


def canonicalize(value):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonicalize, value)) + "]"
    if any(lone_surrogate(name) for name in value):
        raise Refused("lone surrogate")
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(f"{quote(name)}:{canonicalize(value[name])}" for name in names) + "}"


def lone_surrogate(text):
    return any(0xD800 <= ord(char) <= 0xDFFF for char in text)


def quote(text):
    if lone_surrogate(text):
        raise Refused("lone surrogate")
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
    return '"' + "".join(short.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in text) + '"'


def number_text(value):
    """ECMAScript's Number::toString, from Python's equally shortest digits."""
    value = float(value)
    if value != value or value in (float("inf"), float("-inf")):
        raise Refused("no JSON number")
    if value == 0:
        return "0"
    if value < 0:
        return "-" + number_text(-value)
    mantissa, exponent = f"{value!r}e0".split("e")[:2]
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = int(exponent) + len(whole) - (len(whole + fraction) - len(digits))
    if whole != "0":
        point = int(exponent) + len(whole)
    digits = digits.rstrip("0")
    k = len(digits)
    if k <= point <= 21:
        return digits + "0" * (point - k)
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    tail = f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return digits[0] + ("." + digits[1:] if k > 1 else "") + tail


def jcs(value):
    return canonicalize(value).encode("utf-8")


def sha256(data):
    return hashlib.sha256(data).digest()


def hash_value(value):
    return sha256(jcs(value)).hex()


def canonical_json(topic):
    for case in topic["valid"]:
        expect(canonicalize(json.loads(case["input"])), case["canonical"], case["name"])
    for case in topic["numbers"]:
        value = struct.unpack(">d", bytes.fromhex(case["bits"]))[0]
        if case["text"] is None:
            expect(refused(canonicalize, value), True, case["bits"])
        else:
            expect(canonicalize(value), case["text"], case["bits"])
    for case in topic["invalid"]:
        expect(refused(canonicalize, json.loads(case["input"])), True, case["name"])


def hashes(topic):
    for case in topic["values"]:
        expect(hash_value(case["value"]), case["hash"], case["value"])
    for case in topic["fingerprints"]:
        rest = {name: value for name, value in case["document"].items() if name != case["member"]}
        expect(hash_value(rest), case["hash"], case["member"])
    for case in topic["publicKeyHashes"]:
        expect(hash_value(case["pem"]), case["publicKeyHash"], repr(case["pem"]))
    for case in topic["nonceHashes"]:
        expect(hash_value({"actorId": case["actorId"], "nonce": case["nonce"]}), case["hash"], case["nonce"])
    for case in topic["eventHashes"]:
        event = {name: case[name] for name in ("type", "transitionIndex", "data")}
        expect(hash_value(event), case["hash"], case["type"])
