"""Model doubles give recorded answers, and report a question that differs from the record."""

from __future__ import annotations

import asyncio
import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest

from netsdk.testing import ModelQuestionError, ScriptedAnswer, recorded_model, scripted_model
from tests.node import ROOT

VECTOR = ROOT / "vectors/lab/model-recording.json"


def never(_: Any) -> Any:
    raise AssertionError("the model is asked")


def test_a_script_answers_in_turn_to_what_it_expects_and_no_more_often() -> None:
    model = scripted_model(["Ada.", ScriptedAnswer(re.compile("rain"), "Drip."), ScriptedAnswer("sun", "")])
    assert model("A name?") == "Ada."
    assert asyncio.run(model.ask({"prompt": "some rain"})) == "Drip."
    with pytest.raises(ModelQuestionError, match="1 of 3 answers were not asked for"):
        model.done()
    with pytest.raises(ModelQuestionError, match='question 3 should hold "sun": "The moon"'):
        model("The moon")
    with pytest.raises(ModelQuestionError, match="question 4 has no answer, the script has 3"):
        model("x" * 500)
    assert model.asked[:2] == ["A name?", {"prompt": "some rain"}]
    echo = scripted_model(lambda question: f"You said {question}")
    assert echo("a") == "You said a"
    echo.done()


def test_a_recording_asks_the_model_once_and_replays_what_it_said_in_any_order(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    turns: list[Any] = []

    def ask(question: Any) -> str:
        turns.append(question)
        return f"{question['prompt']} {len(turns)}"

    one, two = [{"prompt": prompt, "temperature": 0.7} for prompt in ("one", "two")]
    recording = recorded_model(file, ask, record=True)
    for question in (one, two, one):
        recording(question)
    recording.done()
    replayed = recorded_model(file, never)
    assert replayed({"temperature": 0.7, "prompt": "two"}) == "two 2"
    assert asyncio.run(replayed.ask(one)) == "one 1"
    with pytest.raises(ModelQuestionError, match=r"1 of 3 questions in .* were not asked, .*one"):
        replayed.done()
    assert replayed(one) == "one 3"
    replayed.done()
    with pytest.raises(ModelQuestionError, match=r"question 4 .* recorded 2 times, and is asked once more"):
        replayed(one)
    with pytest.raises(ModelQuestionError, match="all 3 that were recorded have been asked"):
        replayed({"prompt": "three"})
    assert len(turns) == 3


def test_a_model_that_is_awaited_is_recorded_too(tmp_path: Path) -> None:
    async def ask(question: Any) -> str:
        return f"{question}!"

    recording = recorded_model(tmp_path / "answers.json", ask, record=True)
    assert asyncio.run(recording.ask("a")) == "a!"
    with pytest.raises(TypeError, match=r"await model\.ask"):
        recorded_model(tmp_path / "other.json", lambda _: AWAITED, record=True)("a")


class _Awaited:
    def __await__(self) -> Any:
        yield


AWAITED = _Awaited()


def test_a_question_that_differs_is_refused_with_the_place_where_it_does() -> None:
    model = recorded_model(VECTOR, never)
    question = json.loads(VECTOR.read_text("utf-8"))["exchanges"][0]["question"]
    other = copy.deepcopy(question)
    other["messages"][0]["content"] += " Be brief."
    with pytest.raises(ModelQuestionError, match=r'at /messages/0/content ".*" was recorded, ".* Be brief\." is asked'):
        model(other)
    with pytest.raises(ModelQuestionError, match='at /stop "nothing" was recorded'):
        model(question | {"stop": "x"})
    assert model(question) == "Drip, drip, drip."
    assert model("Which is the fourth planet?") == "Mars."
    model.done()


def test_what_is_no_recording_is_said_to_be_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "none.json"
    with pytest.raises(ModelQuestionError, match=r"there is no recording .*none\.json: run the test once"):
        recorded_model(file, never)
    for text in ("{", '{"schema": "NET-MODEL-RECORDING/2", "exchanges": []}', '{"exchanges": [{}]}'):
        file.write_text(text)
        with pytest.raises(ModelQuestionError, match="is no recording of a model"):
            recorded_model(file, never)
    monkeypatch.setenv("NET_RECORD", "1")
    assert recorded_model(file, lambda question: question)("a") == "a"
    monkeypatch.delenv("NET_RECORD")
    assert recorded_model(file, never)("a") == "a"
