"""Absolute URIs without credentials, and https URIs."""

import re

from .report import expect


def uris(topic):
    uri, https = re.compile(topic["uriPattern"]), re.compile(topic["httpsPattern"])
    for case in topic["texts"]:
        text = case["text"]
        expect(len(text) <= 2048 and uri.fullmatch(text) is not None, case["uri"], text)
        expect(len(text) <= 512 and https.fullmatch(text) is not None, case["https"], text)
