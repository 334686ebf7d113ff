"""Checkpoints of the whole state and their chunks."""

import base64
import struct

from .canonical_json import hash_value, sha256
from .merkle import list_root
from .report import expect, refused, Refused


def encode_pairs(pairs):
    field = lambda data: struct.pack(">I", len(data)) + data
    return b"".join(field(key) + field(value) for key, value in sorted(pairs))


def decode_pairs(data):
    at, pairs = 0, []

    def field():
        nonlocal at
        if at + 4 > len(data):
            raise Refused("cut short")
        end = at + 4 + struct.unpack_from(">I", data, at)[0]
        if end > len(data):
            raise Refused("cut short")
        start, at = at + 4, end
        return data[start:end]

    while at < len(data):
        pairs.append((field(), field()))
    if any(a[0] >= b[0] for a, b in zip(pairs, pairs[1:])):
        raise Refused("order")
    return pairs


def checkpoints(topic):
    text = lambda value: value if isinstance(value, str) else value["repeat"] * value["times"]
    for case in topic["valid"]:
        name, size = case["name"], case["checkpoint"]["chunkSize"]
        pairs = [(pair["key"].encode(), text(pair["value"]).encode()) for pair in case["pairs"]]
        data = encode_pairs(pairs)
        if "bytesHex" in case:
            expect(data.hex(), case["bytesHex"], name)
        expect(decode_pairs(data), pairs, name)
        chunks = [sha256(data[at : at + size]) for at in range(0, len(data), size)]
        body = topic["source"] | {
            "schema": "NET-STATE-CHECKPOINT/1",
            "encoding": "net-kv-v1",
            "byteLength": len(data),
            "chunkSize": 262144,
            "chunkCount": len(chunks),
            "chunkHashes": [chunk.hex() for chunk in chunks],
            "chunksRoot": list_root(chunks).hex(),
        }
        expect(body | {"checkpointHash": hash_value(body)}, case["checkpoint"], name)
    for case in topic["invalid"]:
        expect(refused(decode_pairs, bytes.fromhex(case["bytesHex"])), True, case["name"])
    chunk = topic["chunk"]
    data = base64.b64decode(chunk["data"])
    owner = next(c for c in topic["valid"] if c["checkpoint"]["checkpointHash"] == chunk["checkpointHash"])
    expect(sha256(data).hex(), chunk["hash"], "chunk")
    expect(owner["checkpoint"]["chunkHashes"][chunk["index"]], chunk["hash"], "chunk")
