"""The state tree and its proofs."""

from netsdk.protocol.state_tree import ProofError, state_root, verify_state_proof

from .report import expect


def proof_verdict(case, root):
    """True for presence, False for absence, None if nothing is proved."""
    try:
        return verify_state_proof(case["key"], case["value"], case, root)
    except ProofError:
        return None


def state_proofs(topic):
    for case in topic["roots"]:
        expect(state_root(case["pairs"]), case["root"], case["name"])
        expect(state_root(case["pairs"][::-1]), case["root"], case["name"])
    for case in topic["valid"]:
        expect(proof_verdict(case, topic["root"]), case["leaf"]["kind"] == "present", case["name"])
    for case in topic["invalid"]:
        expect(proof_verdict(case, topic["root"]), None, case["name"])
    for case in topic["inEmptyTree"]:
        expect(proof_verdict(case, "00" * 32), False, case["name"])
