"""Keys of laboratories. Anyone with the seed can derive them, in every language."""

from __future__ import annotations

from ..lab_seed import DEFAULT_SEED, lab_key

__all__ = ["ANYBODY", "DEFAULT_SEED", "lab_key"]

#: Name of a key, under the default seed, that a laboratory accepts in place of any actor's key.
ANYBODY = "anybody"
