"""Runs vectors/formats/ with the formats of clients/python: a second reading of them.

    node scripts/check-format-vectors.mjs [folder]
"""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent / "clients/python/src"))

from check_vectors import report
from check_vectors.agent_metadata import agent_metadata
from check_vectors.judge import judge
from check_vectors.portable_memory import portable_memory
from check_vectors.sealed_content import sealed_content
from check_vectors.work_scope import work_scope

FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "vectors/formats"

TOPICS = {
    "work-scope": work_scope,
    "judge": judge,
    "agent-metadata": agent_metadata,
    "sealed-content": sealed_content,
    "portable-memory": portable_memory,
}

for topic_name, run in TOPICS.items():
    before = len(report.failures)
    run(json.loads((FOLDER / f"{topic_name}.json").read_text("utf-8")))
    report.failures[before:] = [f"{topic_name}: {failure}" for failure in report.failures[before:]]

for failure in report.failures:
    print(failure, file=sys.stderr)
print(f"{report.count - len(report.failures)} of {report.count} checks of {len(TOPICS)} formats passed")
sys.exit(1 if report.failures else 0)
