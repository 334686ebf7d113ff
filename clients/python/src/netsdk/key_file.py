"""Key files of ``netd join``: ``<directory>/<chainId>/<actorId>.json``, mode 0600, overwritten only to seal
the same key.

``<actorId>.encryption.json`` contains the X25519 key. Secrets are plain, or sealed with a passphrase in a compact JWE
(RFC 7516) under PBES2-HS512+A256KW and A256GCM.
"""

from __future__ import annotations

import base64
import errno
import json
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeAlias, cast

from joserfc import jwe
from joserfc.jwk import OctKey

from .errors import HomeError, KeyFileError
from .formats.encryption_key import EncryptionSecret, Keyring, encryption_key_of, generate_encryption_key
from .paths import home_folder
from .protocol.canonical_json import JsonObject

#: OWASP's recommendation for PBKDF2-HMAC-SHA-512. Files with more iterations are refused.
PBES2_COUNT = 210_000
_KEY_MANAGEMENT = "PBES2-HS512+A256KW"
_CIPHER = "A256GCM"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,63}")


def default_directory() -> Path:
    """Returns ``$NET_HOME``, else ``~/.netd/keys``."""
    named = os.environ.get("NET_HOME")
    return Path(named) if named else home_folder() / ".netd" / "keys"


#: File system errors that only the owner of the directory can fix.
_UNUSABLE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG}


@contextmanager
def usable(directory: Path) -> Iterator[None]:
    """Raises HomeError, with the directory's name, if the file system refuses the directory."""
    try:
        yield
    except OSError as error:
        # mkdir reports FileExistsError if a file has the name of the directory.
        is_file = isinstance(error, FileExistsError) and not directory.is_dir()
        if error.errno not in _UNUSABLE and not is_file:
            raise
        name = errno.errorcode.get(error.errno or 0, "")
        raise HomeError(
            f"{directory} cannot be used ({name}): make it writable, or name another by NET_HOME or the argument keys"
        ) from error


def home_of(directory: Path | str | None, chain_id: str) -> Path:
    """Returns the key directory of a chain."""
    if not _NAME.fullmatch(chain_id):
        raise ValueError("this is no chain id")
    return (default_directory() if directory is None else Path(directory)) / chain_id


class Secrets(Protocol):
    """Key files by name. Only sealing overwrites one."""

    def read_secret(self, name: str) -> str | None:
        """Returns the text of a file, or None."""

    def write_secret(self, name: str, text: str) -> bool:
        """Writes a file durably. Returns False, and writes nothing, if it exists."""

    def place_of(self, name: str) -> str:
        """Returns the place of a file, for messages."""


class SealableSecrets(Secrets, Protocol):
    """Key files that can be sealed. Without ``replace_secret``, an agent with plain keys refuses a passphrase."""

    def replace_secret(self, name: str, before: str, text: str) -> None:
        """Replaces a file, durably and atomically, if its text is still ``before``."""


#: A key directory, or a home that machines share. None means ``default_directory``.
KeyPlace: TypeAlias = "Path | str | Secrets | None"


class KeyDirectory:
    """Key files in the directory of a chain."""

    def __init__(self, directory: Path | str | None, chain_id: str) -> None:
        self._path = home_of(directory, chain_id)

    def path_of(self, name: str) -> Path:
        """Returns the path of a file."""
        return self._path / f"{name}.json"

    def place_of(self, name: str) -> str:
        """Returns the path as a text."""
        return str(self.path_of(name))

    def read_secret(self, name: str) -> str | None:
        """Returns the text of a file, or None.

        :raises KeyFileError: if other users can read or write it
        """
        path = self.path_of(name)
        try:
            with usable(self._path), path.open("rb") as file:
                mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
                if sys.platform != "win32" and mode & 0o077:
                    raise KeyFileError(
                        f"{path} holds a private key and others than its owner may read or write it (mode {mode:o}): "
                        f"run chmod 600 '{path}', and rotate the key if others could reach it"
                    )
                return file.read(65_536).decode("utf-8-sig", "replace")
        except FileNotFoundError:
            return None

    def write_secret(self, name: str, text: str) -> bool:
        """Writes a file with mode 0600. Returns False if it exists."""
        try:
            _write_file(self.path_of(name), text)
        except FileExistsError:
            return False
        return True

    def replace_secret(self, name: str, before: str, text: str) -> None:
        """Replaces a file by its sealed form, if its text is still ``before``."""
        if self.read_secret(name) == before:
            _write_file(self.path_of(name), text, over=True)


def secrets_in(place: KeyPlace, chain_id: str) -> Secrets:
    """Returns the key files of a chain."""
    return KeyDirectory(place, chain_id) if place is None or isinstance(place, (str, Path)) else place


def read(home: Secrets, name: str, schema: str, *, chain_id: str, actor_id: str) -> JsonObject | None:
    """Returns the members of a key file, or None if it does not exist.

    :raises KeyFileError: if other users can read or write it, or it belongs to another actor or chain
    """
    text = home.read_secret(name)
    if text is None:
        return None
    try:
        members = json.loads(text)
        if [members["schema"], members["chainId"], members["actorId"]] == [schema, chain_id, actor_id]:
            found: JsonObject = members
            return found
    except (ValueError, TypeError, KeyError, RecursionError):
        pass  # The message must not quote the text, because it may be a key.
    raise KeyFileError(f"{home.place_of(name)} is not a {schema} file of {actor_id}; put the original file back")


def text_of(members: Mapping[str, Any]) -> str:
    """Returns the text of a key file."""
    return json.dumps(dict(members), indent=2) + "\n"


def write_once(path: Path, members: Mapping[str, Any]) -> None:
    """Writes a file durably, with mode 0600.

    :raises FileExistsError: if the file exists; it is not changed
    :raises HomeError: if the file system refuses the directory
    """
    _write_file(path, text_of(members))


def _write_file(path: Path, text: str, *, over: bool = False) -> None:
    with usable(path.parent):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.parent / f".{os.getpid()}.{secrets.token_hex(6)}.draft"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if over:
                draft.replace(path)
            else:
                # Unlike rename, link fails if the name exists, so the first key stays.
                os.link(draft, path)
        finally:
            draft.unlink(missing_ok=True)
        sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Syncs a directory to disk. Does nothing on Windows."""
    if sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def ensure_keyring(
    actor_id: str, chain_id: str, *, directory: KeyPlace = None, passphrase: str | None = None
) -> Keyring:
    """Returns all X25519 key pairs of an actor, newest first. Creates one if none exists."""
    home = secrets_in(directory, chain_id)
    keyring = [ensure_encryption_key(actor_id, chain_id, directory=home, passphrase=passphrase)]
    while home.read_secret(encryption_key_name(actor_id, number := len(keyring) + 1)) is not None:
        more = ensure_encryption_key(actor_id, chain_id, directory=home, passphrase=passphrase, number=number)
        keyring.insert(0, more)
    return keyring


def seal_plain_keys(actor_id: str, chain_id: str, *, directory: KeyPlace, passphrase: str | None) -> None:
    """Seals the plain files of an actor if there is a passphrase. The sealed ones must open with it.

    :raises HomeError: if the home cannot replace a file
    """
    home = secrets_in(directory, chain_id)
    if passphrase is None:
        return
    _seal_file(home, signing_key_name(actor_id), "privateKey", "sealedPrivateKey", passphrase=passphrase)
    number = 1
    while _seal_file(home, encryption_key_name(actor_id, number), "d", "sealedD", passphrase=passphrase):
        number += 1


def _seal_file(home: Secrets, name: str, plain: str, sealed: str, *, passphrase: str) -> bool:
    """Returns False if there is no such file."""
    before = home.read_secret(name)
    if before is None:
        return False
    members = json.loads(before)
    secret = members.pop(plain, None)
    if not isinstance(secret, str):
        return True
    place = home.place_of(name)
    if not hasattr(home, "replace_secret"):
        why = "is plain, and this home has no replace_secret to seal it"
        raise HomeError(f"{place} {why}: leave out the passphrase, or use a home that has it")
    cast("SealableSecrets", home).replace_secret(
        name, before, text_of(members | secret_member(secret, plain, sealed, passphrase))
    )
    # Another process may have sealed it with another passphrase.
    kept = json.loads(home.read_secret(name) or "{}")
    if secret_of({sealed: kept.get(sealed)}, plain, sealed, passphrase=passphrase, place=place) == secret:
        return True
    raise KeyFileError(f"{place} has another key than before; put the original file back")


def add_encryption_key(
    actor_id: str, chain_id: str, *, directory: KeyPlace = None, passphrase: str | None = None
) -> Keyring:
    """Adds an X25519 key pair, or uses a pair that another process just added."""
    known = ensure_keyring(actor_id, chain_id, directory=directory, passphrase=passphrase)
    number = len(known) + 1
    ensure_encryption_key(actor_id, chain_id, directory=directory, passphrase=passphrase, number=number)
    return ensure_keyring(actor_id, chain_id, directory=directory, passphrase=passphrase)


def signing_key_name(actor_id: str) -> str:
    """Returns the name of an actor's key file.

    :raises ValueError: if the id is invalid, such as a path
    """
    if not _NAME.fullmatch(actor_id):
        raise ValueError("this is no actor id")
    return actor_id


def encryption_key_name(actor_id: str, number: int = 1) -> str:
    """Returns the name of a key pair's file. The first has no number in its name."""
    return f"{signing_key_name(actor_id)}.encryption{'' if number == 1 else f'-{number}'}"


def ensure_encryption_key(
    actor_id: str,
    chain_id: str,
    *,
    directory: KeyPlace = None,
    passphrase: str | None = None,
    number: int = 1,
) -> EncryptionSecret:
    """Reads an X25519 key pair, or creates it. Publish only the one with the highest number."""
    home, name = secrets_in(directory, chain_id), encryption_key_name(actor_id, number)
    schema = "NET-ENCRYPTION-KEY/1"
    file = read(home, name, schema, chain_id=chain_id, actor_id=actor_id)
    if file is None:
        fresh = generate_encryption_key()
        open_members = {
            "schema": schema,
            "chainId": chain_id,
            "actorId": actor_id,
            "x": fresh["x"],
            "kid": fresh["kid"],
        }
        # If another process was faster, its key is used.
        home.write_secret(name, text_of(open_members | secret_member(str(fresh["d"]), "d", "sealedD", passphrase)))
        file = read(home, name, schema, chain_id=chain_id, actor_id=actor_id) or {}
    secret = secret_of(file, "d", "sealedD", passphrase=passphrase, place=home.place_of(name))
    try:
        key = encryption_key_of(file["x"])
        if key["kid"] == file["kid"]:
            return key | {"d": secret}
    except (KeyError, TypeError):
        pass
    raise KeyFileError(f"{home.place_of(name)} is damaged; put the original file back")


def secret_member(secret: str, plain: str, sealed: str, passphrase: str | None) -> JsonObject:
    """Returns the member for a secret: plain, or sealed if there is a passphrase."""
    return {plain: secret} if passphrase is None else {sealed: seal_text(secret, passphrase)}


def secret_of(file: Mapping[str, Any], plain: str, sealed: str, *, passphrase: str | None, place: str) -> str:
    """Returns the secret of a key file.

    :raises KeyFileError: if the file has no secret, or the passphrase is missing or wrong
    """
    if isinstance(file.get(plain), str):
        return str(file[plain])
    if not isinstance(file.get(sealed), str):
        raise KeyFileError(f"{place} holds no key; put the original file back")
    if passphrase is None:
        raise KeyFileError(f"{place} is sealed with a passphrase: give it")
    opened = open_text(file[sealed], passphrase)
    if opened is None:
        raise KeyFileError(f"{place} does not open with this passphrase")
    return opened


def _passphrase_key(passphrase: str) -> OctKey:
    """Calls the constructor because ``import_key`` would warn about short keys, although PBES2 stretches them."""
    if not passphrase:
        raise ValueError("a passphrase has at least one character")
    data = passphrase.encode()
    return OctKey(data, data)


def seal_text(text: str, passphrase: str) -> str:
    """Seals a text in a compact JWE."""
    header = {"alg": _KEY_MANAGEMENT, "enc": _CIPHER, "p2c": PBES2_COUNT}
    return jwe.encrypt_compact(
        header, text.encode(), _passphrase_key(passphrase), algorithms=[_KEY_MANAGEMENT, _CIPHER]
    )


def open_text(sealed: str, passphrase: str) -> str | None:
    """Opens a compact JWE. Returns None if the passphrase is wrong, or the text is damaged."""
    try:
        protected = sealed.split(".", 1)[0]
        header = json.loads(base64.urlsafe_b64decode(protected + "=" * (-len(protected) % 4)))
        if not 1 <= int(header["p2c"]) <= PBES2_COUNT or "zip" in header:
            return None
        opened = jwe.decrypt_compact(
            sealed, _passphrase_key(passphrase), algorithms=[_KEY_MANAGEMENT, _CIPHER]
        ).plaintext
        return opened.decode() if opened else None
    except Exception:
        return None
