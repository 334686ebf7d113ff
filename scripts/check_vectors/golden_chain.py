"""The golden chains: every hash, list, link, root and certificate, block by block, without knowing any rule."""

import json
from datetime import datetime, timedelta

from netsdk.protocol.canonical_json import canonicalize
from netsdk.protocol.certificates import CertificateError, make_validator_set, verify_certificate
from netsdk.protocol.hashes import hash_value, sha256
from netsdk.protocol.merkle import list_root
from netsdk.protocol.state_tree import tree_root

from .report import expect

EMPTY_HASH = "0" * 64
EMPTY_LIST = list_root([]).hex()


def quiet_header(before, milliseconds):
    """The header of an empty block: nothing but height, time and the link is new in it."""
    time = datetime.fromisoformat(before["timestamp"].replace("Z", "+00:00")) + timedelta(milliseconds=milliseconds)
    return {
        **before,
        "height": before["height"] + 1,
        "timestamp": time.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "previousBlockHash": hash_value(before),
        "transitionsRoot": EMPTY_LIST,
        "eventsRoot": EMPTY_LIST,
        "transitionCount": 0,
    }


def golden_chain(path):
    genesis_line, *lines = path.read_text("utf-8").splitlines()
    genesis = json.loads(genesis_line)["genesis"]
    expect(canonicalize({"genesis": genesis}), genesis_line, f"{path.stem} genesis", "is canonical")
    # Block 0 binds every byte of the document: the record of the chain's identity holds its hash.
    identity = {name: genesis[name] for name in ("chainId", "epoch", "genesisTime", "open")}
    identity_leaf = hash_value(identity | {"genesisHash": hash_value(genesis)})
    validators = make_validator_set(genesis["chainId"], genesis["epoch"], genesis["validators"])
    set_number = 0
    leaves = {}
    previous, root = EMPTY_HASH, None
    height = -1
    for line in lines:
        block = json.loads(line)
        if "quiet" in block:
            for _ in range(block["quiet"]["blocks"]):
                header = quiet_header(header, block["quiet"]["milliseconds"])
            height, previous = header["height"], hash_value(header)
            continue
        height += 1
        header, certificate = block["header"], block["certificate"]
        where = f"{path.stem} height {height}"
        expect(canonicalize(block), line, where, "is canonical")
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
        if height == 0:
            expect(block["changes"]["chain/identity"], identity_leaf, where, "genesisHash")
        if block["changes"]:
            root = tree_root(sorted(leaves.items())).hex()
        expect(header["stateRoot"], root, where, "stateRoot")
        previous = hash_value(header)
        expect(certificate["blockHash"], previous, where, "blockHash")
        expect(certificate["stateRoot"], root, where, "certified stateRoot")
        try:
            verdict = verify_certificate(certificate, validators, validators["validatorSetHash"])
        except CertificateError as error:
            verdict = str(error)
        expect(verdict, "trusted", where, "certificate")
        expect(header["validatorSetHash"], validators["validatorSetHash"], where, "validatorSetHash")
        if "validatorSet" in block:
            # The validators of this block have certified the state that holds those of the next.
            validators, set_number = block["validatorSet"], set_number + 1
            record = {"number": set_number, "fromHeight": height + 1, "validatorSet": validators}
            expect(hash_value(record), block["changes"][f"validator-set/{set_number}"], where, "the next set")
