"""The state tree and its proofs: a binary Jellyfish Merkle tree over SHA-256 of the key, highest bits first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .hashes import is_hash, sha256
from .merkle import inner_hash, leaf_hash

EMPTY_ROOT = "00" * 32


class ProofError(Exception):
    """A proof is invalid."""


def _bits(key_hash: bytes) -> str:
    return f"{int.from_bytes(key_hash, 'big'):0256b}"


def tree_root(leaves: Sequence[tuple[bytes, bytes]], depth: int = 0) -> bytes:
    """Returns the root over pairs of key hash and value hash, in any order."""
    if not leaves:
        return bytes(32)
    if len(leaves) == 1:
        return leaf_hash(leaves[0][0] + leaves[0][1])
    at, bit = depth // 8, 0x80 >> depth % 8
    left = [leaf for leaf in leaves if not leaf[0][at] & bit]
    right = [leaf for leaf in leaves if leaf[0][at] & bit]
    return inner_hash(tree_root(left, depth + 1), tree_root(right, depth + 1))


def state_root(pairs: Iterable[tuple[str, str]]) -> str:
    """Returns the root of a whole state, given as keys with values in canonical JSON."""
    return tree_root([(sha256(key.encode()), sha256(value.encode())) for key, value in pairs]).hex()


def verify_state_proof(key: str, value_text: str | None, proof: Mapping[str, Any], root: str) -> bool:
    """Verifies a proof. Returns True if the key has this value, and False if the key is absent.

    :param value_text: the value as canonical JSON, None to prove absence
    :param proof: ``leaf`` and ``siblings``, from leaf to root in hex
    :raises ProofError: if it proves neither
    """
    leaf, siblings = proof["leaf"], proof["siblings"]
    if len(siblings) > 256:
        raise ProofError("there are more siblings than bits")
    if not all(map(is_hash, [root, *siblings])):
        raise ProofError("a hash is not 64 lowercase hex digits")
    key_hash = sha256(key.encode("utf-8", "surrogatepass"))
    path = _bits(key_hash)[: len(siblings)]
    if leaf["kind"] == "present":
        if value_text is None:
            raise ProofError("presence is claimed without a value")
        node = leaf_hash(key_hash + sha256(value_text.encode("utf-8")))
    else:
        if value_text is not None:
            raise ProofError("absence is claimed with a value")
        node = _absent(leaf, key_hash, path)
    for bit, text in zip(reversed(path), siblings, strict=True):
        sibling = bytes.fromhex(text)
        node = inner_hash(node, sibling) if bit == "0" else inner_hash(sibling, node)
    if node.hex() != root:
        raise ProofError("the path does not lead to the root")
    return bool(leaf["kind"] == "present")


def _absent(leaf: Mapping[str, Any], key_hash: bytes, path: str) -> bytes:
    if leaf["kind"] == "empty":
        return bytes(32)
    if leaf["kind"] != "other":
        raise ProofError("the leaf is of no known kind")
    if not is_hash(leaf["keyHash"]) or not is_hash(leaf["valueHash"]):
        raise ProofError("a hash is not 64 lowercase hex digits")
    other = bytes.fromhex(leaf["keyHash"])
    if other == key_hash:
        raise ProofError("the other leaf is the key itself")
    if _bits(other)[: len(path)] != path:
        raise ProofError("the other leaf does not share the path")
    return leaf_hash(other + bytes.fromhex(leaf["valueHash"]))
