"""The grammar of amounts that people type."""

from __future__ import annotations

import re
from typing import Literal

from .canonical_json import MAX_SAFE_INTEGER

UNET_PER_NET = 1_000_000
DECIMALS = 6
_AMOUNT = re.compile(r"[ \t\r\n]*([0-9]+)(?:\.([0-9]+))?[ \t]*(net|unet)?[ \t\r\n]*", re.IGNORECASE | re.ASCII)

AmountUnit = Literal["NET", "unet"]


def parse_amount(text: str, bare_unit: AmountUnit | None) -> int | None:
    """Parses ASCII digits with at most one point and an optional unit, ``NET`` or ``unet`` in any case.

    Signs, commas, exponents and spaces between digits are refused: ``1,5`` is 1.5 to some readers and 15 to others.

    :param bare_unit: unit of a bare number; None if the text must name its unit
    :returns: unet; None if the text is not an amount, not a whole number of unet, or too large
    """
    match = _AMOUNT.fullmatch(text)
    unit = bare_unit if match is None else match[3] or bare_unit
    if match is None or unit is None:
        return None
    whole, fraction = match[1].lstrip("0") or "0", match[2] or ""
    if len(fraction) > (DECIMALS if unit.lower() == "net" else 0) or len(whole) > len(str(MAX_SAFE_INTEGER)):
        return None
    unet = int(whole)
    if unit.lower() == "net":
        unet = unet * UNET_PER_NET + int(fraction.ljust(DECIMALS, "0"))
    return unet if unet <= MAX_SAFE_INTEGER else None


def net_text(unet: int) -> str:
    """Prints all digits without grouping, so that ``parse_amount`` reads them back."""
    whole, fraction = divmod(abs(unet), UNET_PER_NET)
    digits = f"{whole}.{fraction:0{DECIMALS}}".rstrip("0").rstrip(".")
    return f"{'-' if unet < 0 else ''}{digits} NET"


def amount_hint(bare_unit: AmountUnit | None) -> str:
    """Returns advice on what to type instead of a text that ``parse_amount`` refused."""
    examples = {
        "NET": "5 or 0.25 for NET, or 250000 unet",
        "unet": "5NET or 0.25NET, or 250000 for unet",
        None: "'5 NET', '0.25 NET' or '250000 unet'",
    }[bare_unit]
    return f"Write {examples}: digits, one point, at most six decimals, no commas."
