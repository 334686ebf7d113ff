"""Programs of the repository that tests run: by the Node that npm pins."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from functools import cached_property
from pathlib import Path
from typing import Any

from netsdk import AgentKey

ROOT = Path(__file__).parents[3]
#: Seconds after which a program counts as one that hangs, however busy the machine is.
HANGS = 600


def node() -> str:
    """Returns the path of ``NETD_NODE``, else of the Node that npm pins, else of the installed one."""
    pinned = ROOT / "node_modules/node/bin/node"
    found = os.environ.get("NETD_NODE") or (str(pinned) if pinned.exists() else shutil.which("node"))
    assert found, "there is no node"
    return found


def run_script(name: str, asked: Any) -> Any:
    """Sends JSON to a script of tests/scripts, and returns the JSON that it prints."""
    script = Path(__file__).parent / "scripts" / name
    ended = subprocess.run(
        [node(), str(script)], input=json.dumps(asked), capture_output=True, text=True, timeout=HANGS, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


class RunningNode:
    """A devnet of its own: ``netd dev`` on a free port, in a directory that goes with it."""

    def __init__(self, directory: Path, *arguments: str, short_juries: bool = False) -> None:
        self.directory = directory
        self._log = (directory / "log").open("w")
        genesis = str(Path(__file__).parent / "scripts/genesis.mjs")
        short = ["short"] if short_juries else []
        subprocess.run([node(), genesis, str(directory), *short], check=True, timeout=HANGS)
        main = str(ROOT / "packages/cli/src/main.ts")
        options = ["--port", "0", "--data-dir", str(directory), "--block-time", "5", "--house", "none", *arguments]
        self._process = subprocess.Popen(
            [node(), main, "dev", *options], stdout=self._log, stderr=subprocess.STDOUT, cwd=directory
        )
        self.facts = self._wait()
        self.url = str(self.facts["url"])

    def _wait(self) -> dict[str, Any]:
        until = time.monotonic() + HANGS
        while time.monotonic() < until and self._process.poll() is None:
            facts = facts_in(self.directory / "dev.json")
            if facts is not None:
                return facts
            time.sleep(0.05)
        self.stop()
        raise RuntimeError((self.directory / "log").read_text("utf-8"))

    def operator(self) -> tuple[str, AgentKey]:
        """Returns the id and the key of the operator, an actor that may do everything."""
        file = json.loads(Path(self.facts["operatorKeyPath"]).read_text("utf-8"))
        return str(file["actorId"]), AgentKey.from_pem(file["privateKey"], file["publicKey"])

    def stop(self) -> None:
        """Ends it in order, or kills it if that takes too long."""
        self._process.terminate()
        try:
            self._process.wait(HANGS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()


def facts_in(path: Path) -> dict[str, Any] | None:
    """Returns the facts that a program writes about itself, or None until its file is complete."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return None
    found: dict[str, Any] | None = json.loads(text) if text.endswith("}\n") else None
    return found


class RunningBlobs:
    """A blob store for a node: ``netd blobs``, on a free port if none is given."""

    def __init__(self, directory: Path, node_url: str, port: int = 0) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        main = str(ROOT / "packages/cli/src/main.ts")
        options = ["--port", str(port), "--data-dir", str(directory / "data"), "--node-url", node_url]
        self._log = (directory / "log").open("w+")
        self._process = subprocess.Popen(
            [node(), main, "blobs", *options], stdout=self._log, stderr=subprocess.STDOUT, cwd=directory
        )
        self._directory = directory

    @cached_property
    def url(self) -> str:
        """The address of the store. Blocks until the store is ready."""
        until = time.monotonic() + HANGS
        while time.monotonic() < until and self._process.poll() is None:
            facts = facts_in(self._directory / "data/blobs.json")
            if facts is not None:
                return str(facts["url"])
            time.sleep(0.05)
        self.stop()
        raise RuntimeError((self._directory / "log").read_text("utf-8"))

    def stop(self) -> None:
        """Ends it."""
        self._process.terminate()
        self._process.wait(HANGS)
        self._log.close()


class RunningFollowers:
    """The nodes of tests/scripts/followers.mjs: the addresses of ``writer``, ``twin``, ``follower`` and ``halted``."""

    def __init__(self) -> None:
        script = Path(__file__).parent / "scripts/followers.mjs"
        self._process = subprocess.Popen(
            [node(), str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        assert self._process.stdout is not None
        facts = json.loads(self._process.stdout.readline())
        self.writer, self.twin = str(facts["writer"]), str(facts["twin"])
        self.follower, self.halted = str(facts["follower"]), str(facts["halted"])
        #: The height at which the two histories begin to differ.
        self.height = int(facts["height"])

    def stop(self) -> None:
        """Ends them in order."""
        self._process.communicate(timeout=HANGS)
