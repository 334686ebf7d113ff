"""Programs of the repository that tests run: by the Node that npm pins."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


def node() -> str:
    """The Node that runs the checks, else the one that npm brings."""
    pinned = ROOT / "node_modules/node/bin/node"
    found = os.environ.get("NETD_NODE") or (str(pinned) if pinned.exists() else shutil.which("node"))
    assert found, "there is no node"
    return found


def run_script(name: str, asked: Any) -> Any:
    """What a script of tests/scripts answers to JSON on its standard input."""
    script = Path(__file__).parent / "scripts" / name
    ended = subprocess.run(
        [node(), str(script)], input=json.dumps(asked), capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)
