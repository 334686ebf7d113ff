"""The state tree and its proofs."""

from .canonical_json import sha256
from .merkle import inner_hash, is_hash, leaf_hash
from .report import expect


def bits(key_hash):
    return f"{int.from_bytes(key_hash, 'big'):0256b}"


def tree_root(leaves, depth=0):
    if not leaves:
        return bytes(32)
    if len(leaves) == 1:
        return leaf_hash(leaves[0][0] + leaves[0][1])
    sides = [[leaf for leaf in leaves if bits(leaf[0])[depth] == bit] for bit in "01"]
    return inner_hash(*(tree_root(side, depth + 1) for side in sides))


def state_root(pairs):
    return tree_root([(sha256(key.encode()), sha256(value.encode())) for key, value in pairs]).hex()


def state_proof(case, root):
    """True for presence, False for absence, None where nothing is proved."""
    key_hash, leaf, siblings, value = sha256(case["key"].encode()), case["leaf"], case["siblings"], case["value"]
    hashes = [root, *siblings, *(text for name, text in leaf.items() if name != "kind")]
    if len(siblings) > 256 or not all(map(is_hash, hashes)) or (leaf["kind"] == "present") != (value is not None):
        return None
    path = bits(key_hash)[: len(siblings)]
    if leaf["kind"] == "present":
        node = leaf_hash(key_hash + sha256(value.encode()))
    elif leaf["kind"] == "other":
        other = bytes.fromhex(leaf["keyHash"])
        if other == key_hash or bits(other)[: len(siblings)] != path:
            return None
        node = leaf_hash(other + bytes.fromhex(leaf["valueHash"]))
    else:
        node = bytes(32)
    for bit, text in zip(reversed(path), siblings):
        sibling = bytes.fromhex(text)
        node = inner_hash(node, sibling) if bit == "0" else inner_hash(sibling, node)
    return None if node.hex() != root else leaf["kind"] == "present"


def state_proofs(topic):
    for case in topic["roots"]:
        expect(state_root(case["pairs"]), case["root"], case["name"])
        expect(state_root(case["pairs"][::-1]), case["root"], case["name"])
    for case in topic["valid"]:
        expect(state_proof(case, topic["root"]), case["leaf"]["kind"] == "present", case["name"])
    for case in topic["invalid"]:
        expect(state_proof(case, topic["root"]), None, case["name"])
    for case in topic["inEmptyTree"]:
        expect(state_proof(case, "00" * 32), False, case["name"])
