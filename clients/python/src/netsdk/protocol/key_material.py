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
PRIVATE_KEYS += [
    re.compile(r"IFBSSVZBVEUgS0VZ|BQUklWQVRFIEtF|gUFJJVkFURSBL"),
    re.compile(r"AGE-SECRET-KEY-[A-Z0-9-]{20}|b3BlbnNzaC1rZXktdjEA", re.ASCII | re.IGNORECASE),
    re.compile(
        r"(?:^|[^A-Za-z0-9])(?:[tuvxyz]prv[1-9A-HJ-NP-Za-km-z]{100}|nsec1[02-9ac-hj-np-z]{58}|gh[oprsu]_[A-Za-z0-9]{36}|[rs]k_live_[A-Za-z0-9]{24}"
        r"|github_pat_[A-Za-z0-9_]{60}|sk-[A-Za-z0-9_-]{40}|AIza[A-Za-z0-9_-]{35}|xox[abeprs]-[A-Za-z0-9-]{24})"
    ),
    re.compile(
        r"(?:(?:seed|secret(?:[ _-]?key)?|priv(?:ate)?[ _-]?key|signing[ _-]?key|(?:^|[^A-Za-z])sk)"
        r"(?:[ _-]?(?:hex|b64|base64|raw|bytes))?"
        r"[\"'`\\]{0,4}[ \t\r\n]{0,4}(?:\([A-Za-z0-9 ,_-]{1,24}\)[ \t\r\n]{0,4})?(?:=>|->|[:=]|is:?)"
        r"|(?:secret|priv(?:ate)?)[ _-]?key)[ \t\r\n]{0,4}[\"'`\\]{0,4}"
        r"(?:0x)?(?:[0-9a-f]{128}|[0-9a-f]{64}|[A-Za-z0-9+/_-]{86}(?:==)?|[A-Za-z0-9+/_-]{43}=?)(?![A-Za-z0-9+/_=-])",
        re.ASCII | re.IGNORECASE,
    ),
]
KEY_HEX = re.compile(r"(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})", re.ASCII | re.IGNORECASE)
KEY_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{43}=?|[A-Za-z0-9+/_-]{86}(?:==)?")
ENCODING = re.compile(r"(?:hex|b64|base64|base64url|raw|bytes|text|string|value)\Z")
OPEN_KEY = re.compile(
    r"pub|verif|idempot|dedup|cache|sort|partition|primary|foreign|lookup|index|routing|storage|object|state|group"
)
JWK_TYPE = re.compile(r"[\"']kty\\*[\"'][ \t\r\n]*:")
JWK_SECRET = re.compile(r"[\"'][dk]\\*[\"'][ \t\r\n]*:[ \t\r\n]*\\*[\"'][A-Za-z0-9_-]{16,}")


def is_secret_name(name: str) -> bool:
    """Whether a member of this name would hold a secret."""
    return SECRET_NAME.search(re.sub(r"[^a-z0-9]+", "", name.lower())) is not None


def is_key_name(name: str) -> bool:
    """Whether a member of this name would hold a key if its value has the bytes of one."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name).lower()
    words = [word for word in re.split(r"[^a-z0-9]+", spaced) if word]
    while len(words) > 1 and ENCODING.sub("", words[-1]) == "":
        words.pop()
    joined = ENCODING.sub("", "".join(words))
    if joined in ("d", "sk") or words[-1:] == ["sk"]:
        return True
    return re.search(r"keys?\Z", joined) is not None and OPEN_KEY.search(joined) is None


def has_key_bytes(text: str) -> bool:
    """Whether the whole text is the bytes of a key; a hash looks the same, so the name has to say that it is one."""
    if KEY_HEX.fullmatch(text):
        return True
    return KEY_BASE64.fullmatch(text) is not None and text.lower() != text and text.upper() != text


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
            member = value[name]
            if isinstance(member, str) and has_key_bytes(member) and is_key_name(name):
                return f"{path}/{_escaped(name)}"
        inner = [(f"{path}/{_escaped(name)}", item) for name, item in value.items()]
    else:
        return None
    return next((found for where, item in inner if (found := key_material_path(item, where)) is not None), None)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
