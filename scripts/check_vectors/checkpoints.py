"""Checkpoints of the whole state and their chunks."""

from netsdk.protocol.checkpoints import (
    CheckpointError,
    chunk_bytes,
    decode_pairs,
    encode_pairs,
    make_checkpoint,
    require_checkpoint,
)
from netsdk.protocol.hashes import sha256

from .report import expect, refused


def checkpoints(topic):
    text = lambda value: value if isinstance(value, str) else value["repeat"] * value["times"]
    for case in topic["valid"]:
        name = case["name"]
        pairs = [(pair["key"].encode(), text(pair["value"]).encode()) for pair in case["pairs"]]
        data = encode_pairs(pairs)
        if "bytesHex" in case:
            expect(data.hex(), case["bytesHex"], name)
        expect(decode_pairs(data), pairs, name)
        checkpoint = make_checkpoint(topic["source"], data)
        expect(checkpoint, case["checkpoint"], name)
        expect(refused(CheckpointError, require_checkpoint, checkpoint), False, name)
    for case in topic["invalid"]:
        expect(refused(CheckpointError, decode_pairs, bytes.fromhex(case["bytesHex"])), True, case["name"])
    chunk = topic["chunk"]
    owner = next(c for c in topic["valid"] if c["checkpoint"]["checkpointHash"] == chunk["checkpointHash"])
    checkpoint, index = owner["checkpoint"], chunk["index"]
    expect(sha256(chunk_bytes(chunk, checkpoint, index)).hex(), chunk["hash"], "chunk")
    expect(refused(CheckpointError, chunk_bytes, chunk | {"data": "AAAA"}, checkpoint, index), True, "chunk")
