"""The wheel that Node writes without Python: the same bytes every time, what hatchling would pack, and pip takes it."""

from __future__ import annotations

import email
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import netsdk
from tests.node import HANGS, ROOT, node

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[1]


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
    for header in ("Name", "Version", "Summary", "License-Expression", "License-File", "Requires-Python"):
        assert metadata[0][header] == metadata[1][header], header
    assert sorted(metadata[0].get_all("Classifier", [])) == sorted(metadata[1].get_all("Classifier", []))
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
