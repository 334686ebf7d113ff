from __future__ import annotations

from pathlib import Path

import pytest

from netsdk.control_token import control_headers

URL = "http://127.0.0.1:8420"
LAB = "/v1/lab/mine"


def test_it_is_given_else_in_the_environment_else_left_by_the_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("NET_CONTROL_TOKEN", raising=False)
    assert control_headers(URL, LAB, {}) == {}
    (tmp_path / ".netd/control").mkdir(parents=True)
    (tmp_path / ".netd/control/8420").write_text("left\n")
    assert control_headers(URL, LAB, {}) == {"x-net-control": "left"}
    assert control_headers("http://127.0.0.1:8421", LAB, {}) == {}
    assert control_headers("https://lab.example:8420", LAB, {}) == {}
    monkeypatch.setenv("NET_CONTROL_TOKEN", "configured")
    assert control_headers(URL, LAB, {}) == {"x-net-control": "configured"}
    assert control_headers("https://lab.example", LAB, {}) == {}
    assert control_headers("https://lab.example", LAB, {}, "given") == {"x-net-control": "given"}


@pytest.mark.parametrize("path", ["lab/time", "work-orders", "memory/checkpoints", "memory/handovers"])
def test_it_goes_with_laboratory_calls_and_unsigned_writes(path: str) -> None:
    assert control_headers(URL, f"/v1/{path}", {}, "given") == {"x-net-control": "given"}
    assert control_headers(URL, f"/v1/{path}", {"signature": ""}, "given") == {}


def test_it_goes_with_nothing_else() -> None:
    assert control_headers(URL, "/v1/intents:simulate", {}, "given") == {}
