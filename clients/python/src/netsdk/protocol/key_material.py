"""What no envelope may hold: members named like secrets, and private keys. A node refuses such an envelope."""

from __future__ import annotations

import re

SECRET_NAME = re.compile(
    r"(?:priv(?:ate)?key|secret(?:key)?|seed(?:phrase|words?)?|mnemonic(?:phrase|words?)?|recovery(?:phrase|words?)"
    r"|pass(?:word|wd|phrase|code)|apikey|accesskey|credential|(?:access|api|auth|bearer|refresh)token)s?"
    r"(?:pem|der|jwk|pkcs8|hex|b64|base64|raw|bytes|text|string|value)?\Z"
)
PRIVATE_KEYS = [
    re.compile(r"-- ?BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY", re.ASCII | re.IGNORECASE),
    re.compile(r"AQ[AE]wBQYDK2V[uw]BCIE|AgEAMB[AM]GByqGSM49AgEG|IBADANBgkqhkiG9w0BAQ[EF]"),
    re.compile(r"02010[01]300506032b65(?:6e|70)04220420", re.ASCII | re.IGNORECASE),
]
JWK_TYPE = re.compile(r'"kty\\*"\s*:')
JWK_SECRET = re.compile(r'"[dk]\\*"\s*:\s*\\*"[A-Za-z0-9_-]{16,}')


def is_secret_name(name: str) -> bool:
    """Whether a member of this name would hold a secret."""
    return SECRET_NAME.search(re.sub(r"[^a-z0-9]+", "", name.lower())) is not None


def holds_private_key(text: str) -> bool:
    """Whether the text holds a private key in one of the forms in which keys are kept."""
    if any(form.search(text) for form in PRIVATE_KEYS):
        return True
    return JWK_TYPE.search(text) is not None and JWK_SECRET.search(text) is not None


def key_material_path(value: object, path: str = "") -> str | None:
    """Where a JSON value gives a secret away, as a JSON Pointer that says nothing of the secret, or None."""
    if isinstance(value, str):
        return path if holds_private_key(value) else None
    if isinstance(value, list):
        inner: list[tuple[str, object]] = [(f"{path}/{index}", item) for index, item in enumerate(value)]
    elif isinstance(value, dict):
        if isinstance(value.get("kty"), str):
            for half in ("d", "k"):
                if isinstance(value.get(half), str):
                    return f"{path}/{half}"
        for name in value:
            if holds_private_key(name):
                return path
            if is_secret_name(name):
                return f"{path}/{_escaped(name)}"
        inner = [(f"{path}/{_escaped(name)}", item) for name, item in value.items()]
    else:
        return None
    return next((found for where, item in inner if (found := key_material_path(item, where)) is not None), None)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
