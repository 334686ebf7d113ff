"""NET-CHAIN-REPLAY/1: the result of replaying a range of blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..protocol.canonical_json import JsonObject
from ..protocol.hashes import block_hash
from ..protocol.merkle import merkle_root
from .document import MAX_FACTS_BYTES, Format

chain_replay = Format("ChainReplay", max_bytes=MAX_FACTS_BYTES)


def replay_digest(headers: Sequence[Mapping[str, Any]]) -> JsonObject:
    """Returns the digest of replayed blocks. Every replay of the same range produces the same bytes.

    :param headers: headers of all heights of the range, in order, with the state roots that the replay computed
    :raises ValueError: if the headers are invalid, or not consecutive
    """
    if not headers:
        raise ValueError("a range has at least one block")
    first, last = headers[0], headers[-1]
    hashes = [block_hash(header) for header in headers]
    for before, header in zip(hashes, headers[1:], strict=False):
        if header["previousBlockHash"] != before:
            raise ValueError(f"block {header['height']} does not follow the one before")
    return {
        "schema": "NET-CHAIN-REPLAY/1",
        "chainId": first["chainId"],
        "from": first["height"],
        "to": last["height"],
        "blocksRoot": merkle_root(hashes),
        "transitionCount": sum(header["transitionCount"] for header in headers),
        "stateRoot": last["stateRoot"],
    }
