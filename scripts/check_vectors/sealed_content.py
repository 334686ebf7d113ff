"""Sealed content, opened and sealed by joserfc."""

from netsdk.formats import open_content, public_encryption_key, seal_content

from .documents import code_of
from .report import expect


def sealed_content(topic):
    for case in topic["valid"]:
        for opener in case["opens"]:
            key = topic["keys"][opener]
            expect(open_content(case["content"].encode(), key, case["context"]), case["plaintext"].encode(), case["name"])
    for case in topic["invalid"]:
        key = topic["keys"][case["key"]]
        expect(code_of(open_content, case["content"].encode(), key, case["context"]), case["code"], case["name"])
    # And what this library seals, it opens: to one key and to several.
    keys = list(topic["keys"].values())
    context = topic["valid"][0]["context"]
    for recipients in (keys[:1], keys):
        sealed = seal_content(b"hello", [public_encryption_key(key) for key in recipients], context)
        for key in recipients:
            expect(open_content(sealed.data, key, context, sealed.hash), b"hello", "sealed here")
