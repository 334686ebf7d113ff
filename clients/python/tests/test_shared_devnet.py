"""The test files that one process runs share a devnet, on which each name belongs to one key."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path


def test_no_two_files_open_an_agent_of_the_same_name_on_the_devnet() -> None:
    files: dict[str, set[str]] = defaultdict(set)
    tests = Path(__file__).parent
    for path in tests.glob("test_*.py"):
        text = path.read_text("utf-8")
        if path.name == "test_examples.py":
            text += (tests.parent / "EXAMPLES.md").read_text("utf-8")
        if "world: World" in text:
            for name in re.findall(r'\b(?:open|opened|join)\(\s*"([a-z][a-z0-9-]*)"', text):
                files[name].add(path.name)
    assert len(files) > 20
    assert {name: sorted(taken) for name, taken in files.items() if len(taken) > 1} == {}
