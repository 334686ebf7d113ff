"""Detection of secrets in envelopes: private keys, and members named like secrets. Nodes refuse them too."""

from __future__ import annotations

import base64
import re

from .bip39 import holds_mnemonic
from .strict_json import pointer_step

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
]
TOLD_SECRET = re.compile(
    r"(?:(?:seed|secret(?:[ _-]?key)?|priv(?:ate)?[ _-]?key|signing[ _-]?key|(?:^|[^A-Za-z])sk)"
    r"(?:[ _-]?(?:hex|b64|base64|raw|bytes))?"
    r"[\"'`\\]{0,4}[ \t\r\n]{0,4}(?:\([A-Za-z0-9 ,_-]{1,24}\)[ \t\r\n]{0,4})?(?:=>|->|[:=]|is:?)"
    r"|(?:secret|priv(?:ate)?)[ _-]?key)[ \t\r\n]{0,4}[\"'`\\]{0,4}"
    r"(?:0x)?(?:[0-9a-f]{128}|[0-9a-f]{64}|[A-Za-z0-9+/_-]{86}(?:==)?|[A-Za-z0-9+/_-]{43}=?)(?![A-Za-z0-9+/_=-])",
    re.ASCII | re.IGNORECASE,
)
# The seed of a draw is public. If one of these words precedes "seed", the seed is public.
OPEN_SEED = re.compile(
    r"(?:committee|draw|drawn|sampling|lottery|public|beacon|vrf)(?:'s)?[ _-]?\Z", re.ASCII | re.IGNORECASE
)
OPEN_SEED_NAME = re.compile(r"(?:committee|draw|drawn|sampling|lottery|public|beacon|vrf)seed(?:hex)?\Z")
DRAW_MEMBER = re.compile(r"[\"'](?:verifierIds|committee)\\*[\"'][ \t\r\n]*:")
SEED_IS_HASH = re.compile(r"seed[\"'`\\ \t\r\n:=]{1,12}[0-9a-f]{64}")
HASH = re.compile(r"[0-9a-f]{64}")
BEFORE = 16
JWK_BASE64 = re.compile(r"Imt0eS|JrdHki|ia3R5I")
BASE64_RUN = re.compile(r"[A-Za-z0-9+/_-]{40,}")
_BYTE = r"[0-9]{1,3}[ \t\r\n]{0,4},[ \t\r\n]{0,8}"
BYTE_LIST = re.compile(
    r"\[[ \t\r\n]*((?:" + _BYTE + r"){31}(?:(?:" + _BYTE + r"){32})?[0-9]{1,3})[ \t\r\n]*,?[ \t\r\n]*\]"
)
ASSIGNED = re.compile(
    r"(?:^|[\r\n{,])[ \t]{0,16}(?:- |export )?[\"']?([A-Za-z][A-Za-z0-9_.-]{0,40})[\"']?[ \t]{0,4}[:=]"
    r"[ \t]{0,4}[\"']?([A-Za-z0-9+/_=]{20,})[\"']?[ \t]{0,4}(?:#[^\r\n]*)?(?=\Z|[\r\n,}])"
)
KEY_HEX = re.compile(r"(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})", re.ASCII | re.IGNORECASE)
KEY_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{43}=?|[A-Za-z0-9+/_-]{86}(?:==)?")
ENCODING = re.compile(r"(?:hex|b64|base64|base64url|raw|bytes|text|string|value)\Z")
OPEN_KEY = re.compile(
    r"pub|verif|idempot|dedup|cache|sort|partition|primary|foreign|lookup|index|routing|storage|object|state|group"
)
JWK_TYPE = re.compile(r"[\"']kty\\*[\"'][ \t\r\n]*:")
JWK_SECRET = re.compile(r"[\"'][dk]\\*[\"'][ \t\r\n]*:[ \t\r\n]*\\*[\"'][A-Za-z0-9_-]{16,}")


def is_secret_name(name: str) -> bool:
    """Returns True if the name is that of a secret."""
    letters = re.sub(r"[^a-z0-9]+", "", name.lower())
    return SECRET_NAME.search(letters) is not None and OPEN_SEED_NAME.search(letters) is None


def is_key_name(name: str) -> bool:
    """Returns True if a member of this name is a secret key, provided that its value has key bytes."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name).lower()
    words = [word for word in re.split(r"[^a-z0-9]+", spaced) if word]
    while len(words) > 1 and ENCODING.sub("", words[-1]) == "":
        words.pop()
    joined = ENCODING.sub("", "".join(words))
    if joined in ("d", "sk") or words[-1:] == ["sk"]:
        return True
    return re.search(r"keys?\Z", joined) is not None and OPEN_KEY.search(joined) is None


def has_key_bytes(text: str) -> bool:
    """Returns True if the whole text encodes key bytes. Hashes do too, so check the name as well."""
    if KEY_HEX.fullmatch(text):
        return True
    return KEY_BASE64.fullmatch(text) is not None and text.lower() != text and text.upper() != text


def holds_private_key(text: str) -> bool:
    """Returns True if the text contains a private key in a known form."""
    if any(form.search(text) for form in PRIVATE_KEYS):
        return True
    return (
        _tells_secret(text)
        or _holds_jwk(text)
        or (JWK_BASE64.search(text) is not None and any(_holds_jwk(_decoded(run)) for run in BASE64_RUN.findall(text)))
        or any(_are_key_bytes([int(number) for number in numbers.split(",")]) for numbers in BYTE_LIST.findall(text))
        or any(_is_assigned(name, value) for name, value in ASSIGNED.findall(text))
        or holds_mnemonic(text)
    )


def _holds_jwk(text: str) -> bool:
    return JWK_TYPE.search(text) is not None and JWK_SECRET.search(text) is not None


def _decoded(run: str) -> str:
    whole = run[: len(run) - len(run) % 4].replace("-", "+").replace("_", "/")
    return base64.b64decode(whole).decode("latin-1")


def _tells_secret(text: str) -> bool:
    for told in TOLD_SECRET.finditer(text):
        before = text[max(0, told.start() - BEFORE) : told.start()]
        is_hash = SEED_IS_HASH.fullmatch(told.group()) is not None
        if not is_hash or not (OPEN_SEED.search(before) or DRAW_MEMBER.search(text)):
            return True
    return False


def _is_assigned(name: str, value: str) -> bool:
    if not is_secret_name(name) or name.lower().endswith("seed"):
        return False
    return re.search(r"[0-9]", value) is not None and re.search(r"[A-Za-z]", value) is not None


def _are_key_bytes(numbers: list[object]) -> bool:
    if len(numbers) not in (32, 64):
        return False
    values = [each for each in numbers if isinstance(each, int) and not isinstance(each, bool) and 0 <= each <= 255]
    if len(values) < len(numbers):
        return False
    return len(set(values)) >= len(values) * 3 / 4 and sum(each > 127 for each in values) >= len(values) / 4


def _is_seed_of_draw(name: str, value: dict[str, object]) -> bool:
    """Returns True for the public seed of a draw: a hash next to the drawn committee."""
    seed = value.get("seed")
    if name != "seed" or not isinstance(seed, str) or HASH.fullmatch(seed) is None:
        return False
    return isinstance(value.get("verifierIds"), list) or isinstance(value.get("committee"), list)


def key_material_path(value: object, path: str = "") -> str | None:
    """Returns the JSON Pointer of the first secret, or None. The pointer never quotes the secret."""
    if isinstance(value, str):
        return path if holds_private_key(value) else None
    if isinstance(value, list):
        words = [item for item in value if isinstance(item, str) and len(item) <= 16]
        if _are_key_bytes(value) or (len(value) >= 12 and holds_mnemonic(" ".join(words))):
            return path
        inner: list[tuple[str, object]] = [(f"{path}/{index}", item) for index, item in enumerate(value)]
    elif isinstance(value, dict):
        if isinstance(value.get("kty"), str):
            for half in ("d", "k"):
                if isinstance(value.get(half), str):
                    return f"{path}/{half}"
        for name in value:
            if holds_private_key(name):
                return path
            if is_secret_name(name) and not _is_seed_of_draw(name, value):
                return path + pointer_step(name)
            member = value[name]
            if isinstance(member, str) and has_key_bytes(member) and is_key_name(name):
                return path + pointer_step(name)
        inner = [(path + pointer_step(name), item) for name, item in value.items()]
    else:
        return None
    return next((found for where, item in inner if (found := key_material_path(item, where)) is not None), None)
