"""Merkle lists (RFC 6962) over 32-byte hashes: transitions, events, chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .canonical_json import MAX_SAFE_INTEGER
from .hashes import is_hash, sha256


def leaf_hash(leaf: bytes) -> bytes:
    """The node of a leaf."""
    return sha256(b"\0" + leaf)


def inner_hash(left: bytes, right: bytes) -> bytes:
    """The node above two others."""
    return sha256(b"\1" + left + right)


def list_root(leaves: Sequence[bytes]) -> bytes:
    """The root over leaves of 32 bytes; of none, the SHA-256 of nothing."""
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return inner_hash(list_root(leaves[:split]), list_root(leaves[split:]))


def merkle_root(hashes: Sequence[str]) -> str:
    """The same for hashes in hex.

    :raises ValueError: where one is not hex
    """
    return list_root([bytes.fromhex(text) for text in hashes]).hex()


def verify_merkle_proof(leaf: str, proof: Mapping[str, Any], root: str) -> bool:
    """Whether the hash stands at ``proof["index"]`` of the list of ``proof["treeSize"]`` with this root.

    Rebuilds the root from the top, where RFC 9162's algorithm goes up from the leaf.
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
