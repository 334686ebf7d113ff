"""Ed25519 keys that sign envelopes."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from . import key_file
from .errors import KeyFileError, KeyMaterialError
from .exact_value import exact_value
from .protocol.canonical_json import JsonObject
from .protocol.ed25519 import pem_of, raw_key
from .protocol.envelopes import bytes_to_sign, public_key_hash
from .protocol.key_material import key_material_path


class AgentKey:
    """An Ed25519 key pair. The private key is never shown.

    :ivar public_key: SPKI PEM, as it is registered
    :ivar public_key_hash: the hash of that text
    """

    def __init__(self, private_key: Ed25519PrivateKey, public_key: str | None = None) -> None:
        self._private = private_key
        own = private_key.public_key().public_bytes_raw()
        self.public_key = pem_of(own) if public_key is None else public_key
        if raw_key(self.public_key) != own:
            raise ValueError("the public key is not that of the private key")
        self.public_key_hash = public_key_hash(self.public_key)

    @classmethod
    def generate(cls) -> AgentKey:
        """Generates a random key."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_pem(cls, private_key: str, public_key: str | None = None) -> AgentKey:
        """Loads a key from PKCS #8 PEM.

        :param public_key: SPKI PEM, if its exact text matters for publicKeyHash
        :raises ValueError: if it is not an Ed25519 key, or the two do not match
        """
        try:
            key = load_pem_private_key(private_key.encode(), password=None)
        except (TypeError, ValueError):
            # The message must not quote the text, because it may be a key.
            raise ValueError("this is no private key in PEM") from None
        if not isinstance(key, Ed25519PrivateKey):
            raise ValueError("this is no Ed25519 key")  # noqa: TRY004
        return cls(key, public_key)

    @classmethod
    def load(
        cls, actor_id: str, chain_id: str, *, directory: key_file.KeyPlace = None, passphrase: str | None = None
    ) -> AgentKey:
        """Loads a key file of ``netd join`` or :meth:`save`.

        :param directory: key directory, or a home of ``netsdk.homes``; default ``$NET_HOME``, else ``~/.netd/keys``
        :param passphrase: opens a sealed file
        :raises KeyFileError: if the file is invalid, or other users can read it
        :raises FileNotFoundError: if it does not exist
        """
        home, name = key_file.secrets_in(directory, chain_id), key_file.signing_key_name(actor_id)
        file = key_file.read(home, name, "NET-AGENT-KEY/1", chain_id=chain_id, actor_id=actor_id)
        if file is None:
            raise FileNotFoundError(home.place_of(name))
        place = home.place_of(name)
        secret = key_file.secret_of(file, "privateKey", "sealedPrivateKey", passphrase=passphrase, place=place)
        try:
            return cls.from_pem(secret, str(file["publicKey"]))
        except (KeyError, ValueError):
            raise KeyFileError(f"{place} is damaged; put the original file back") from None

    def save(
        self, actor_id: str, chain_id: str, *, directory: Path | str | None = None, passphrase: str | None = None
    ) -> Path:
        """Writes a key file like ``netd join``, with mode 0600.

        :param passphrase: seals the private key (JWE, PBES2-HS512+A256KW and A256GCM)
        :returns: its path
        :raises FileExistsError: if it exists; key files are never overwritten
        """
        home = key_file.KeyDirectory(directory, chain_id)
        path = home.path_of(key_file.signing_key_name(actor_id))
        if not self._write(home, actor_id, chain_id, passphrase):
            raise FileExistsError(str(path))
        return path

    def _write(self, home: key_file.Secrets, actor_id: str, chain_id: str, passphrase: str | None) -> bool:
        """Writes a key file. Returns False if it exists."""
        pem = self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        members = {
            "schema": "NET-AGENT-KEY/1",
            "chainId": chain_id,
            "actorId": actor_id,
            "publicKey": self.public_key,
            "publicKeyHash": self.public_key_hash,
        }
        secret = key_file.secret_member(pem, "privateKey", "sealedPrivateKey", passphrase)
        return home.write_secret(key_file.signing_key_name(actor_id), key_file.text_of(members | secret))

    @classmethod
    def ensure(
        cls, actor_id: str, chain_id: str, *, directory: key_file.KeyPlace = None, passphrase: str | None = None
    ) -> AgentKey:
        """Loads the key file, or creates it.

        :raises KeyFileError: as :meth:`load` does
        """
        try:
            return cls.load(actor_id, chain_id, directory=directory, passphrase=passphrase)
        except FileNotFoundError:
            pass
        # If another process was faster, its key is used.
        cls.generate()._write(key_file.secrets_in(directory, chain_id), actor_id, chain_id, passphrase)
        return cls.load(actor_id, chain_id, directory=directory, passphrase=passphrase)

    def sign(self, envelope: Mapping[str, Any]) -> JsonObject:
        """Signs the canonical JSON of an envelope, and returns it with the signature.

        :raises KeyMaterialError: if the envelope contains a secret, which would be published forever
        :raises AgentError: VALUE_NOT_JSON with the path of a part that JSON cannot represent
        """
        exact: JsonObject = exact_value(dict(envelope))
        found = key_material_path(exact)
        if found is not None:
            raise KeyMaterialError(found)
        signature = self.sign_bytes(bytes_to_sign(exact))
        return exact | {"signature": base64.b64encode(signature).decode()}

    def sign_bytes(self, data: bytes) -> bytes:
        """Signs bytes, such as requests to a blob store. Returns 64 bytes."""
        return self._private.sign(data)

    def __repr__(self) -> str:
        """Returns a text without the private key."""
        return f"AgentKey({self.public_key_hash})"
