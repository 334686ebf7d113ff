"""Finality certificates and validator sets."""

from .canonical_json import hash_value, jcs
from .ed25519 import canonical_base64, pem_fault, raw_key, verify
from .report import expect

STATEMENT = ("chainId", "epoch", "height", "blockHash", "stateRoot", "validatorSetHash")


def vote_bytes(certificate, validator_id):
    return jcs(
        {"schema": "NET-FINALITY-VOTE/1", "validatorId": validator_id} | {n: certificate[n] for n in STATEMENT}
    )


def certificate_holds(certificate, validator_set, trusted):
    validators = validator_set["validators"]
    by_id = {validator["validatorId"]: validator for validator in validators}
    powers = [validator["votingPower"] for validator in validators]
    body = {name: value for name, value in validator_set.items() if name != "validatorSetHash"}
    statement = {name: certificate[name] for name in STATEMENT}
    votes = certificate["votes"]
    ids = [vote["validatorId"] for vote in votes]
    rules = [
        lambda: certificate["schema"] == "NET-FINALITY-CERTIFICATE/1",
        lambda: certificate["scheme"] == "ed25519-statement-v1",
        lambda: list(by_id) == [v["validatorId"] for v in validators] == sorted(by_id),
        lambda: all(type(power) is int and power > 0 for power in powers) and sum(powers) <= 2**50,
        lambda: all(pem_fault(validator["consensusPublicKey"]) is None for validator in validators),
        lambda: body["schema"] == "NET-VALIDATOR-SET/1" and body["totalVotingPower"] == sum(powers),
        lambda: body["quorum"] == 2 * sum(powers) // 3 + 1,
        lambda: hash_value(body) == validator_set["validatorSetHash"] == certificate["validatorSetHash"] == trusted,
        lambda: (certificate["chainId"], certificate["epoch"]) == (body["chainId"], body["epoch"]),
        lambda: certificate["certificateHash"]
        == hash_value({"schema": certificate["schema"], "scheme": certificate["scheme"]} | statement),
        lambda: certificate["totalVotingPower"] == sum(powers),
        lambda: ids == sorted(set(ids)) and all(i in by_id for i in ids),
        lambda: all(vote["votingPower"] == by_id[vote["validatorId"]]["votingPower"] for vote in votes),
        lambda: certificate["votingPower"] == sum(vote["votingPower"] for vote in votes) >= body["quorum"],
        lambda: all(vote_holds(certificate, vote, by_id[vote["validatorId"]]) for vote in votes),
    ]
    return all(rule() for rule in rules)


def vote_holds(certificate, vote, validator):
    signature = canonical_base64(vote["signature"], 64)
    message = vote_bytes(certificate, vote["validatorId"])
    return signature is not None and verify(raw_key(validator["consensusPublicKey"]), message, signature)


def certificates(topic):
    validator_set = topic["validatorSet"]
    trusted = validator_set["validatorSetHash"]
    first = topic["valid"][0]["certificate"]
    for case in topic["quorums"]:
        expect(2 * case["total"] // 3 + 1, case["quorum"], case["total"])
    expect(vote_bytes(first, "ada").decode(), topic["voteText"], "voteText")
    for case in topic["valid"]:
        expect(certificate_holds(case["certificate"], validator_set, trusted), True, case["name"])
    for case in topic["invalid"]:
        certificate, changed = first | case.get("change", {}), validator_set | case.get("setChange", {})
        holds = certificate_holds(certificate, changed, case.get("trustedSetHash", trusted))
        expect(holds, False, case["name"])
