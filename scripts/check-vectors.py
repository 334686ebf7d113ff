"""Runs vectors/ in plain Python 3.11: a second, independent reading of the protocol. Standard library only.

    python3 scripts/check-vectors.py [folder]

Ed25519 is written out from RFC 8032 with the strict rules of the protocol; it is a test tool, slow and not
constant-time. Where the `cryptography` package is installed, honest signatures are checked with it as well.
"""

import base64
import hashlib
import json
import re
import struct
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "vectors"
failures = []
count = 0


def expect(actual, expected, *where):
    global count
    count += 1
    if actual != expected or type(actual) is not type(expected):
        failures.append(f"{' / '.join(map(str, where))}: {actual!r} instead of {expected!r}")


class Refused(Exception):
    pass


def refused(function, *arguments):
    try:
        function(*arguments)
    except Refused:
        return True
    return False


# Canonical JSON (RFC 8785)


def canonicalize(value):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonicalize, value)) + "]"
    if any(lone_surrogate(name) for name in value):
        raise Refused("lone surrogate")
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(f"{quote(name)}:{canonicalize(value[name])}" for name in names) + "}"


def lone_surrogate(text):
    return any(0xD800 <= ord(char) <= 0xDFFF for char in text)


def quote(text):
    if lone_surrogate(text):
        raise Refused("lone surrogate")
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
    return '"' + "".join(short.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in text) + '"'


def number_text(value):
    """ECMAScript's Number::toString, from Python's equally shortest digits."""
    value = float(value)
    if value != value or value in (float("inf"), float("-inf")):
        raise Refused("no JSON number")
    if value == 0:
        return "0"
    if value < 0:
        return "-" + number_text(-value)
    mantissa, exponent = f"{value!r}e0".split("e")[:2]
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = int(exponent) + len(whole) - (len(whole + fraction) - len(digits))
    if whole != "0":
        point = int(exponent) + len(whole)
    digits = digits.rstrip("0")
    k = len(digits)
    if k <= point <= 21:
        return digits + "0" * (point - k)
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    tail = f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return digits[0] + ("." + digits[1:] if k > 1 else "") + tail


def jcs(value):
    return canonicalize(value).encode("utf-8")


def sha256(data):
    return hashlib.sha256(data).digest()


def hash_value(value):
    return sha256(jcs(value)).hex()


# Strict JSON


def parse_strict(data):
    if isinstance(data, bytes):
        try:
            data = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refused(error) from error

    def integer(token):
        if not re.fullmatch(r"0|-?[1-9][0-9]*", token) or len(token) > 20 or abs(int(token)) > 2**53 - 1:
            raise Refused(token)
        return int(token)

    def refuse(token):
        raise Refused(token)

    def members(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names) or "__proto__" in names:
            raise Refused("duplicate member or __proto__")
        return dict(pairs)

    def check(value, depth):
        if isinstance(value, str) and (lone_surrogate(value) or len(value) > 2048):
            raise Refused("string")
        if isinstance(value, (list, dict)):
            if depth == 32:
                raise Refused("depth")
            for item in value:
                check(item, depth + 1)
            if isinstance(value, dict):
                for item in value.values():
                    check(item, depth + 1)

    try:
        value = json.loads(
            data, parse_int=integer, parse_float=refuse, parse_constant=refuse, object_pairs_hook=members
        )
    except (ValueError, RecursionError) as error:
        raise Refused(error) from error
    check(value, 0)
    return value


# Ed25519 (RFC 8032 section 5.1), strict

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
IDENTITY = (0, 1, 1, 0)


def add(a, b):
    u, v = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    c, d = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = v - u, d - c, d + c, v + u
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, point):
    result = IDENTITY
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def encode(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data):
    """The point, or NOT_CANONICAL, or NOT_ON_CURVE."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return "NOT_CANONICAL"
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return "NOT_CANONICAL" if sign else (0, y, 1, 0)
    x = pow(x2, (P + 3) // 8, P)
    if x * x % P != x2:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != x2:
        return "NOT_ON_CURVE"
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def small_order(point):
    return encode(multiply(8, point)) == encode(IDENTITY)


def key_fault(raw):
    point = decode(raw)
    if isinstance(point, str):
        return point
    if small_order(point):
        return "SMALL_ORDER"
    return None if encode(multiply(L, point)) == encode(IDENTITY) else "NOT_TORSION_FREE"


def verify(raw, message, signature):
    if key_fault(raw) is not None or len(signature) != 64:
        return False
    r, s = decode(signature[:32]), int.from_bytes(signature[32:], "little")
    if isinstance(r, str):
        return False
    if small_order(r) or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + raw + message).digest(), "little") % L
    return encode(multiply(s, BASE)) == encode(add(r, multiply(k, decode(raw))))


PEM = re.compile(r"-----BEGIN PUBLIC KEY-----\r?\n([A-Za-z0-9+/=]{60})\r?\n-----END PUBLIC KEY-----(\r?\n)?")


def canonical_base64(text, length):
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode() == text and len(data) == length else None


def raw_key(pem):
    match = PEM.fullmatch(pem)
    der = canonical_base64(match[1], 44) if match else None
    return der[12:] if der and der[:12].hex() == "302a300506032b6570032100" else None


def pem_fault(pem):
    raw = raw_key(pem)
    return "NOT_SPKI_PEM" if raw is None else key_fault(raw)


# Merkle lists and the state tree


def leaf_hash(leaf):
    return sha256(b"\0" + leaf)


def inner_hash(left, right):
    return sha256(b"\1" + left + right)


def list_root(leaves):
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return inner_hash(list_root(leaves[:k]), list_root(leaves[k:]))


def is_hash(text):
    return isinstance(text, str) and re.fullmatch(r"[a-f0-9]{64}", text) is not None


def in_list(leaf, proof, root):
    """Rebuilds the root from the top, where RFC 9162's algorithm goes up from the leaf."""
    index, size, path = proof["index"], proof["treeSize"], proof["path"]
    if not 0 <= index < size < 2**53 or not all(map(is_hash, [leaf, root, *path])):
        return False

    def node(index, size, path):
        if size == 1:
            if path:
                raise Refused("path too long")
            return leaf_hash(bytes.fromhex(leaf))
        if not path:
            raise Refused("path too short")
        k = 1 << (size - 1).bit_length() - 1
        sibling = bytes.fromhex(path[-1])
        if index < k:
            return inner_hash(node(index, k, path[:-1]), sibling)
        return inner_hash(sibling, node(index - k, size - k, path[:-1]))

    try:
        return node(index, size, path).hex() == root
    except Refused:
        return False


def bits(key_hash):
    return f"{int.from_bytes(key_hash, 'big'):0256b}"


def tree_root(leaves, depth=0):
    if not leaves:
        return bytes(32)
    if len(leaves) == 1:
        return leaf_hash(leaves[0][0] + leaves[0][1])
    sides = [[leaf for leaf in leaves if bits(leaf[0])[depth] == bit] for bit in "01"]
    return inner_hash(*(tree_root(side, depth + 1) for side in sides))


def state_root(pairs):
    return tree_root([(sha256(key.encode()), sha256(value.encode())) for key, value in pairs]).hex()


def state_proof(case, root):
    """True for presence, False for absence, None where nothing is proved."""
    key_hash, leaf, siblings, value = sha256(case["key"].encode()), case["leaf"], case["siblings"], case["value"]
    hashes = [root, *siblings, *(text for name, text in leaf.items() if name != "kind")]
    if len(siblings) > 256 or not all(map(is_hash, hashes)) or (leaf["kind"] == "present") != (value is not None):
        return None
    path = bits(key_hash)[: len(siblings)]
    if leaf["kind"] == "present":
        node = leaf_hash(key_hash + sha256(value.encode()))
    elif leaf["kind"] == "other":
        other = bytes.fromhex(leaf["keyHash"])
        if other == key_hash or bits(other)[: len(siblings)] != path:
            return None
        node = leaf_hash(other + bytes.fromhex(leaf["valueHash"]))
    else:
        node = bytes(32)
    for bit, text in zip(reversed(path), siblings):
        sibling = bytes.fromhex(text)
        node = inner_hash(node, sibling) if bit == "0" else inner_hash(sibling, node)
    return None if node.hex() != root else leaf["kind"] == "present"


# Envelopes, certificates, checkpoints


def signed_bytes(envelope):
    return jcs({name: value for name, value in envelope.items() if name != "signature"})


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
        optional = {"chainId": string(64)}
    elif kind == "open":
        required = {
            "schema": lambda value: value == SCHEMAS[kind],
            "actorId": string(2048),
            "nonce": string(128, 1),
            "action": string(2048),
            "payload": lambda value: isinstance(value, dict),
        }
        optional = {}
        others = [name for name in envelope if name not in required]
        if others:
            return sorted(f"/{name}" for name in others)
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
        optional = {"chainId": string(64), "description": string(280), "referrerAgentId": string(2048)}
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


def encode_pairs(pairs):
    field = lambda data: struct.pack(">I", len(data)) + data
    return b"".join(field(key) + field(value) for key, value in sorted(pairs))


def decode_pairs(data):
    at, pairs = 0, []

    def field():
        nonlocal at
        if at + 4 > len(data):
            raise Refused("cut short")
        end = at + 4 + struct.unpack_from(">I", data, at)[0]
        if end > len(data):
            raise Refused("cut short")
        start, at = at + 4, end
        return data[start:end]

    while at < len(data):
        pairs.append((field(), field()))
    if any(a[0] >= b[0] for a, b in zip(pairs, pairs[1:])):
        raise Refused("order")
    return pairs


# The topics


def canonical_json(topic):
    for case in topic["valid"]:
        expect(canonicalize(json.loads(case["input"])), case["canonical"], case["name"])
    for case in topic["numbers"]:
        value = struct.unpack(">d", bytes.fromhex(case["bits"]))[0]
        if case["text"] is None:
            expect(refused(canonicalize, value), True, case["bits"])
        else:
            expect(canonicalize(value), case["text"], case["bits"])
    for case in topic["invalid"]:
        expect(refused(canonicalize, json.loads(case["input"])), True, case["name"])


def strict_json(topic):
    for case in topic["valid"]:
        expect(canonicalize(parse_strict(case["input"])), case["canonical"], case["name"])
        expect(canonicalize(parse_strict(case["input"].encode())), case["canonical"], case["name"])
    for case in topic["invalid"]:
        data = case["input"] if "input" in case else bytes.fromhex(case["inputHex"])
        expect(refused(parse_strict, data), True, case["name"])
    for case in topic["repeated"]:
        data = case["before"] + case["unit"] * case["count"] + case["after"]
        expect(refused(parse_strict, data), not case["valid"], case["name"])


def hashes(topic):
    for case in topic["values"]:
        expect(hash_value(case["value"]), case["hash"], case["value"])
    for case in topic["fingerprints"]:
        rest = {name: value for name, value in case["document"].items() if name != case["member"]}
        expect(hash_value(rest), case["hash"], case["member"])
    for case in topic["publicKeyHashes"]:
        expect(hash_value(case["pem"]), case["publicKeyHash"], repr(case["pem"]))
    for case in topic["nonceHashes"]:
        expect(hash_value({"actorId": case["actorId"], "nonce": case["nonce"]}), case["hash"], case["nonce"])
    for case in topic["eventHashes"]:
        event = {name: case[name] for name in ("type", "transitionIndex", "data")}
        expect(hash_value(event), case["hash"], case["type"])


def public_keys(topic):
    for case in topic["valid"]:
        expect(pem_fault(case["pem"]), None, case["name"])
        expect(raw_key(case["pem"]).hex(), case["raw"], case["name"])
    for case in topic["invalid"]:
        expect(pem_fault(case["pem"]), case["fault"], case["name"])


def signatures(topic):
    for case in topic["verify"]:
        raw, message, signature = (bytes.fromhex(case[name]) for name in ("publicKey", "message", "signature"))
        expect(verify(raw, message, signature), case["valid"], case["name"])
        if case["valid"]:
            expect(library_verifies(raw, message, signature), True, case["name"], "cryptography")
    for case in topic["base64"]:
        expect(canonical_base64(case["text"], 64) is not None, case["valid"], case["name"])


def library_verifies(raw, message, signature):
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return True
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def envelopes(topic):
    raw = raw_key(topic["publicKey"])
    for case in topic["valid"]:
        envelope, name = case["envelope"], case["name"]
        expect(envelope_faults(case["kind"], envelope), [], name)
        expect(signed_bytes(envelope).decode(), case["signedText"], name)
        expect(signed_bytes(envelope).hex(), case["signedHex"], name)
        expect(hash_value(envelope), case["transitionHash"], name)
        expect(parse_strict(jcs(envelope)), envelope, name)
        if case["kind"] != "open":
            expect(verify(raw, signed_bytes(envelope), canonical_base64(envelope["signature"], 64)), True, name)
    for case in topic["invalid"]:
        expect(envelope_faults(case["kind"], case["envelope"]), case["paths"], case["name"])


def merkle(topic):
    leaves = [bytes.fromhex(leaf) for leaf in topic["leaves"]]
    for size, root in enumerate(topic["roots"]):
        expect(list_root(leaves[:size]).hex(), root, size)
    for case in topic["valid"]:
        expect(in_list(case["leaf"], case["proof"], case["root"]), True, case["proof"])
    for case in topic["invalid"]:
        expect(in_list(case["leaf"], case["proof"], case["root"]), False, case["name"])


def state_proofs(topic):
    for case in topic["roots"]:
        expect(state_root(case["pairs"]), case["root"], case["name"])
        expect(state_root(case["pairs"][::-1]), case["root"], case["name"])
    for case in topic["valid"]:
        expect(state_proof(case, topic["root"]), case["leaf"]["kind"] == "present", case["name"])
    for case in topic["invalid"]:
        expect(state_proof(case, topic["root"]), None, case["name"])
    for case in topic["inEmptyTree"]:
        expect(state_proof(case, "00" * 32), False, case["name"])


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


def checkpoints(topic):
    text = lambda value: value if isinstance(value, str) else value["repeat"] * value["times"]
    for case in topic["valid"]:
        name, size = case["name"], case["checkpoint"]["chunkSize"]
        pairs = [(pair["key"].encode(), text(pair["value"]).encode()) for pair in case["pairs"]]
        data = encode_pairs(pairs)
        if "bytesHex" in case:
            expect(data.hex(), case["bytesHex"], name)
        expect(decode_pairs(data), pairs, name)
        chunks = [sha256(data[at : at + size]) for at in range(0, len(data), size)]
        body = topic["source"] | {
            "schema": "NET-STATE-CHECKPOINT/1",
            "encoding": "net-kv-v1",
            "byteLength": len(data),
            "chunkSize": 262144,
            "chunkCount": len(chunks),
            "chunkHashes": [chunk.hex() for chunk in chunks],
            "chunksRoot": list_root(chunks).hex(),
        }
        expect(body | {"checkpointHash": hash_value(body)}, case["checkpoint"], name)
    for case in topic["invalid"]:
        expect(refused(decode_pairs, bytes.fromhex(case["bytesHex"])), True, case["name"])
    chunk = topic["chunk"]
    data = base64.b64decode(chunk["data"])
    owner = next(c for c in topic["valid"] if c["checkpoint"]["checkpointHash"] == chunk["checkpointHash"])
    expect(sha256(data).hex(), chunk["hash"], "chunk")
    expect(owner["checkpoint"]["chunkHashes"][chunk["index"]], chunk["hash"], "chunk")


TOPICS = {
    "canonical-json": canonical_json,
    "strict-json": strict_json,
    "hashes": hashes,
    "public-keys": public_keys,
    "signatures": signatures,
    "envelopes": envelopes,
    "merkle": merkle,
    "state-proofs": state_proofs,
    "certificates": certificates,
    "checkpoints": checkpoints,
}

for topic_name, run in TOPICS.items():
    before = len(failures)
    run(json.loads((FOLDER / f"{topic_name}.json").read_text("utf-8")))
    failures[before:] = [f"{topic_name}: {failure}" for failure in failures[before:]]

for failure in failures:
    print(failure, file=sys.stderr)
print(f"{count - len(failures)} of {count} checks of {len(TOPICS)} topics passed")
sys.exit(1 if failures else 0)
