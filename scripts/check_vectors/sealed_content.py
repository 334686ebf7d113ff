"""Sealed content, opened by jwcrypto."""

import base64

from jwcrypto import jwe, jwk
from jwcrypto.common import JWException

from .canonical_json import canonicalize
from .documents import code_of, read
from .report import expect, Refused

ALGORITHMS = ["ECDH-ES+A256KW", "A256GCM"]


def open_sealed(content, key, context):
    """The plaintext, or Refused with the code. The content has the form of its schema."""
    aad = base64.urlsafe_b64encode(canonicalize(context).encode()).rstrip(b"=").decode()
    if content["aad"] != aad:
        raise Refused("SEALED_CONTEXT_MISMATCH")
    entries = [entry for entry in content["recipients"] if entry["header"]["kid"] == key["kid"]]
    if not entries:
        raise Refused("SEALED_NOT_FOR_KEY")
    opened = jwe.JWE(algs=ALGORITHMS)
    try:
        opened.deserialize(canonicalize(content | {"recipients": entries[:1]}))
        if "zip" in opened.jose_header:
            raise Refused("SEALED_UNREADABLE")
        opened.decrypt(jwk.JWK(**key))
    except (JWException, ValueError):
        raise Refused("SEALED_UNREADABLE")
    return opened.payload


def open_content(text, key, context):
    return open_sealed(read("SealedContent", text), key, context)


def sealed_content(topic):
    for case in topic["valid"]:
        for opener in case["opens"]:
            key = topic["keys"][opener]
            expect(open_content(case["content"], key, case["context"]), case["plaintext"].encode(), case["name"])
    for case in topic["invalid"]:
        key = topic["keys"][case["key"]]
        expect(code_of(open_content, case["content"], key, case["context"]), case["code"], case["name"])
