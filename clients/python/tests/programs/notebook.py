"""Runs the notebook of this folder in a real kernel, and prints what its last cell shows."""

from __future__ import annotations

from pathlib import Path

from nbclient import NotebookClient
from nbformat import NotebookNode, reads

text = Path(__file__).with_suffix(".ipynb").read_text("utf-8")
read: NotebookNode = reads(text, as_version=4)  # type: ignore[no-untyped-call]
cells = NotebookClient(read, timeout=None, startup_timeout=600).execute()
for output in cells.cells[-1].outputs:
    print(output["text"])
