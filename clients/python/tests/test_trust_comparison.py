"""Trust reports of real nodes side by side, and of origins that lie: what the JavaScript client is tried with."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from netsdk import NetClient
from netsdk.protocol.hashes import hash_value
from netsdk.trust_comparison import TrustComparison
from tests.node import RunningFollowers, RunningNode
from tests.proxy import Proxy

pytestmark = pytest.mark.slow

NOWHERE = "http://127.0.0.1:1"
LIE = "ab" * 32
#: Blocks that a report names at most.
MOST_NAMED = 16
Report = dict[str, Any]


@pytest.fixture
def early(net: RunningNode, join: Callable[..., NetClient]) -> Report:
    """A report that is older than those that a later one names."""
    join()
    with NetClient(net.url) as client:
        report: Report = dict(client.agent_trust())
    while True:
        with NetClient(net.url) as client:
            if client.agent_trust()["height"] - report["height"] > MOST_NAMED:
                return report
        join()


def retold(report: Report) -> Report:
    """The report with a hash that fits it."""
    told = {name: value for name, value in report.items() if name != "reportHash"}
    return {**told, "reportHash": hash_value(told)}


def forked(report: Report) -> Report:
    told = deepcopy(report)
    told["snapshot"]["blockHash"] = told["comparison"]["recentBlocks"][0]["blockHash"] = LIE
    return retold(told)


def cut(report: Report, count: int) -> Report:
    """The report as it would have been so many blocks before, as far as it is compared."""
    told = deepcopy(report)
    blocks = told["comparison"]["recentBlocks"] = told["comparison"]["recentBlocks"][count:]
    told["height"] = blocks[0]["height"]
    told["snapshot"] |= {name: blocks[0][name] for name in ("height", "blockHash", "stateRoot")}
    return retold(told)


def beside(net: RunningNode, proxy: Proxy, edit: Callable[[Report], Any]) -> TrustComparison:
    proxy.tamper(lambda path, document: edit(document) if path == "/v1/agent-trust" else document)
    with NetClient(net.url) as client:
        return client.compare_trust_reports([proxy.url])


def test_histories_are_compared_at_any_height(net: RunningNode, proxy: Proxy, early: Report) -> None:
    told = beside(net, proxy, lambda _: early)
    assert (told.verdict, told.conflicts) == ("agree", [])
    # At the same height, within the blocks that a report names, and beyond them.
    for lie in (forked, lambda report: forked(cut(report, 5)), lambda _: forked(early)):
        told = beside(net, proxy, lie)
        assert (told.verdict, [each.kind for each in told.conflicts]) == ("conflict", ["HISTORY"]), told.origins
        evidence = dict(told.conflicts[0].evidence)
        assert evidence.keys() == {net.url, proxy.url}
        assert LIE in evidence[proxy.url]


def test_what_contradicts_itself_is_named_and_ends_nothing(net: RunningNode, proxy: Proxy, early: Report) -> None:
    def without_hash(report: Report) -> Report:
        # This is checked only once the block is compared with the newest block of another origin.
        del report["comparison"]["recentBlocks"][1]["blockHash"]
        return report

    def of_nothing(report: Report) -> Report:
        report["snapshot"] |= {"blockHash": None, "stateRoot": None}
        report["comparison"]["recentBlocks"] = []
        return report

    def in_words(report: Report) -> Report:
        report["height"] = report["snapshot"]["height"] = str(report["height"])
        return report

    lies: list[Callable[[Report], Report]] = [
        lambda report: report | {"comparison": report["comparison"] | {"recentBlocks": []}},
        lambda report: report | {"comparison": early["comparison"]},
        lambda report: report | {"comparison": 1},
        lambda report: report | {"comparison": {"recentBlocks": {"0": 1}}},
        lambda report: report | {"snapshot": []},
        lambda report: report | {"network": None},
        lambda report: report | {"height": 2**70},
        without_hash,
        of_nothing,
        in_words,
    ]
    for number, lie in enumerate(lies):

        def tell(report: Report, lie: Callable[[Report], Report] = lie) -> Report:
            changed = lie(report)
            try:
                return retold(changed)
            except ValueError:  # What has no canonical form has no hash either.
                return changed

        told = beside(net, proxy, tell)
        assert [(each.kind, each.evidence[0][0]) for each in told.conflicts] == [("SELF", proxy.url)], number


def test_what_is_no_report_or_no_block_leaves_it_open(net: RunningNode, proxy: Proxy, early: Report) -> None:
    for content in (b"<html>", b"{}", b"[]", b"null", b"[" * 100_000, b'"\xff"', b"1" * 5_000):
        proxy.instead["/v1/agent-trust"] = (200, content)
        told = beside(net, proxy, lambda report: report)
        assert told.verdict == "incomplete", content[:10]
        assert [each.status for each in told.origins] == ["answered", "unreachable"]
    proxy.instead.clear()
    # An honest origin with an older report, and an origin without the block at that height.
    old = Proxy(net.url)
    try:
        old.instead["/v1/agent-trust"] = (200, json.dumps(early).encode())
        for document in ({}, {"header": 1}, {"header": {"height": early["height"], "chainId": "\ud800"}}):
            proxy.instead[f"/v1/blocks/{early['height']}"] = (200, json.dumps(document).encode())
            with NetClient(proxy.url) as client:
                told = client.compare_trust_reports([old.url])
            assert told.verdict == "incomplete", document
            assert [(each.origins, each.height) for each in told.uncompared] == [
                ((old.url, proxy.url), early["height"])
            ]
    finally:
        old.close()


@pytest.mark.campaign
def test_a_copy_agrees_with_its_writer_and_one_that_has_halted_names_the_fork(followers: RunningFollowers) -> None:
    with NetClient(followers.writer) as writer:
        told = writer.compare_trust_reports([followers.follower])
        assert (told.verdict, told.conflicts) == ("agree", [])
        told = writer.compare_trust_reports([followers.halted])
        assert told.verdict == "conflict"
        assert [(each.kind, each.height) for each in told.conflicts] == [("FORK", followers.height)]
        with NetClient(followers.twin) as twin:
            for client in (writer, twin):
                block = client.read("/v1/blocks/{height}", height=followers.height)
                assert block["certificate"]["blockHash"] in told.conflicts[0].evidence[0][1]
        told = writer.compare_trust_reports([followers.twin, NOWHERE])
        assert [each.kind for each in told.conflicts] == ["HISTORY"]
        assert [each.status for each in told.origins] == ["answered", "answered", "unreachable"]
