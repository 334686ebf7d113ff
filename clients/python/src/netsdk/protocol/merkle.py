"""Merkle lists (RFC 6962) over 32-byte hashes: transitions, events, chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .canonical_json import MAX_SAFE_INTEGER
from .hashes import is_hash, sha256


def leaf_hash(leaf: bytes) -> bytes:
    """Returns the hash of a leaf."""
    return sha256(b"\0" + leaf)


def inner_hash(left: bytes, right: bytes) -> bytes:
    """Returns the hash of an inner node."""
    return sha256(b"\1" + left + right)


def list_root(leaves: Sequence[bytes]) -> bytes:
    """Returns the root over 32-byte leaves; the SHA-256 of nothing if there are none."""
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return inner_hash(list_root(leaves[:split]), list_root(leaves[split:]))


def merkle_root(hashes: Sequence[str]) -> str:
    """Returns the root over hashes in hex.

    :raises ValueError: if one is not hex
    """
    return list_root([bytes.fromhex(text) for text in hashes]).hex()


def verify_merkle_proof(leaf: str, proof: Mapping[str, Any], root: str) -> bool:
    """Returns True if the hash is at ``proof["index"]`` of the list of ``proof["treeSize"]`` with this root.

    Works top-down, unlike RFC 9162's algorithm.
    """
    index, size, path = proof["index"], proof["treeSize"], proof["path"]
    if type(index) is not int or type(size) is not int or not isinstance(path, list):
        return False
    if not 0 <= index < size <= MAX_SAFE_INTEGER or len(path) > 64:
        return False
    if not all(map(is_hash, [leaf, root, *path])):
        return False

    def node(index: int, size: int, path: list[str]) -> bytes | None:
        if size == 1:
            return None if path else leaf_hash(bytes.fromhex(leaf))
        if not path:
            return None
        split = 1 << (size - 1).bit_length() - 1
        sibling = bytes.fromhex(path[-1])
        if index < split:
            below = node(index, split, path[:-1])
            return None if below is None else inner_hash(below, sibling)
        below = node(index - split, size - split, path[:-1])
        return None if below is None else inner_hash(sibling, below)

    top = node(index, size, path)
    return top is not None and top.hex() == root
