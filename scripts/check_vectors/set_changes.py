"""Changes of the set of validators."""

from netsdk.protocol.certificates import CertificateError
from netsdk.protocol.set_changes import ValidatorSets, set_change_fault

from .report import expect, refused


def set_changes(topic):
    genesis_set, certificate = topic["validatorSet"], topic["last"]["certificate"]
    sets = ValidatorSets(genesis_set)
    for change in topic["valid"]:
        where = f"height {change['fromHeight']}"
        expect(sets.is_of_unknown_set(certificate), True, where)
        expect(refused(CertificateError, sets.verify, certificate, True), True, where)
        sets.follow(change)
        sets.follow(change)
        expect(sets.from_height, change["fromHeight"], where)
    expect(sets.verify(certificate, True), "trusted", "the last block")
    for change in topic["valid"]:
        expect(sets.verify(change["certificate"], True), "trusted", "by the set of its height")
    first = topic["valid"][0]
    expect(set_change_fault(genesis_set, 0, first), None, "the first change")
    for case in topic["invalid"]:
        expect(set_change_fault(genesis_set, 0, first | case["change"]) is None, False, case["name"])
    height = first["header"]["height"]
    expect(set_change_fault(genesis_set, height, first), None, "a set known from the block's height")
    expect(set_change_fault(genesis_set, height + 1, first) is None, False, "a set known from a later height")
