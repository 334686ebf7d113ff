"""Secrets that no envelope may hold."""

from netsdk.protocol.key_material import has_key_bytes, holds_private_key, is_key_name, is_secret_name, key_material_path

from .report import expect


def key_material(topic):
    for case in topic["names"]:
        expect(is_secret_name(case["name"]), case["secret"], case["name"])
    for case in topic["keyNames"]:
        expect(is_key_name(case["name"]), case["key"], case["name"])
    for case in topic["keyBytes"]:
        expect(has_key_bytes(case["text"]), case["key"], case["text"])
    for case in topic["texts"]:
        expect(holds_private_key(case["text"]), case["secret"], case["text"])
    for case in topic["values"]:
        expect(key_material_path(case["value"]), case["path"], case["name"])
