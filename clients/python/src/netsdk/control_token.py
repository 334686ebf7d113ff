"""Finds the secret that a node wants for laboratory calls, unsigned writes and intents signed for any actor.

It is the one that the caller gives, ``NET_CONTROL_TOKEN``, or the one that a node on this machine left for its user in
``~/.netd/control/<port>``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from .paths import home_folder

HEADER = "x-net-control"
#: Paths that ask for it at once. Other requests carry it only after a refusal with CONTROL_TOKEN_REQUIRED.
_CONTROLLED = re.compile(r"/v1/(lab/.*|work-orders|memory/(checkpoints|handovers))")
_LOOPBACK = re.compile(r"127\.\d+\.\d+\.\d+|localhost|::1")


def is_loopback(url: str) -> bool:
    """True if a URL names this machine itself."""
    try:
        return _LOOPBACK.fullmatch(urlsplit(url).hostname or "") is not None
    except ValueError:
        return False


def control_headers(url: str, path: str, body: Mapping[str, Any], given: str | None = None) -> dict[str, str]:
    """The headers of a POST. A secret that the caller has not given goes to loopback addresses only.

    :param given: the secret of the node, if the caller knows it
    """
    if not _CONTROLLED.fullmatch(path) or "signature" in body:
        return {}
    return control_header(url, given)


def control_header(url: str, given: str | None = None) -> dict[str, str]:
    """The header with the secret, or none if the node's secret is not known here."""
    token = _token_on_this_machine(url) if given is None else given
    return {} if token is None else {HEADER: token}


def _token_on_this_machine(url: str) -> str | None:
    if not is_loopback(url):
        return None
    configured = os.environ.get("NET_CONTROL_TOKEN")
    if configured:
        return configured
    try:
        return (home_folder() / ".netd" / "control" / str(urlsplit(url).port or 80)).read_text("utf-8").strip()
    except (OSError, KeyError, RuntimeError, UnicodeDecodeError):
        return None
