"""Finality certificates and validator sets."""

from netsdk.protocol.certificates import CertificateError, quorum_of, verify_certificate, vote_bytes

from .report import expect, refused


def certificates(topic):
    validator_set = topic["validatorSet"]
    trusted = validator_set["validatorSetHash"]
    first = topic["valid"][0]["certificate"]
    for case in topic["quorums"]:
        expect(quorum_of(case["total"]), case["quorum"], case["total"])
    expect(vote_bytes(first, "ada").decode(), topic["voteText"], "voteText")
    for case in topic["valid"]:
        expect(verify_certificate(case["certificate"], validator_set, trusted), "trusted", case["name"])
        expect(verify_certificate(case["certificate"], validator_set), "self-consistent", case["name"])
    for case in topic["invalid"]:
        certificate, changed = first | case.get("change", {}), validator_set | case.get("setChange", {})
        against = (certificate, changed, case.get("trustedSetHash", trusted))
        expect(refused(CertificateError, verify_certificate, *against), True, case["name"])
