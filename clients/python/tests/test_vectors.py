"""The vectors of the protocol, and what they cannot say: that each check notices what it is there for."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from netsdk.protocol import ed25519
from netsdk.protocol.canonical_json import CanonicalJsonError, canonicalize
from netsdk.protocol.certificates import CertificateError, verify_certificate
from netsdk.protocol.state_tree import ProofError, verify_state_proof

ROOT = Path(__file__).parent.parent.parent.parent
VECTORS = ROOT / "vectors"


@pytest.mark.campaign
def test_plain_python_without_any_package_runs_the_vectors() -> None:
    # -I -S: no site-packages, so nothing but the standard library can be imported.
    script = str(ROOT / "scripts/check-vectors.py")
    path, run = str(ROOT / "scripts"), f"sys.argv = [{script!r}]; runpy.run_path({script!r})"
    bare = f"import runpy, sys; sys.path.insert(0, {path!r}); {run}"
    ended = subprocess.run([sys.executable, "-I", "-S", "-c", bare], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "checks of 16 topics and 6 golden chains passed" in ended.stdout


def test_the_library_and_the_written_out_equation_agree() -> None:
    topic = json.loads((VECTORS / "signatures.json").read_text("utf-8"))
    for case in topic["verify"]:
        raw, message, signature = (bytes.fromhex(case[name]) for name in ("publicKey", "message", "signature"))
        assert ed25519.verify(raw, message, signature) is case["valid"], case["name"]


@pytest.mark.parametrize("other", [float, str, lambda power: power == 1 or power + 0.0])
def test_a_vote_has_its_power_as_an_integer(other: Callable[[int], object]) -> None:
    topic = json.loads((VECTORS / "set-changes.json").read_text("utf-8"))
    certificate = topic["valid"][0]["certificate"]
    assert verify_certificate(certificate, topic["validatorSet"]) == "self-consistent"
    for vote in certificate["votes"]:
        vote["votingPower"] = other(vote["votingPower"])
    with pytest.raises(CertificateError):
        verify_certificate(certificate, topic["validatorSet"])


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("-inf"),
        10**400,
        2**53 + 1,
        -(2**53) - 1,
        {"a": "\ud83d"},
        {"\ud83d": 1},
        {1: 1},
        b"",
        object(),
        {"a": {1, 2}},
    ],
)
def test_what_json_cannot_say_has_no_canonical_form(value: object) -> None:
    with pytest.raises(CanonicalJsonError):
        canonicalize(value)


def test_nesting_without_end_is_refused_and_does_not_end_the_process() -> None:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(CanonicalJsonError):
        canonicalize(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2**53 - 1, "9007199254740991"),
        (2**53, "9007199254740992"),
        (10**20, "100000000000000000000"),
        (2**70, "1.1805916207174113e+21"),
        (123456789012345680000, "123456789012345680000"),
        (5.0, "5"),
        (True, "true"),
        ((1, 2), "[1,2]"),
        ({"\U0001f600": 1, "\ufb33": 2}, '{"\U0001f600":1,"\ufb33":2}'),
    ],
)
def test_numbers_and_names_come_out_as_ecmascript_has_them(value: object, text: str) -> None:
    assert canonicalize(value) == text


def test_a_proof_that_names_too_many_siblings_is_refused() -> None:
    with pytest.raises(ProofError, match="more siblings than bits"):
        verify_state_proof("a", None, {"leaf": {"kind": "empty"}, "siblings": ["00" * 32] * 257}, "00" * 32)
