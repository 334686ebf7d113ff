"""Keys and their files: what netd join writes is read here, what is written here is read there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from netsdk import AgentKey, HomeError, KeyFileError, KeyMaterialError, NetClient
from netsdk.agent.home import FileState
from netsdk.key_file import (
    KeyDirectory,
    add_encryption_key,
    default_directory,
    ensure_encryption_key,
    ensure_keyring,
    open_text,
    seal_plain_keys,
    seal_text,
)
from netsdk.protocol.ed25519 import validate_public_key
from netsdk.protocol.envelopes import signature_holds
from tests.node import HANGS, ROOT, RunningNode, node, run_script

CHAIN = "net-test-1"


def test_a_fresh_key_signs_what_its_public_half_verifies() -> None:
    key = AgentKey.generate()
    assert validate_public_key(key.public_key) is None
    envelope = key.sign({"actorId": "ada", "amount": 1})
    assert signature_holds(envelope, key.public_key)
    assert not signature_holds(envelope | {"amount": 2}, key.public_key)
    assert "PRIVATE" not in repr(key)
    with pytest.raises(KeyMaterialError, match="/seed"):
        key.sign({"seed": "x"})


def test_what_is_no_key_is_refused_without_a_word_of_it() -> None:
    other = AgentKey.generate()
    for text in ("", "secret words", other.public_key):
        with pytest.raises(ValueError, match="this is no private key in PEM") as caught:
            AgentKey.from_pem(text)
        assert caught.value.__cause__ is None


def test_a_key_file_is_for_its_owner_only_and_never_written_over(tmp_path: Path) -> None:
    key = AgentKey.generate()
    path = key.save("ada", CHAIN, directory=tmp_path)
    assert path == tmp_path / CHAIN / "ada.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert AgentKey.load("ada", CHAIN, directory=tmp_path).public_key == key.public_key
    text = path.read_bytes()
    with pytest.raises(FileExistsError):
        AgentKey.generate().save("ada", CHAIN, directory=tmp_path)
    assert path.read_bytes() == text
    assert [each.name for each in path.parent.iterdir()] == ["ada.json"]
    path.chmod(0o640)
    with pytest.raises(KeyFileError, match="chmod 600"):
        AgentKey.load("ada", CHAIN, directory=tmp_path)


def test_the_directory_is_net_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NET_HOME", str(tmp_path / "home"))
    first = AgentKey.ensure("ada", CHAIN)
    assert AgentKey.ensure("ada", CHAIN).public_key == first.public_key
    assert (tmp_path / "home" / CHAIN / "ada.json").exists()


def test_an_empty_home_is_the_one_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """https://github.com/rust-lang/rust/pull/141840: an empty ``HOME`` once led to keys below ``/``."""
    monkeypatch.delenv("NET_HOME")
    monkeypatch.setenv("HOME", "")
    empty = default_directory()
    monkeypatch.delenv("HOME")
    assert empty == default_directory() != Path("/.netd/keys")


@pytest.mark.parametrize("actor_id", ["../ada", "a/b", "", ".", "a\n"])
def test_an_id_that_leads_elsewhere_is_refused(tmp_path: Path, actor_id: str) -> None:
    with pytest.raises(ValueError, match="no actor id"):
        AgentKey.ensure(actor_id, CHAIN, directory=tmp_path)
    with pytest.raises(ValueError, match="no chain id"):
        AgentKey.ensure("ada", "../x", directory=tmp_path)


def test_a_damaged_file_is_refused_without_a_word_of_it(tmp_path: Path) -> None:
    path = AgentKey.generate().save("ada", CHAIN, directory=tmp_path)
    good = json.loads(path.read_text())
    other = AgentKey.generate()
    broken = [
        "",
        "{",
        "null",
        "{}",
        "[" * 100_000,
        json.dumps(good | {"schema": "NET-AGENT-KEY/2"}),
        json.dumps(good | {"actorId": "bob"}),
        json.dumps(good | {"chainId": "other"}),
        json.dumps(good | {"privateKey": "x"}),
        json.dumps(good | {"privateKey": None}),
        json.dumps(good | {"publicKey": other.public_key}),
    ]
    for text in broken:
        path.write_text(text)
        with pytest.raises(KeyFileError, match="put the original file back") as caught:
            AgentKey.ensure("ada", CHAIN, directory=tmp_path)
        assert "PRIVATE" not in str(caught.value)
        assert path.read_text() == text


def test_a_passphrase_seals_what_it_opens(tmp_path: Path) -> None:
    key = AgentKey.generate()
    path = key.save("ada", CHAIN, directory=tmp_path, passphrase="correct horse")
    assert "privateKey" not in json.loads(path.read_text())
    assert AgentKey.load("ada", CHAIN, directory=tmp_path, passphrase="correct horse").public_key == key.public_key
    with pytest.raises(KeyFileError, match="does not open with this passphrase"):
        AgentKey.load("ada", CHAIN, directory=tmp_path, passphrase="wrong")
    with pytest.raises(KeyFileError, match="sealed with a passphrase"):
        AgentKey.load("ada", CHAIN, directory=tmp_path)
    with pytest.raises(ValueError, match="at least one character"):
        key.save("eve", CHAIN, directory=tmp_path, passphrase="")
    secret = ensure_encryption_key("ada", CHAIN, directory=tmp_path, passphrase="correct horse")
    assert ensure_encryption_key("ada", CHAIN, directory=tmp_path, passphrase="correct horse") == secret
    with pytest.raises(KeyFileError):
        ensure_encryption_key("ada", CHAIN, directory=tmp_path)


def test_a_passphrase_seals_the_keys_that_were_plain_before(tmp_path: Path) -> None:
    key = AgentKey.ensure("ada", CHAIN, directory=tmp_path)
    ensure_encryption_key("ada", CHAIN, directory=tmp_path)
    keyring = add_encryption_key("ada", CHAIN, directory=tmp_path)
    for _ in range(2):
        seal_plain_keys("ada", CHAIN, directory=tmp_path, passphrase="correct horse")
    files = sorted((tmp_path / CHAIN).iterdir())
    assert [file.name for file in files] == ["ada.encryption-2.json", "ada.encryption.json", "ada.json"]
    for file in files:
        assert file.stat().st_mode & 0o777 == 0o600
        assert not {"privateKey", "d"} & set(json.loads(file.read_text()))
    with pytest.raises(KeyFileError, match="sealed with a passphrase"):
        AgentKey.ensure("ada", CHAIN, directory=tmp_path)
    opened = AgentKey.ensure("ada", CHAIN, directory=tmp_path, passphrase="correct horse")
    assert opened.public_key == key.public_key
    assert ensure_keyring("ada", CHAIN, directory=tmp_path, passphrase="correct horse") == keyring


def test_a_home_that_cannot_replace_a_plain_key_refuses_a_passphrase(tmp_path: Path) -> None:
    class Kept:
        """A home of before ``replace_secret``."""

        def __init__(self) -> None:
            within = KeyDirectory(tmp_path, CHAIN)
            self.read_secret, self.write_secret, self.place_of = (
                within.read_secret,
                within.write_secret,
                within.place_of,
            )

    home = Kept()
    AgentKey.ensure("ada", CHAIN, directory=home)
    before = home.read_secret("ada")
    with pytest.raises(HomeError, match=r"is plain, .* leave out the passphrase"):
        seal_plain_keys("ada", CHAIN, directory=home, passphrase="correct horse")
    assert home.read_secret("ada") == before


def test_javascript_opens_what_python_seals_with_a_passphrase() -> None:
    told = run_script(
        "passphrase.mjs", {"sealed": seal_text("the key", "correct horse"), "passphrase": "correct horse"}
    )
    assert told["opened"] == "the key"
    assert open_text(told["sealed"], "correct horse") == "from node"
    assert open_text(told["sealed"], "wrong") is None
    # A file that would have us count for hours is not counted for.
    assert open_text(told["costly"], "correct horse") is None


def test_join_netd_act_and_this_client_use_the_same_files(net: RunningNode, tmp_path: Path) -> None:
    join = str(ROOT / "clients/join/net-join.mjs")
    asked = [node(), join, "joined-by-node", "reads papers", "--url", net.url, "--key-dir", str(tmp_path)]
    subprocess.run(asked, check=True, capture_output=True, timeout=HANGS)
    key = AgentKey.load("joined-by-node", str(net.facts["chainId"]), directory=tmp_path)
    with NetClient(net.url, actor_id="joined-by-node", key=key) as client:
        assert client.act("extendAgentCapabilities", {"actions": ["faucet"]})["events"]
    ours = AgentKey.ensure("made-by-python", str(net.facts["chainId"]), directory=tmp_path)
    with NetClient(net.url, actor_id="made-by-python", key=ours) as client:
        client.register()
    netd = str(ROOT / "packages/cli/src/main.ts")
    payload = '{"actions":["faucet"]}'
    act = [node(), netd, "act", "made-by-python", "extendAgentCapabilities", payload, "--url", net.url]
    ended = subprocess.run(
        [*act, "--key-dir", str(tmp_path)], check=True, capture_output=True, timeout=HANGS, text=True
    )
    assert "AgentCapabilitiesExtended" in ended.stdout


def test_a_home_that_cannot_be_used_is_named_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text("")
    for use in (
        lambda: AgentKey.load("ada", "chain", directory=file),
        lambda: ensure_encryption_key("ada", "chain", directory=file),
        lambda: FileState(file / "keys", "chain", "ada"),
    ):
        with pytest.raises(HomeError, match=r"keys.*cannot be used \(E[A-Z]+\).*\[HOME_UNUSABLE\]"):
            use()
