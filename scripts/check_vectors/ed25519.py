"""Ed25519, written out from RFC 8032 section 5.1 with the strict rules of the protocol: slow, not constant-time."""

import base64
import hashlib
import re

from .report import expect

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
IDENTITY = (0, 1, 1, 0)


def add(a, b):
    u, v = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    c, d = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = v - u, d - c, d + c, v + u
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, point):
    result = IDENTITY
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def encode(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data):
    """The point, or NOT_CANONICAL, or NOT_ON_CURVE."""
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
BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def small_order(point):
    return encode(multiply(8, point)) == encode(IDENTITY)


def key_fault(raw):
    point = decode(raw)
    if isinstance(point, str):
        return point
    if small_order(point):
        return "SMALL_ORDER"
    return None if encode(multiply(L, point)) == encode(IDENTITY) else "NOT_TORSION_FREE"


def verify(raw, message, signature):
    if key_fault(raw) is not None or len(signature) != 64:
        return False
    r, s = decode(signature[:32]), int.from_bytes(signature[32:], "little")
    if isinstance(r, str):
        return False
    if small_order(r) or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + raw + message).digest(), "little") % L
    return encode(multiply(s, BASE)) == encode(add(r, multiply(k, decode(raw))))
PEM = re.compile(r"-----BEGIN PUBLIC KEY-----\r?\n([A-Za-z0-9+/=]{60})\r?\n-----END PUBLIC KEY-----(\r?\n)?")


def canonical_base64(text, length):
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode() == text and len(data) == length else None


def raw_key(pem):
    match = PEM.fullmatch(pem)
    der = canonical_base64(match[1], 44) if match else None
    return der[12:] if der and der[:12].hex() == "302a300506032b6570032100" else None


def pem_fault(pem):
    raw = raw_key(pem)
    return "NOT_SPKI_PEM" if raw is None else key_fault(raw)


def public_keys(topic):
    for case in topic["valid"]:
        expect(pem_fault(case["pem"]), None, case["name"])
        expect(raw_key(case["pem"]).hex(), case["raw"], case["name"])
    for case in topic["invalid"]:
        expect(pem_fault(case["pem"]), case["fault"], case["name"])


def signatures(topic):
    for case in topic["verify"]:
        raw, message, signature = (bytes.fromhex(case[name]) for name in ("publicKey", "message", "signature"))
        expect(verify(raw, message, signature), case["valid"], case["name"])
        if case["valid"]:
            expect(library_verifies(raw, message, signature), True, case["name"], "cryptography")
    for case in topic["base64"]:
        expect(canonical_base64(case["text"], 64) is not None, case["valid"], case["name"])


def library_verifies(raw, message, signature):
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return True
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(signature, message)
    except InvalidSignature:
        return False
    return True
