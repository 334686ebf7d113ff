"""Rules for every document in a blob."""

from netsdk.formats import FormatError

from .report import expect


def code_of(function, *arguments):
    """Returns the code of the refusal, or None."""
    try:
        function(*arguments)
    except FormatError as refusal:
        return refusal.code
    return None


def check_texts(topic, reader):
    for case in topic["valid"]:
        expect(code_of(reader, case["text"].encode(), case["hash"]), None, case["name"])
    for case in topic["invalid"]:
        expect(code_of(reader, case["text"].encode()), case["code"], case["name"])
