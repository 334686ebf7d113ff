"""Runs vectors/ with the protocol of clients/python: a second, independent reading of it. Standard library only.

    python3 scripts/check-vectors.py [folder]

One file per topic stands in check_vectors/. If the `cryptography` package is installed, signatures are checked with
it as well.
"""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent / "clients/python/src"))

from check_vectors import report
from check_vectors.amounts import amounts
from check_vectors.canonical_json import canonical_json, hashes
from check_vectors.certificates import certificates
from check_vectors.checkpoints import checkpoints
from check_vectors.commit_certificates import cometbft_chain, commit_certificates
from check_vectors.ed25519 import public_keys, signatures
from check_vectors.envelopes import envelopes
from check_vectors.golden_chain import golden_chain
from check_vectors.key_material import key_material
from check_vectors.merkle import merkle
from check_vectors.set_changes import set_changes
from check_vectors.state_tree import state_proofs
from check_vectors.strict_json import strict_json
from check_vectors.uris import uris

FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "vectors"

TOPICS = {
    "amounts": amounts,
    "canonical-json": canonical_json,
    "strict-json": strict_json,
    "hashes": hashes,
    "public-keys": public_keys,
    "signatures": signatures,
    "envelopes": envelopes,
    "key-material": key_material,
    "uris": uris,
    "merkle": merkle,
    "state-proofs": state_proofs,
    "certificates": certificates,
    "commit-certificates": commit_certificates,
    "cometbft/chain": cometbft_chain,
    "set-changes": set_changes,
    "checkpoints": checkpoints,
}

for topic_name, run in TOPICS.items():
    before = len(report.failures)
    run(json.loads((FOLDER / f"{topic_name}.json").read_text("utf-8")))
    report.failures[before:] = [f"{topic_name}: {failure}" for failure in report.failures[before:]]

GOLDEN_CHAINS = sorted((FOLDER / "golden-chain").glob("*.jsonl"))
for path in GOLDEN_CHAINS:
    golden_chain(path)

for failure in report.failures:
    print(failure, file=sys.stderr)
print(f"{report.count - len(report.failures)} of {report.count} checks of {len(TOPICS)} topics and {len(GOLDEN_CHAINS)} golden chains passed")
sys.exit(1 if report.failures else 0)
