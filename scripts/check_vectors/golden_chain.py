"""The golden chains: every hash, list, link, root and certificate, block by block, without knowing any rule."""

import json

from .canonical_json import hash_value, jcs, sha256
from .certificates import certificate_holds
from .merkle import list_root
from .report import expect
from .state_tree import tree_root

EMPTY_HASH = "0" * 64


def validator_set_of(genesis):
    validators = sorted(genesis["validators"], key=lambda validator: validator["validatorId"])
    total = sum(validator["votingPower"] for validator in validators)
    body = {
        "schema": "NET-VALIDATOR-SET/1",
        "chainId": genesis["chainId"],
        "epoch": genesis["epoch"],
        "validators": validators,
        "totalVotingPower": total,
        "quorum": 2 * total // 3 + 1,
    }
    return body | {"validatorSetHash": hash_value(body)}


def golden_chain(path):
    genesis_line, *lines = path.read_text("utf-8").splitlines()
    genesis = json.loads(genesis_line)["genesis"]
    validators = validator_set_of(genesis)
    leaves = {}
    previous, root = EMPTY_HASH, None
    for height, line in enumerate(lines):
        block = json.loads(line)
        header, certificate = block["header"], block["certificate"]
        where = f"{path.stem} height {height}"
        expect(jcs(block).decode(), line, where, "is canonical")
        expect(header["height"], height, where)
        expect(header["previousBlockHash"], previous, where, "previousBlockHash")
        hashes = [bytes.fromhex(hash_value(envelope)) for envelope in block["transitions"]]
        expect(list_root(hashes).hex(), header["transitionsRoot"], where, "transitionsRoot")
        expect(len(hashes), header["transitionCount"], where, "transitionCount")
        events = [bytes.fromhex(hash_value(event)) for event in block["events"]]
        expect(list_root(events).hex(), header["eventsRoot"], where, "eventsRoot")
        for key, value in block["changes"].items():
            leaf = sha256(key.encode())
            if value is None:
                leaves.pop(leaf, None)
            else:
                leaves[leaf] = bytes.fromhex(value)
        if block["changes"]:
            root = tree_root(sorted(leaves.items())).hex()
        expect(header["stateRoot"], root, where, "stateRoot")
        previous = hash_value(header)
        expect(certificate["blockHash"], previous, where, "blockHash")
        expect(certificate["stateRoot"], root, where, "certified stateRoot")
        # The certificates of a few blocks: plain Python takes its time for each.
        if height % 50 == 0 or height == len(lines) - 1:
            holds = certificate_holds(certificate, validators, validators["validatorSetHash"])
            expect(holds, True, where, "certificate")
