"""URLs, API paths and the home directory."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, urlencode

from .arguments import refuse, require_options, require_path
from .tables import QUERIES

#: Value of a parameter. None omits it.
Parameter = str | int | bool | None


def home_folder() -> Path:
    """Returns the home directory. An empty ``HOME`` counts as unset, as in the JavaScript SDK."""
    if os.environ.get("HOME") != "" or os.name != "posix":
        return Path.home()
    import pwd  # Windows has no such module.

    return Path(pwd.getpwuid(os.getuid()).pw_dir)


def normalize_url(url: str) -> str:
    """Removes trailing slashes."""
    return url.rstrip("/")


def build_path(path: str, parameters: Mapping[str, Parameter]) -> str:
    """Fills the braces of a path from the parameters. The other parameters become the query.

    :raises AgentError: ARGUMENT_INVALID if a parameter is missing, OPTION_UNKNOWN if the path does not have it
    """
    require_path(path)
    # Nodes ignore unknown parameters, so check here. A path that is not in the table may be of a newer node.
    if path in QUERIES:
        given = [name for name, value in parameters.items() if value is not None]
        require_options(path, given, [*re.findall(r"\{(\w+)\}", path), *QUERIES[path].split()])
    query = {name: _text(value) for name, value in parameters.items() if value is not None}

    def fill(match: re.Match[str]) -> str:
        value = query.pop(match[1], "")
        # Dots alone would be path steps, even if escaped.
        if re.fullmatch(r"\.{0,2}", value):
            refuse("ARGUMENT_INVALID", f"{path} needs {match[1]}", f"/{match[1]}")
        return quote(value, safe="")

    filled = re.sub(r"\{(\w+)\}", fill, path)
    return f"{filled}?{urlencode(query)}" if query else filled


def _text(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
