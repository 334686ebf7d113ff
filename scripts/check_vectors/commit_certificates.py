"""Certificates of CometBFT, and blocks of a real chain of it."""

from netsdk.protocol.certificates import (
    CertificateError,
    make_validator_set,
    verify_certificate,
    verify_trust_step,
)
from netsdk.protocol.cometbft import (
    address_of,
    header_hash,
    is_precommitted,
    precommit_bytes,
    trust_step_fault,
    validators_hash,
)
from netsdk.protocol.ed25519 import raw_key, verify_zip215

from .report import expect, refused


def commit_certificates(topic):
    validator_set = topic["validatorSet"]
    trusted = validator_set["validatorSetHash"]
    first = topic["valid"][0]["certificate"]
    commit = first["commit"]
    expect(header_hash(commit["header"]), topic["headerHash"], "headerHash")
    expect(precommit_bytes(commit, first["votes"][1]["timestamp"]).hex(), topic["precommit"], "precommit")
    for case in topic["valid"]:
        expect(verify_certificate(case["certificate"], validator_set, trusted), "trusted", case["name"])
    for case in topic["invalid"]:
        against = (first | case.get("change", {}), validator_set, case.get("trustedSetHash", trusted))
        expect(refused(CertificateError, verify_certificate, *against), True, case["name"])
    steps = topic["trustSteps"]
    for case in steps["cases"]:
        pairs = (case.get("trusted", steps["trusted"]), case["later"])
        against = [(pair["certificate"], pair["validatorSet"]) for pair in pairs]
        holds = not refused(CertificateError, verify_trust_step, *against)
        expect(holds, case["holds"], "a step of trust", case["name"])
    for case in topic["zip215"]:
        key, message, signature = (bytes.fromhex(case[name]) for name in ("publicKey", "message", "signature"))
        expect(verify_zip215(key, message, signature), case["valid"], "ZIP-215", case["name"])


def cometbft_chain(topic):
    blocks = {block["header"]["height"]: block for block in topic["blocks"]}
    for height, block in blocks.items():
        validators = {each["validatorId"]: each for each in block["validators"]}
        expect(header_hash(block["header"]), block["headerHash"], height, "headerHash")
        expect(validators_hash(block["validators"]), block["header"]["validatorsHash"], height, "validatorsHash")
        for each in block["validators"]:
            expect(address_of(raw_key(each["consensusPublicKey"])), each["address"], height, "address")
        for holds, votes in ((True, block["votes"]), (False, block["nilVotes"])):
            for vote in votes:
                expect(is_precommitted(block, validators[vote["validatorId"]], vote), holds, height, "vote")
    for step in topic["steps"]:
        known, later = blocks[step["from"]], blocks[step["to"]]
        voters = {vote["validatorId"] for vote in later["votes"]}
        signers = [each for each in later["validators"] if each["validatorId"] in voters]
        known_set = make_validator_set(topic["chainId"], 1, known["validators"])
        fault = trust_step_fault((known["header"], known_set), (later["header"], signers))
        expect(fault is None, step["holds"], step["name"])
