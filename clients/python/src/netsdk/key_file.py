"""Key files of ``netd join``: ``<directory>/<chainId>/<actorId>.json``, mode 0600, never overwritten.

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
from typing import Any

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


def signing_key_path(directory: Path | str | None, chain_id: str, actor_id: str) -> Path:
    """Returns the path of an actor's key file.

    :raises ValueError: if an id is invalid, such as a path
    """
    if not _NAME.fullmatch(actor_id):
        raise ValueError("this is no actor id")
    return home_of(directory, chain_id) / f"{actor_id}.json"


def read(path: Path, schema: str, chain_id: str, actor_id: str) -> JsonObject:
    """Reads a key file.

    :raises KeyFileError: if other users can read or write it, or it belongs to another actor or chain
    :raises FileNotFoundError: if it does not exist
    """
    with usable(path.parent), path.open("rb") as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        if sys.platform != "win32" and mode & 0o077:
            raise KeyFileError(
                f"{path} holds a private key and others than its owner may read or write it (mode {mode:o}): run "
                f"chmod 600 '{path}', and rotate the key if others could reach it"
            )
        text = file.read(65_536)
    try:
        members = json.loads(text)
        if [members["schema"], members["chainId"], members["actorId"]] == [schema, chain_id, actor_id]:
            found: JsonObject = members
            return found
    except (ValueError, TypeError, KeyError, RecursionError):
        pass  # The message must not quote the text, because it may be a key.
    raise KeyFileError(f"{path} is not a {schema} file of {actor_id}; put the original file back")


def write_once(path: Path, members: Mapping[str, Any]) -> None:
    """Writes a file durably, with mode 0600.

    :raises FileExistsError: if the file exists; it is not changed
    :raises HomeError: if the file system refuses the directory
    """
    with usable(path.parent):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.parent / f".{os.getpid()}.{secrets.token_hex(6)}.draft"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(json.dumps(dict(members), indent=2) + "\n")
                file.flush()
                os.fsync(file.fileno())
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
    actor_id: str, chain_id: str, *, directory: Path | str | None = None, passphrase: str | None = None
) -> Keyring:
    """Returns all X25519 key pairs of an actor, newest first. Creates one if none exists."""
    keyring = [ensure_encryption_key(actor_id, chain_id, directory=directory, passphrase=passphrase)]
    while encryption_key_path(actor_id, chain_id, directory, number := len(keyring) + 1).exists():
        more = ensure_encryption_key(actor_id, chain_id, directory=directory, passphrase=passphrase, number=number)
        keyring.insert(0, more)
    return keyring


def add_encryption_key(
    actor_id: str, chain_id: str, *, directory: Path | str | None = None, passphrase: str | None = None
) -> Keyring:
    """Adds an X25519 key pair, or uses a pair that another process just added."""
    known = ensure_keyring(actor_id, chain_id, directory=directory, passphrase=passphrase)
    number = len(known) + 1
    ensure_encryption_key(actor_id, chain_id, directory=directory, passphrase=passphrase, number=number)
    return ensure_keyring(actor_id, chain_id, directory=directory, passphrase=passphrase)


def encryption_key_path(actor_id: str, chain_id: str, directory: Path | str | None, number: int = 1) -> Path:
    """Returns the path of a key pair. The first has no number in its name."""
    name = f"{actor_id}.encryption{'' if number == 1 else f'-{number}'}.json"
    return signing_key_path(directory, chain_id, actor_id).with_name(name)


def ensure_encryption_key(
    actor_id: str,
    chain_id: str,
    *,
    directory: Path | str | None = None,
    passphrase: str | None = None,
    number: int = 1,
) -> EncryptionSecret:
    """Reads an X25519 key pair, or creates it. Publish only the one with the highest number."""
    path = encryption_key_path(actor_id, chain_id, directory, number)
    schema = "NET-ENCRYPTION-KEY/1"
    try:
        file = read(path, schema, chain_id, actor_id)
    except FileNotFoundError:
        fresh = generate_encryption_key()
        open_members = {
            "schema": schema,
            "chainId": chain_id,
            "actorId": actor_id,
            "x": fresh["x"],
            "kid": fresh["kid"],
        }
        try:
            write_once(path, open_members | secret_member(str(fresh["d"]), "d", "sealedD", passphrase))
        except FileExistsError:
            pass  # Another process was faster, so its key is used.
        file = read(path, schema, chain_id, actor_id)
    secret = secret_of(file, "d", "sealedD", passphrase=passphrase, path=path)
    try:
        key = encryption_key_of(file["x"])
        if key["kid"] == file["kid"]:
            return key | {"d": secret}
    except (KeyError, TypeError):
        pass
    raise KeyFileError(f"{path} is damaged; put the original file back")


def secret_member(secret: str, plain: str, sealed: str, passphrase: str | None) -> JsonObject:
    """Returns the member for a secret: plain, or sealed if there is a passphrase."""
    return {plain: secret} if passphrase is None else {sealed: seal_text(secret, passphrase)}


def secret_of(file: Mapping[str, Any], plain: str, sealed: str, *, passphrase: str | None, path: Path) -> str:
    """Returns the secret of a key file.

    :raises KeyFileError: if the file has no secret, or the passphrase is missing or wrong
    """
    if isinstance(file.get(plain), str):
        return str(file[plain])
    if not isinstance(file.get(sealed), str):
        raise KeyFileError(f"{path} holds no key; put the original file back")
    if passphrase is None:
        raise KeyFileError(f"{path} is sealed with a passphrase: give it")
    opened = open_text(file[sealed], passphrase)
    if opened is None:
        raise KeyFileError(f"{path} does not open with this passphrase")
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
