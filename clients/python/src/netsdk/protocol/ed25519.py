"""Ed25519 by one strict rule, because libraries disagree about crafted inputs.

The public key is a canonical, torsion-free point other than the identity. R is canonical and not of small order. S < L.
The cofactorless equation of RFC 8032 section 5.1.7 holds. ``cryptography`` checks it if installed, else slow Python
that is not constant-time, which verification does not need.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from typing import Literal

InvalidKeyReason = Literal["NOT_SPKI_PEM", "NOT_CANONICAL", "NOT_ON_CURVE", "SMALL_ORDER", "NOT_TORSION_FREE"]
_InvalidPointReason = Literal["NOT_CANONICAL", "NOT_ON_CURVE"]
_Point = tuple[int, int, int, int]

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
IDENTITY: _Point = (0, 1, 1, 0)

_PEM = re.compile(r"-----BEGIN PUBLIC KEY-----\r?\n([A-Za-z0-9+/=]{60})\r?\n-----END PUBLIC KEY-----(\r?\n)?")
#: The SPKI header of an Ed25519 key (RFC 8410): 12 bytes, then the 32 bytes of the point.
_SPKI_PREFIX = bytes.fromhex("302a300506032b6570032100")


def canonical_base64(text: str, length: int) -> bytes | None:
    """Decodes canonical, padded base64. Returns None if it is invalid, or has another length."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode() == text and len(data) == length else None


def raw_key(pem: str) -> bytes | None:
    """Returns the 32 bytes in an Ed25519 SPKI PEM, or None if it is invalid. The point is not checked."""
    match = _PEM.fullmatch(pem)
    der = canonical_base64(match[1], 44) if match else None
    return der[12:] if der is not None and der[:12] == _SPKI_PREFIX else None


def pem_of(raw: bytes) -> str:
    """Returns the SPKI PEM of 32 raw bytes, as OpenSSL writes it."""
    text = base64.b64encode(_SPKI_PREFIX + raw).decode()
    return f"-----BEGIN PUBLIC KEY-----\n{text}\n-----END PUBLIC KEY-----\n"


def validate_public_key(pem: str) -> InvalidKeyReason | None:
    """Returns the fault of a public key in PEM, or None."""
    raw = raw_key(pem)
    return "NOT_SPKI_PEM" if raw is None else validate_raw_key(raw)


@lru_cache(maxsize=1024)
def validate_raw_key(raw: bytes) -> InvalidKeyReason | None:
    """Returns the fault of a raw public key, or None. The result is cached, because the check takes milliseconds."""
    point = _decode(raw)
    if isinstance(point, str):
        return point
    if _is_small_order(point):
        return "SMALL_ORDER"
    return None if _encode(_multiply(L, point)) == _encode(IDENTITY) else "NOT_TORSION_FREE"


def is_strict_signature(signature: bytes) -> bool:
    """Checks R and S. All libraries agree on the equation for signatures that pass."""
    if len(signature) != 64 or int.from_bytes(signature[32:], "little") >= L:
        return False
    point = _decode(signature[:32])
    return not isinstance(point, str) and not _is_small_order(point)


def verify(raw: bytes, message: bytes, signature: bytes) -> bool:
    """Verifies a signature by the strict rule.

    :param raw: the 32 bytes of the public key
    """
    if len(raw) != 32 or validate_raw_key(raw) is not None or not is_strict_signature(signature):
        return False
    return _verify_equation(raw, message, signature)


def verify_equation_in_python(raw: bytes, message: bytes, signature: bytes) -> bool:
    """Checks only the cofactorless equation of RFC 8032 section 5.1.7."""
    key, point = _decode(raw), _decode(signature[:32])
    if isinstance(key, str) or isinstance(point, str):
        return False
    digest = hashlib.sha512(signature[:32] + raw + message).digest()
    scalar = int.from_bytes(digest, "little") % L
    right = _add(point, _multiply(scalar, key))
    return _encode(_multiply(int.from_bytes(signature[32:], "little"), _BASE)) == _encode(right)


def verify_zip215(raw: bytes, message: bytes, signature: bytes) -> bool:
    """Verifies by CometBFT's rule (ZIP-215): the cofactored equation, lenient encodings, S < L.

    The cofactorless equation is tried first, because it is fast and implies the other.
    """
    if len(raw) != 32 or len(signature) != 64:
        return False
    scalar = int.from_bytes(signature[32:], "little")
    if scalar >= L:
        return False
    key, point = _decode_lenient(raw), _decode_lenient(signature[:32])
    if key is None or point is None:
        return False
    if _verify_equation(raw, message, signature):
        return True
    digest = hashlib.sha512(signature[:32] + raw + message).digest()
    right = _add(point, _multiply(int.from_bytes(digest, "little") % L, key))
    left = _multiply(scalar, _BASE)
    return _encode(_multiply(8, left)) == _encode(_multiply(8, right))


def _add(a: _Point, b: _Point) -> _Point:
    u, v = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    c, d = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = v - u, d - c, d + c, v + u
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _multiply(scalar: int, point: _Point) -> _Point:
    result = IDENTITY
    while scalar:
        if scalar & 1:
            result = _add(result, point)
        point = _add(point, point)
        scalar >>= 1
    return result


def _encode(point: _Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decode(data: bytes) -> _Point | _InvalidPointReason:
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return "NOT_CANONICAL"
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return "NOT_CANONICAL" if sign else (0, y, 1, 0)
    x = pow(x2, (P + 3) // 8, P)
    if x * x % P != x2:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != x2:
        return "NOT_ON_CURVE"
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def _decode_lenient(data: bytes) -> _Point | None:
    """Decodes as in ZIP-215: y may exceed the prime, and x = 0 may have either sign."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, (number & (2**255 - 1)) % P
    point = _decode(y.to_bytes(32, "little"))
    if isinstance(point, str):
        return None
    x = point[0]
    if x != 0 and x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def _base_point() -> _Point:
    point = _decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    assert not isinstance(point, str)
    return point


_BASE = _base_point()


def _is_small_order(point: _Point) -> bool:
    return _encode(_multiply(8, point)) == _encode(IDENTITY)


try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:
    _verify_equation = verify_equation_in_python
else:

    def _verify_equation(raw: bytes, message: bytes, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(raw).verify(signature, message)
        except InvalidSignature:
            return False
        return True
