"""Proof of work for names."""

from __future__ import annotations

import hashlib
import time

from .flow import Flow, sleep
from .protocol.canonical_json import JsonObject
from .protocol.envelopes import bytes_to_sign

#: Seconds of work before other tasks may run.
SLICE = 0.015
#: About half an hour of work. A node that asks for more is not believed.
MOST_NAME_BITS = 30


def worked_nonce(unsigned: JsonObject, bits: int) -> Flow[str]:
    """Returns a nonce with which the SHA-256 of the signed bytes begins with ``bits`` zero bits.

    :param unsigned: envelope with a fresh nonce, which becomes the start of the result
    """
    fresh = str(unsigned["nonce"])
    before, after = bytes_to_sign(unsigned).split(f'"{fresh}"'.encode(), 1)
    limit = 1 << (256 - bits)
    tried = 0
    slice_end = time.monotonic() + SLICE
    while True:
        nonce = f"{fresh}-{tried:x}"
        digest = hashlib.sha256(b"".join((before, b'"', nonce.encode(), b'"', after))).digest()
        if int.from_bytes(digest, "big") < limit:
            return nonce
        tried += 1
        if tried % 64 == 0 and time.monotonic() >= slice_end:
            yield from sleep(0)
            slice_end = time.monotonic() + SLICE
