"""Envelopes and their faults."""

import re

from netsdk.protocol.canonical_json import canonical_bytes
from netsdk.protocol.envelopes import bytes_to_sign, signature_holds, transition_hash
from netsdk.protocol.strict_json import parse_strict

from .report import expect


def envelope_faults(kind, envelope):
    def string(longest, shortest=0, pattern=None):
        def fits(value):
            if not isinstance(value, str) or not shortest <= len(value) <= longest:
                return False
            return pattern is None or re.fullmatch(pattern, value) is not None

        return fits

    whole = lambda value: isinstance(value, int) and not isinstance(value, bool)
    actor = string(64, 2, r"[A-Za-z0-9][A-Za-z0-9._-]{1,63}")
    if kind == "intent":
        required = {
            "actorId": string(2048),
            "nonce": string(128, 1),
            "expiresAtHeight": whole,
            "action": string(2048),
            "payload": lambda value: isinstance(value, dict),
            "signature": string(2048),
        }
        optional = {"chainId": string(64), "genesisHash": string(64), "sessionId": string(128, 1, r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")}
    elif kind == "open":
        required = {
            "schema": lambda value: value == SCHEMAS[kind],
            "actorId": string(2048),
            "nonce": string(128, 1),
            "action": string(2048),
            "payload": lambda value: isinstance(value, dict),
        }
        optional = {}
    elif kind in ("application", "claim"):
        record = string(128, 1, r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")
        required = {
            "schema": lambda value: value == SCHEMAS[kind],
            "actorId": actor,
            "publicKey": string(256),
            "publicKeyHash": string(2048),
            "nonce": string(128, 1),
            "signature": string(2048),
        }
        optional = {"chainId": string(64)}
        if kind == "claim":
            required["invitationId"] = record
            optional["payoutActorId"] = actor
        else:
            required["applicationId"] = record
            required["role"] = lambda value: value in APPLICATION_ROLES
            required["capabilities"] = scope
            required["expiresAtHeight"] = whole
            optional["profile"] = lambda value: isinstance(value, dict)
    else:
        required = {
            "actorId": actor,
            "publicKey": string(256),
            "publicKeyHash": string(2048),
            "nonce": string(128, 1),
            "signature": string(2048),
        }
        optional = {"chainId": string(64), "genesisHash": string(64), "description": string(280), "referrerAgentId": string(2048)}
    known = {**required, **optional}
    if kind in ("intent", "registration", "open") and any(name not in known for name in envelope):
        return sorted(f"/{name}" for name in envelope if name not in known)
    faults = [f"/{name}" for name, fits in required.items() if name not in envelope or not fits(envelope[name])]
    faults += [f"/{name}" for name, fits in optional.items() if name in envelope and not fits(envelope[name])]
    if not faults and envelope_kind(envelope) != kind:
        faults = [""]
    return sorted(faults)


def scope(capabilities):
    def fits(capability):
        if not isinstance(capability, dict) or not set(capability) <= {"action", "maxAmount", "expiresAtHeight"}:
            return False
        action, amount, height = (capability.get(name, 1) for name in ("action", "maxAmount", "expiresAtHeight"))
        if not isinstance(action, str) or not 1 <= len(action) <= 64:
            return False
        return all(type(value) is int and value >= least for value, least in ((amount, 1), (height, 0)))

    return isinstance(capabilities, list) and 1 <= len(capabilities) <= 64 and all(map(fits, capabilities))
APPLICATION_ROLES = ("HUMAN", "AGENT", "VERIFIER", "VALIDATOR", "RUNTIME_PROVIDER", "AUDITOR", "GOVERNOR")

SCHEMAS = {
    "application": "NET-OPERATOR-APPLICATION/1",
    "claim": "NET-OPERATOR-INVITATION-CLAIM/1",
    "system": "NET-SYSTEM-TRANSITION/1",
    "open": "NET-OPEN-TRANSITION/1",
}


def envelope_kind(envelope):
    for kind, schema in SCHEMAS.items():
        if envelope.get("schema") == schema:
            return kind
    if "action" in envelope and "payload" in envelope:
        return "intent"
    return "registration" if "publicKeyHash" in envelope else None


def envelopes(topic):
    key = topic["publicKey"]
    for case in topic["valid"]:
        envelope, name = case["envelope"], case["name"]
        expect(envelope_faults(case["kind"], envelope), [], name)
        expect(bytes_to_sign(envelope).decode(), case["signedText"], name)
        expect(bytes_to_sign(envelope).hex(), case["signedHex"], name)
        expect(transition_hash(envelope), case["transitionHash"], name)
        expect(parse_strict(canonical_bytes(envelope)), envelope, name)
        if case["kind"] != "open":
            expect(signature_holds(envelope, key), True, name)
            expect(signature_holds(envelope | {"nonce": "another"}, key), False, name)
    for case in topic["invalid"]:
        expect(envelope_faults(case["kind"], case["envelope"]), case["paths"], case["name"])
