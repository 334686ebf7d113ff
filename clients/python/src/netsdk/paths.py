"""Addresses: paths of the interface with their parameters filled in; and the home directory."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, urlencode

from .arguments import refuse, require_options, require_path
from .tables import QUERIES

#: The value of a parameter; None leaves it out.
Parameter = str | int | bool | None


def home_folder() -> Path:
    """Return the home directory of this user. An empty ``HOME`` is unset, as in the JavaScript SDK; it isn't ``/``."""
    if os.environ.get("HOME") != "" or os.name != "posix":
        return Path.home()
    import pwd  # Windows has none.

    return Path(pwd.getpwuid(os.getuid()).pw_dir)


def normalize_url(url: str) -> str:
    """A base address as paths are appended to it."""
    return url.rstrip("/")


def build_path(path: str, parameters: Mapping[str, Parameter]) -> str:
    """The path with its query: what stands in braces is taken from the parameters, the rest of them is the query.

    :raises AgentError: ARGUMENT_INVALID if the path needs a parameter that is not there, OPTION_UNKNOWN for one that it
        does not have
    """
    require_path(path)
    # A node ignores what it does not know. Paths that are unknown here may be of a newer node.
    if path in QUERIES:
        given = [name for name, value in parameters.items() if value is not None]
        require_options(path, given, [*re.findall(r"\{(\w+)\}", path), *QUERIES[path].split()])
    query = {name: _text(value) for name, value in parameters.items() if value is not None}

    def fill(match: re.Match[str]) -> str:
        value = query.pop(match[1], "")
        # Dots alone are steps in a path, however they are escaped.
        if re.fullmatch(r"\.{0,2}", value):
            refuse("ARGUMENT_INVALID", f"{path} needs {match[1]}", f"/{match[1]}")
        return quote(value, safe="")

    filled = re.sub(r"\{(\w+)\}", fill, path)
    return f"{filled}?{urlencode(query)}" if query else filled


def _text(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
