"""Merkle lists (RFC 6962)."""

import re

from .canonical_json import sha256
from .report import expect, Refused


def leaf_hash(leaf):
    return sha256(b"\0" + leaf)


def inner_hash(left, right):
    return sha256(b"\1" + left + right)


def list_root(leaves):
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return inner_hash(list_root(leaves[:k]), list_root(leaves[k:]))


def is_hash(text):
    return isinstance(text, str) and re.fullmatch(r"[a-f0-9]{64}", text) is not None


def in_list(leaf, proof, root):
    """Rebuilds the root from the top, where RFC 9162's algorithm goes up from the leaf."""
    index, size, path = proof["index"], proof["treeSize"], proof["path"]
    if not 0 <= index < size < 2**53 or not all(map(is_hash, [leaf, root, *path])):
        return False

    def node(index, size, path):
        if size == 1:
            if path:
                raise Refused("path too long")
            return leaf_hash(bytes.fromhex(leaf))
        if not path:
            raise Refused("path too short")
        k = 1 << (size - 1).bit_length() - 1
        sibling = bytes.fromhex(path[-1])
        if index < k:
            return inner_hash(node(index, k, path[:-1]), sibling)
        return inner_hash(sibling, node(index - k, size - k, path[:-1]))

    try:
        return node(index, size, path).hex() == root
    except Refused:
        return False


def merkle(topic):
    leaves = [bytes.fromhex(leaf) for leaf in topic["leaves"]]
    for size, root in enumerate(topic["roots"]):
        expect(list_root(leaves[:size]).hex(), root, size)
    for case in topic["valid"]:
        expect(in_list(case["leaf"], case["proof"], case["root"]), True, case["proof"])
    for case in topic["invalid"]:
        expect(in_list(case["leaf"], case["proof"], case["root"]), False, case["name"])
