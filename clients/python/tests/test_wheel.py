"""The wheel that Node writes without Python: the same bytes every time, what hatchling would pack, and pip takes it."""

from __future__ import annotations

import email
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement

import netsdk
from tests.node import HANGS, ROOT, RunningNode, node

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[1]
#: The environment without this machine's indexes and proxies: the installers need only a loopback address.
ALONE = {name: value for name, value in os.environ.items() if not name.upper().startswith(("PIP_", "UV_"))} | {
    "PIP_CONFIG_FILE": os.devnull,
    "UV_NO_CONFIG": "1",
    "UV_NO_CACHE": "1",
    "NO_PROXY": "127.0.0.1",
}


def build(directory: Path, **environment: str) -> Path:
    script = str(ROOT / "scripts/build-python.mjs")
    clean = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    asked = [node(), script, str(directory)]
    told = subprocess.run(asked, check=True, capture_output=True, text=True, env=clean | environment, timeout=HANGS)
    return Path(told.stdout.strip())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


def test_every_build_gives_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    assert build(tmp_path).read_bytes() == wheel.read_bytes()
    dated = build(tmp_path / "dated", SOURCE_DATE_EPOCH="1800000000")
    assert zipfile.ZipFile(dated).infolist()[0].date_time == (2027, 1, 15, 8, 0, 0)


def test_it_holds_what_hatchling_would_pack(wheel: Path, tmp_path: Path) -> None:
    hatch = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(hatch, check=True, capture_output=True, cwd=PROJECT, timeout=HANGS)
    theirs, ours = zipfile.ZipFile(next(tmp_path.glob("*.whl"))), zipfile.ZipFile(wheel)
    assert wheel.name == Path(str(theirs.filename)).name
    assert ours.testzip() is None
    assert sorted(ours.namelist()) == sorted(theirs.namelist())
    for name in ours.namelist():
        if not name.endswith(("/METADATA", "/WHEEL", "/RECORD")):
            assert ours.read(name) == theirs.read(name), name
    metadata = [
        email.message_from_bytes(each.read(f"netsdk-{netsdk.__version__}.dist-info/METADATA"))
        for each in (ours, theirs)
    ]
    assert {each.compress_type for each in ours.infolist()} == {zipfile.ZIP_DEFLATED}
    for header in (
        *("Name", "Author", "Project-URL", "Version", "Summary"),
        *("License-Expression", "License-File", "Requires-Python"),
    ):
        assert metadata[0][header] == metadata[1][header], header
    assert sorted(metadata[0].get_all("Classifier", [])) == sorted(metadata[1].get_all("Classifier", []))
    assert metadata[0]["Author"]
    assert metadata[0]["Project-URL"]
    required = [{Requirement(each) for each in told.get_all("Requires-Dist", [])} for told in metadata]
    assert required[0] == required[1]
    assert metadata[0].get_payload() == metadata[1].get_payload()


def test_pip_installs_it_and_it_works_from_there(wheel: Path, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(tmp_path)]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True, timeout=HANGS)
    program = (
        "import json, netsdk\n"
        "from netsdk.contracts import contract\n"
        "names = [getattr(netsdk, name) for name in netsdk.__all__]\n"
        "from netsdk.formats import work_scope\n"
        "print(json.dumps([netsdk.__file__, len(contract('errors')['errors']), len(contract('actions')['actions'])]))"
    )
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    told = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=HANGS,
    )
    path, errors, actions = json.loads(told.stdout)
    assert path.startswith(str(tmp_path))
    assert errors > 100
    assert actions > 50


def test_the_version_is_the_one_of_the_repository() -> None:
    package = json.loads((ROOT / "package.json").read_text("utf-8"))
    assert netsdk.__version__ == package["version"]
    assert f'version = "{package["version"]}"' in (PROJECT / "pyproject.toml").read_text("utf-8")
    assert (PROJECT / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


INSTALLERS = {"pip": ["-m", "pip", "install", "--disable-pip-version-check"], "uv": ["-m", "uv", "pip", "install"]}


@pytest.mark.parametrize("installer", INSTALLERS)
def test_the_line_that_the_node_prints_installs_the_wheel_of_its_hash(
    net: RunningNode, tmp_path: Path, installer: str
) -> None:
    guide = httpx.get(f"{net.url}/docs/guides/get-paid.md").text
    found = re.search(r"^pip install '(netsdk @ \S+)'$", guide, re.MULTILINE)
    assert found
    install = [sys.executable, *INSTALLERS[installer], "--no-deps", "--target"]
    subprocess.run([*install, str(tmp_path), found[1]], check=True, capture_output=True, env=ALONE, timeout=HANGS)
    assert (tmp_path / f"netsdk-{netsdk.__version__}.dist-info").is_dir()
    line, _, sha256 = found[1].partition("#sha256=")
    assert len(sha256) == 64
    other = [*install, str(tmp_path / "other"), f"{line}#sha256={'0' * 64}"]
    refused = subprocess.run(other, check=False, capture_output=True, text=True, env=ALONE, timeout=HANGS)
    assert refused.returncode != 0
    assert re.search(r"hash", refused.stderr, re.IGNORECASE)


@pytest.mark.parametrize("installer", INSTALLERS)
def test_the_index_of_the_node_finds_the_wheel_by_its_name(net: RunningNode, tmp_path: Path, installer: str) -> None:
    index = ["--no-deps", "--target", str(tmp_path), "--index-url", f"{net.url}/simple/", "netsdk"]
    install = [sys.executable, *INSTALLERS[installer], *index]
    subprocess.run(install, check=True, capture_output=True, env=ALONE, timeout=HANGS)
    assert (tmp_path / f"netsdk-{netsdk.__version__}.dist-info").is_dir()
