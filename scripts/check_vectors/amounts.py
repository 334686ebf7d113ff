"""How an amount that a person types is read."""

from netsdk.protocol.amount import parse_amount

from .report import expect


def amounts(topic):
    for case in topic["cases"]:
        for column, unit in (("NET", "NET"), ("unet", "unet"), ("none", None)):
            expect(parse_amount(case["text"], unit), case[column], f"{case['text']!r} {column}")
