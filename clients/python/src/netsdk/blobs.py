"""Requests to blob stores. Writes are signed with HTTP Message Signatures (RFC 9421) as docs/formats.md says."""

from __future__ import annotations

import base64
import re
import secrets
import time
from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from typing import Literal
from urllib.parse import urlsplit

from .api import Actor, error_of
from .arguments import printable_url
from .errors import NetError
from .flow import Flow, Request, send, staggered
from .protocol.hashes import is_hash, sha256
from .strangers import Reach, Way

MAX_BLOB_BYTES = 8 * 1024 * 1024
#: Seconds.
SIGNATURE_AGE = 300
#: Seconds.
CLOCK_TOLERANCE = 30

#: Seconds after which the next origin is asked in parallel.
HEDGE = 1.0

#: The bytes; ``absent`` if the origin says that it has none; ``unknown`` if it fails, refuses or sends other bytes.
Found = bytes | Literal["absent", "unknown"]

SignedMethod = Literal["PUT", "DELETE"]

#: Signed components, in order. ``@authority`` keeps a store from replaying a deletion at other stores.
SIGNED_COMPONENTS: dict[SignedMethod, tuple[str, ...]] = {
    "PUT": ("@method", "@authority", "@path", "content-digest"),
    "DELETE": ("@method", "@authority", "@path"),
}

_KEY_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,63}")


def sign_request(
    actor: Actor, method: SignedMethod, authority: str, blob_hash: str, *, created: int, nonce: str
) -> dict[str, str]:
    """Signs a request, and returns the headers of the signature.

    :param authority: the Host header, without the scheme's default port
    :param created: seconds since 1970
    :param nonce: 8 to 64 characters of ``A-Z a-z 0-9 _ -``, used once
    """
    own_names = [actor.actor_id] if actor.session_id is None else [actor.actor_id, actor.session_id]
    if not all(map(_KEY_ID.fullmatch, own_names)):
        raise ValueError("this is no actor id")
    digest = f"sha-256=:{base64.b64encode(bytes.fromhex(blob_hash)).decode()}:"
    values = {
        "@method": method,
        "@authority": authority,
        "@path": f"/blobs/{blob_hash}",
        "content-digest": digest,
    }
    names = SIGNED_COMPONENTS[method]
    covered = " ".join(f'"{name}"' for name in names)
    expires = created + SIGNATURE_AGE
    parameters = (
        f'({covered});created={created};expires={expires};nonce="{nonce}";keyid="{"/".join(own_names)}";alg="ed25519"'
    )
    lines = [f'"{name}": {values[name]}' for name in names]
    base = "\n".join([*lines, f'"@signature-params": {parameters}'])
    signature = base64.b64encode(actor.key.sign_bytes(base.encode())).decode()
    headers = {"signature-input": f"sig={parameters}", "signature": f"sig=:{signature}:"}
    return headers | ({"content-digest": digest} if method == "PUT" else {})


def clock_fault(date: str | None) -> str | None:
    """Compares this machine's clock with the Date header of an answer.

    :returns: the difference in words; None if it is tolerable or unknown
    """
    try:
        ahead = round(time.time() - parsedate_to_datetime(date or "").timestamp())
    except (TypeError, ValueError, OverflowError):
        return None
    if ahead > CLOCK_TOLERANCE:
        return f"{ahead} s ahead"
    return f"{-ahead} s behind" if ahead < -(SIGNATURE_AGE + CLOCK_TOLERANCE) else None


def blob_url(origin: str, blob_hash: str) -> str:
    """Returns the URL of a blob. Raises ValueError if the origin or hash is invalid."""
    if not is_hash(blob_hash):
        raise ValueError("a blob is named by 64 lowercase hex digits")
    return f"{normalize_origin(origin)}/blobs/{blob_hash}"


def normalize_origin(origin: str) -> str:
    """Returns scheme, host and port, without the scheme's default port.

    :raises ValueError: if it is not HTTP(S), has no host, or has credentials
    """
    parts = urlsplit(origin)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise ValueError(f"{printable_url(origin)!r} is no origin, such as https://blobs.example")
    return f"{parts.scheme}://{_authority_of(origin)}"


def _authority_of(origin: str) -> str:
    parts = urlsplit(origin)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    own = {"http": 80, "https": 443}.get(parts.scheme)
    return host if parts.port in (None, own) else f"{host}:{parts.port}"


class BlobApi:
    """The operations of one blob store, as flows."""

    def __init__(
        self, origin: str, actor: Actor | None = None, timeout: float = 60.0, reach: Reach | None = None
    ) -> None:
        self.origin = normalize_origin(origin)
        self._reach = reach
        self._actor = actor
        self._timeout = timeout

    def put(self, data: bytes) -> Flow[str]:
        """Stores bytes under their hash."""
        name = sha256(data).hex()
        yield from self._signed("PUT", name, data)
        return name

    def get(self, blob_hash: str) -> Flow[bytes | None]:
        """Returns the bytes; None if the store does not have them, or sends bytes with another hash."""
        url = blob_url(self.origin, blob_hash)
        answer = yield from send(Request("GET", url, self._timeout, max_bytes=MAX_BLOB_BYTES))
        if answer.status == 404:
            return None
        if answer.status != 200:
            raise error_of(answer)
        return answer.content if sha256(answer.content).hex() == blob_hash else None

    def has(self, blob_hash: str) -> Flow[bool]:
        """Returns True if the store has the blob."""
        way = yield from _way(self._reach, self.origin)
        if way is None:
            return False
        if way.is_hidden:
            # Any web server may answer 200, so the bytes are checked.
            return isinstance((yield from _find_at(blob_hash, self.origin, self._timeout, self._reach)), bytes)
        answer = yield from way.send(Request("HEAD", blob_url(self.origin, blob_hash), self._timeout))
        if answer.status not in (200, 404):
            raise error_of(answer)
        return answer.status == 200

    def delete(self, blob_hash: str) -> Flow[None]:
        """Releases the signer's hold on a blob."""
        yield from self._signed("DELETE", blob_hash, None)

    def _signed(self, method: SignedMethod, blob_hash: str, data: bytes | None) -> Flow[None]:
        if self._actor is None:
            raise TypeError("there is no signer: give actor_id and key to the client")
        url = blob_url(self.origin, blob_hash)
        headers = sign_request(
            self._actor,
            method,
            _authority_of(self.origin),
            blob_hash,
            created=int(time.time()),
            nonce=secrets.token_hex(16),
        )
        if data is not None:
            headers["content-type"] = "application/octet-stream"
        way = yield from _way(self._reach, self.origin)
        if way is None:
            detail = f"{self.origin} is not asked: a stranger named it, and its address is not public"
            raise NetError(0, None, detail=detail)
        answer = yield from way.send(Request(method, url, self._timeout, data, headers))
        if answer.status not in (200, 201, 204):
            error, fault = error_of(answer), clock_fault(answer.headers.get("date"))
            if error.code != "SIGNATURE_EXPIRED" or fault is None or error.problem is None:
                raise error
            detail = f"{error.problem.get('detail')} The clock of this machine is {fault} of the service's."
            raise NetError(answer.status, {**error.problem, "detail": detail})


def fetch(blob_hash: str, origins: Sequence[str], timeout: float) -> Flow[bytes | None]:
    """Returns the bytes from the first origin that has them, else None. Asks the next after a failure or a second."""
    found = yield from find(blob_hash, origins, timeout)
    return found if isinstance(found, bytes) else None


def find(blob_hash: str, origins: Sequence[str], timeout: float, reach: Reach | None = None) -> Flow[Found]:
    """Finds a blob like :func:`fetch`. Returns ``absent`` if every origin says so, else ``unknown``.

    :param reach: decides which origins may be asked; None for all
    """
    flows = [_find_at(blob_hash, origin, timeout, reach) for origin in origins]
    answers = yield from staggered(flows, HEDGE, lambda found: isinstance(found, bytes))
    if answers and isinstance(answers[-1], bytes):
        return answers[-1]
    return "absent" if all(answer == "absent" for answer in answers) else "unknown"


def _way(reach: Reach | None, origin: str) -> Flow[Way | None]:
    return Way() if reach is None else (yield from reach.way(origin))


def _find_at(blob_hash: str, origin: str, timeout: float, reach: Reach | None) -> Flow[Found]:
    try:
        way = yield from _way(reach, normalize_origin(origin))
        if way is None:
            return "absent"
    except (NetError, ValueError):
        return "unknown"
    failed: Found = "absent" if way.is_hidden else "unknown"
    try:
        answer = yield from way.send(Request("GET", blob_url(origin, blob_hash), timeout, max_bytes=MAX_BLOB_BYTES))
    except (NetError, ValueError):
        return failed
    if answer.status == 200 and sha256(answer.content).hex() == blob_hash:
        return answer.content
    return "absent" if answer.status == 404 else failed
