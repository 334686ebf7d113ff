"""The node's control token: a secret for laboratory calls, unsigned writes and intents signed for any actor.

It comes from the caller, from ``~/.netd/control/<port>`` of a local node, or from ``NET_CONTROL_TOKEN`` for the node of
``NET_URL``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from .paths import home_folder

HEADER = "x-net-control"
_DEFAULT_URL = "http://127.0.0.1:8420"
#: Paths whose requests always carry the token. Others carry it only after CONTROL_TOKEN_REQUIRED.
_CONTROLLED = re.compile(r"/v1/(lab/.*|work-orders|memory/(checkpoints|handovers))")
_LOOPBACK = re.compile(r"127\.\d+\.\d+\.\d+|localhost|::1")


def is_loopback(url: str) -> bool:
    """Returns True if a URL names this machine."""
    try:
        return _LOOPBACK.fullmatch(urlsplit(url).hostname or "") is not None
    except ValueError:
        return False


def control_headers(url: str, path: str, body: Mapping[str, Any], given: str | None = None) -> dict[str, str]:
    """Returns the headers for a POST. Tokens found on this machine are sent to loopback addresses only.

    :param given: the token, if the caller knows it
    """
    if not _CONTROLLED.fullmatch(path) or "signature" in body:
        return {}
    return control_header(url, given)


def control_header(url: str, given: str | None = None) -> dict[str, str]:
    """Returns the header with the token; empty if the token is unknown."""
    token = _token_on_this_machine(url) if given is None else given
    return {} if token is None else {HEADER: token}


def _token_on_this_machine(url: str) -> str | None:
    if not is_loopback(url):
        return None
    try:
        return (home_folder() / ".netd" / "control" / str(urlsplit(url).port or 80)).read_text("utf-8").strip()
    except (OSError, KeyError, RuntimeError, UnicodeDecodeError):
        # Other local ports may be other programs, so the variable is sent only to the node of NET_URL.
        named = os.environ.get("NET_URL") or _DEFAULT_URL
        is_named = _origin(named) == _origin(url)
        return (os.environ.get("NET_CONTROL_TOKEN") or None) if is_named else None


def _origin(url: str) -> tuple[str, str | None, int] | None:
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return None
