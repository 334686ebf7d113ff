"""Public keys and signatures: by the library if it is installed, and by the equation."""

from netsdk.protocol.ed25519 import (
    canonical_base64,
    is_strict_signature,
    validate_raw_key,
    validate_public_key,
    raw_key,
    verify,
    verify_equation_in_python,
)

from .report import expect


def public_keys(topic):
    for case in topic["valid"]:
        expect(validate_public_key(case["pem"]), None, case["name"])
        expect(raw_key(case["pem"]).hex(), case["raw"], case["name"])
    for case in topic["invalid"]:
        expect(validate_public_key(case["pem"]), case["reason"], case["name"])


def signatures(topic):
    for case in topic["verify"]:
        raw, message, signature = (bytes.fromhex(case[name]) for name in ("publicKey", "message", "signature"))
        expect(verify(raw, message, signature), case["valid"], case["name"])
        if validate_raw_key(raw) is None and is_strict_signature(signature):
            expect(verify_equation_in_python(raw, message, signature), case["valid"], case["name"], "in Python")
    for case in topic["base64"]:
        expect(canonical_base64(case["text"], 64) is not None, case["valid"], case["name"])
