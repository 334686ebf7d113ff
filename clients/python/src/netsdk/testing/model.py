"""Test doubles for models: scripted answers written by hand, or recorded from a model."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from pathlib import Path
from typing import Any

from ..errors import NetsdkError

SCHEMA = "NET-MODEL-RECORDING/1"
#: Characters shown around a difference.
SHOWN = 60


class ModelQuestionError(NetsdkError):
    """A question differs from the script or recording, or an expected question was not asked."""

    code = "MODEL_QUESTION_UNKNOWN"


@dataclass(frozen=True)
class ScriptedAnswer:
    """An answer to a question that contains, or matches, ``when``."""

    when: str | re.Pattern[str]
    answer: Any


class ScriptedModel:
    """Answers from a list in order, or from a function.

    :param script: answers; use :class:`ScriptedAnswer` to check the question
    """

    def __init__(self, script: Sequence[Any] | Callable[[Any], Any]) -> None:
        self._script = script
        self._lock = threading.Lock()
        #: Questions so far, in order.
        self.asked: list[Any] = []

    def __call__(self, question: Any) -> Any:
        """Returns the next scripted answer.

        :raises ModelQuestionError: if none is left, or the question does not match
        """
        with self._lock:
            self.asked.append(question)
            turn = len(self.asked)
        if callable(self._script):
            return self._script(question)
        if turn > len(self._script):
            said = f"the script has {len(self._script)}: {_shown(_text_of(question))}"
            raise ModelQuestionError(f"question {turn} has no answer, {said}")
        following = self._script[turn - 1]
        if not isinstance(following, ScriptedAnswer):
            return following
        text, when = _text_of(question), following.when
        if isinstance(when, str):
            fits, what = when in text, f"hold {_json(when)}"
        else:
            fits, what = when.search(text) is not None, f"match {when.pattern}"
        if not fits:
            raise ModelQuestionError(f"question {turn} should {what}: {_shown(text)}")
        return following.answer

    async def ask(self, question: Any) -> Any:
        """Answers in asyncio. Awaits the script if it is asynchronous."""
        answer = self(question)
        return await answer if isawaitable(answer) else answer

    def done(self) -> None:
        """Checks that all answers were used.

        :raises ModelQuestionError: if some are left
        """
        left = 0 if callable(self._script) else len(self._script) - len(self.asked)
        if left > 0:
            raise ModelQuestionError(f"{left} of {len(self.asked) + left} answers were not asked for")


class RecordedModel:
    """Replays recorded answers, in any order of questions.

    A repeated question gets its answers in recorded order. Questions and answers are text or JSON.

    :param file: the recording, which contains every question: read it before you commit it
    :param ask: asks the model, only while recording
    :param record: asks the model and rewrites the file after each answer; default ``$NET_RECORD`` is 1
    :raises ModelQuestionError: if the file is missing or invalid
    """

    def __init__(
        self, file: str | Path, ask: Callable[[Any], Any | Awaitable[Any]], *, record: bool | None = None
    ) -> None:
        self._file = Path(file)
        self._ask = ask
        self._record = os.environ.get("NET_RECORD") == "1" if record is None else record
        self._lock = threading.Lock()
        self._left: list[dict[str, Any]] = [] if self._record else _exchanges_in(self._file)
        self._known = [_json(exchange["question"]) for exchange in self._left]
        #: Questions so far, in order.
        self.asked: list[Any] = []

    def __call__(self, question: Any) -> Any:
        """Returns the recorded answer, or asks and records.

        :raises ModelQuestionError: if the question was not recorded
        """
        if not self._record:
            return self._replayed(question)
        self._note(question)
        answer = self._ask(question)
        if isawaitable(answer):
            raise TypeError("the function that asks the model is awaited: await model.ask(question)")
        return self._written(question, answer)

    async def ask(self, question: Any) -> Any:
        """Answers in asyncio. Awaits the model if it is asynchronous."""
        if not self._record:
            return self._replayed(question)
        self._note(question)
        answer = self._ask(question)
        return self._written(question, await answer if isawaitable(answer) else answer)

    def done(self) -> None:
        """Checks that all recorded questions were asked.

        :raises ModelQuestionError: if some were not
        """
        if self._left and not self._record:
            first = _shown(_text_of(self._left[0]["question"]))
            counted = f"{len(self._left)} of {len(self._known)} questions in {self._file}"
            raise ModelQuestionError(f"{counted} were not asked, the first is {first}")

    def _note(self, question: Any) -> int:
        with self._lock:
            self.asked.append(question)
            return len(self.asked)

    def _written(self, question: Any, answer: Any) -> Any:
        with self._lock:
            self._left.append({"question": question, "answer": answer})
            recording = {"schema": SCHEMA, "exchanges": self._left}
            self._file.write_text(f"{json.dumps(recording, indent=2, ensure_ascii=False)}\n", "utf-8")
        return answer

    def _replayed(self, question: Any) -> Any:
        turn = self._note(question)
        text = _json(question)
        with self._lock:
            for index, exchange in enumerate(self._left):
                if _json(exchange["question"]) == text:
                    return self._left.pop(index)["answer"]
            times = self._known.count(text)
            if times:
                often = f"{times} time{'s' if times > 1 else ''}"
                why = f"it was recorded {often}, and is asked once more: {_shown(_text_of(question))}"
            elif self._left:
                why = _difference(self._left[0]["question"], json.loads(text))
            else:
                why = f"all {len(self._known)} that were recorded have been asked: {_shown(_text_of(question))}"
        where = f"question {turn} is not in {self._file}: {why}"
        raise ModelQuestionError(f"{where}. Record anew with NET_RECORD=1 where that is meant")


def scripted_model(script: Sequence[Any] | Callable[[Any], Any]) -> ScriptedModel:
    """Makes a :class:`ScriptedModel`."""
    return ScriptedModel(script)


def recorded_model(
    file: str | Path, ask: Callable[[Any], Any | Awaitable[Any]], *, record: bool | None = None
) -> RecordedModel:
    """Makes a :class:`RecordedModel`."""
    return RecordedModel(file, ask, record=record)


def _exchanges_in(file: Path) -> list[dict[str, Any]]:
    if not file.exists():
        what = "run the test once with NET_RECORD=1, which asks the model"
        raise ModelQuestionError(f"there is no recording {file}: {what}")
    try:
        recording = json.loads(file.read_text("utf-8"))
        exchanges: list[dict[str, Any]] = recording["exchanges"]
        if recording["schema"] == SCHEMA and all({"question", "answer"} <= set(each) for each in exchanges):
            return exchanges
    except (ValueError, LookupError, TypeError):
        pass
    raise ModelQuestionError(f"{file} is no recording of a model: {SCHEMA} is expected")


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _text_of(question: Any) -> str:
    return question if isinstance(question, str) else _json(question)


def _shown(text: str) -> str:
    return _json(f"{text[: 4 * SHOWN]}…" if len(text) > 4 * SHOWN else text)


def _difference(recorded: Any, asked: Any, path: str = "") -> str:
    if isinstance(recorded, dict) and isinstance(asked, dict):
        for name in dict.fromkeys([*recorded, *asked]):
            if recorded.get(name) != asked.get(name):
                return _difference(recorded.get(name), asked.get(name), f"{path}/{name}")
    if isinstance(recorded, list) and isinstance(asked, list):
        for index in range(max(len(recorded), len(asked))):
            one, other = (values[index] if index < len(values) else None for values in (recorded, asked))
            if one != other:
                return _difference(one, other, f"{path}/{index}")
    then, now = ("nothing" if value is None else _text_of(value) for value in (recorded, asked))
    pairs = zip(then, now, strict=False)
    at = next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(then), len(now)))
    shown = [_shown(text[max(0, at - SHOWN) : at + SHOWN]) for text in (then, now)]
    return f"{f'at {path} ' if path else ''}{shown[0]} was recorded, {shown[1]} is asked"
