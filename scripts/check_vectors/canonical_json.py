"""Canonical JSON (RFC 8785), and hashes of it."""

import json
import struct

from netsdk.protocol.canonical_json import canonicalize, CanonicalJsonError
from netsdk.protocol.hashes import event_hash, hash_value, hash_without

from .report import expect, refused


def canonical_json(topic):
    for case in topic["valid"]:
        expect(canonicalize(json.loads(case["input"])), case["canonical"], case["name"])
    for case in topic["numbers"]:
        value = struct.unpack(">d", bytes.fromhex(case["bits"]))[0]
        if case["text"] is None:
            expect(refused(CanonicalJsonError, canonicalize, value), True, case["bits"])
        else:
            expect(canonicalize(value), case["text"], case["bits"])
    for case in topic["invalid"]:
        expect(refused(CanonicalJsonError, canonicalize, json.loads(case["input"])), True, case["name"])


def hashes(topic):
    for case in topic["values"]:
        expect(hash_value(case["value"]), case["hash"], case["value"])
    for case in topic["fingerprints"]:
        expect(hash_without(case["document"], case["member"]), case["hash"], case["member"])
    for case in topic["publicKeyHashes"]:
        expect(hash_value(case["pem"]), case["publicKeyHash"], repr(case["pem"]))
    for case in topic["nonceHashes"]:
        expect(hash_value({"actorId": case["actorId"], "nonce": case["nonce"]}), case["hash"], case["nonce"])
    for case in topic["eventHashes"]:
        expect(event_hash(case), case["hash"], case["type"])
