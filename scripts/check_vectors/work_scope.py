"""NET-WORK-SCOPE/1, its acceptance, and NET-CHAIN-REPLAY/1."""

from netsdk.formats import (
    JudgingMeans,
    chain_replay,
    judge,
    provable_acceptance,
    replay_digest,
    unjudgeable_conditions,
)
from netsdk.formats import work_scope as scope_format

from .documents import check_texts
from .report import expect


def work_scope(topic):
    replay = replay_digest(topic["replay"]["headers"])
    blob = chain_replay.make(replay)
    expect(blob.data.decode(), topic["replay"]["text"], "replay")
    expect(blob.hash, topic["replay"]["hash"], "replay")
    check_texts(topic, scope_format.read)
    for case in topic["valid"]:
        scope = scope_format.read(case["text"].encode())
        expect(provable_acceptance(scope).hash, case["acceptanceHash"], case["name"])
        for deliverable in case["deliverables"]:
            judgement = judge(scope, deliverable["text"].encode(), lambda first, last: replay)
            expect(judgement.verdict, deliverable["verdict"], case["name"], deliverable["text"])
    for case in topic["judgeable"]:
        means = JudgingMeans(case["height"], case["answersQuestions"])
        found = [condition._asdict() for condition in unjudgeable_conditions(case, means)]
        expect(found, case["unjudgeable"], case["name"])
