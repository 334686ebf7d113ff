"""Merkle lists (RFC 6962)."""

from netsdk.protocol.merkle import list_root, verify_merkle_proof

from .report import expect


def merkle(topic):
    leaves = [bytes.fromhex(leaf) for leaf in topic["leaves"]]
    for size, root in enumerate(topic["roots"]):
        expect(list_root(leaves[:size]).hex(), root, size)
    for case in topic["valid"]:
        expect(verify_merkle_proof(case["leaf"], case["proof"], case["root"]), True, case["proof"])
    for case in topic["invalid"]:
        expect(verify_merkle_proof(case["leaf"], case["proof"], case["root"]), False, case["name"])
