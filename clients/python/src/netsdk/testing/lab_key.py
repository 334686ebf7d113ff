"""Keys of laboratories: with the seed one has them, so they are the same in each language, and secret nowhere."""

from __future__ import annotations

from ..lab_seed import DEFAULT_SEED, lab_key

__all__ = ["ANYBODY", "DEFAULT_SEED", "lab_key"]

#: A laboratory believes the key of this name, with the seed that is the default, in the place of any other.
ANYBODY = "anybody"
