"""Representations in HTML, for notebooks."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any


def table_of(title: str, members: Mapping[str, Any]) -> str:
    """Returns an HTML table. Escapes everything, because others wrote a part of it."""
    rows = "".join(
        f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(value))[:500]}</td></tr>"
        for name, value in members.items()
    )
    return f"<table><caption>{html.escape(title)}</caption>{rows}</table>"
