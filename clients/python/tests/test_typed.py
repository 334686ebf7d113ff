"""Typed work: schemas of types, JSON read into them, and what a checker refuses."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field
from typing_extensions import assert_type

from netsdk import Agent, AgentError, AsyncAgent, Job, Message, define_service
from netsdk.agent import HireResult
from netsdk.agent.service import handlers_of, typed_handler
from netsdk.agent.typed import Codec, MistypedError, codec_of
from netsdk.formats import FormatError, work_scope


@dataclass
class Source:
    url: str
    kind: Literal["page", "paper"] = "page"


@dataclass
class Question:
    text: str
    sources: list[Source] = field(default_factory=list)
    budget: float | None = None


class Answer(BaseModel):
    summary: str = Field(min_length=1)
    sources: list[Source]


class Tree(BaseModel):
    children: list[Tree] = []


def scope_of(schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema": "NET-WORK-SCOPE/1",
        "title": "x",
        "instructions": "",
        "inputs": [],
        "deliverable": {"mediaType": "application/json", "maxBytes": 1_000},
        "acceptance": [{"kind": "json-schema", "schema": schema}],
    }


def test_a_dataclass_gives_a_schema_and_reads_json_without_pydantic() -> None:
    codec = codec_of(Question, "returns")
    assert codec.schema["required"] == ["text", "sources", "budget"]
    assert codec.schema["properties"]["sources"]["items"]["properties"]["kind"] == {"enum": ["page", "paper"]}
    work_scope.make(scope_of(codec.schema))
    question = Question("why", [Source("https://a.example", "paper")], 0.5)
    written = codec.write(question, "RESULT_INVALID")
    assert written["sources"] == [{"url": "https://a.example", "kind": "paper"}]
    assert codec.read(b'{"text": "why", "sources": [{"url": "u"}], "budget": 2}') == Question("why", [Source("u")], 2.0)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'{"text": 1}', "/text: string is needed, not 1"),
        (b"{}", "/text: it is missing"),
        (b'{"text": "", "sources": [{"url": "u", "kind": "book"}]}', '/sources/0/kind: one of ["page", "paper"]'),
        (b"[" * 100_000, "no JSON"),
    ],
)
def test_json_that_a_dataclass_refuses_is_named_by_its_path(data: bytes, told: str) -> None:
    with pytest.raises(MistypedError) as caught:
        codec_of(Question, "returns").read(data)
    assert told in str(caught.value)


def test_a_pydantic_model_gives_a_schema_with_references_that_verifiers_judge() -> None:
    codec = codec_of(Answer, "returns")
    assert codec.schema["properties"]["sources"]["items"] == {"$ref": "#/$defs/Source"}
    work_scope.make(scope_of(codec.schema))
    answer = Answer(summary="so", sources=[Source("u")])
    assert codec.write(answer, "RESULT_INVALID") == {"summary": "so", "sources": [{"url": "u", "kind": "page"}]}
    with pytest.raises(AgentError, match=r"/sources/0/url: .*string") as wrong:
        codec.write({"summary": "so", "sources": [{"url": 3}]}, "RESULT_INVALID")
    assert wrong.value.data["path"] == "/sources/0/url"
    assert codec.read(b'{"summary": "so", "sources": [{"url": "u"}]}') == answer
    with pytest.raises(MistypedError, match=r"^/summary: "):
        codec.read(b'{"summary": "", "sources": []}')
    assert codec_of(list[Answer], "returns").schema["type"] == "array"


def test_a_wrong_type_or_handler_is_refused_with_what_to_write_instead() -> None:
    types: Any = {"name": "n", "input": Question, "output": Answer, "price": "1 NET"}
    for given, words in (
        ({"output": type("Odd", (), {})}, "give a dataclass, a pydantic model"),
        ({"handler": lambda: None}, r"must take one argument \(too many positional"),
        ({"handler": 5}, "not a function, but int"),
    ):
        with pytest.raises(AgentError, match=words) as refused:
            define_service(**types | given)
        assert refused.value.code == "ARGUMENT_INVALID"
    with pytest.raises(AgentError, match="n: there is no handler"):
        handlers_of([define_service(**types)])


class Lookahead(BaseModel):
    code: str = Field(json_schema_extra={"pattern": "^(?!x)a"})


@pytest.mark.parametrize(("kind", "path"), [(Lookahead, "properties/code/pattern"), (Tree, "")])
def test_a_schema_that_no_verifier_judges_is_refused_with_its_path(kind: Any, path: str) -> None:
    with pytest.raises(FormatError) as caught:
        work_scope.make(scope_of(codec_of(kind, "returns").schema))
    assert caught.value.code == "SCOPE_UNJUDGEABLE"
    assert caught.value.path.startswith(f"/acceptance/0/schema/{path}")


def test_a_type_without_a_schema_is_no_argument() -> None:
    with pytest.raises(AgentError) as caught:
        codec_of(Awaitable, "returns")
    assert caught.value.code == "ARGUMENT_INVALID"


def test_a_handler_is_read_by_its_annotations() -> None:
    def typed(job: Job[Question]) -> list[Answer]:
        return []

    def plain(job: Job) -> str:
        return ""

    handler = typed_handler(typed)
    assert isinstance(handler.input, Codec)
    assert isinstance(handler.output, Codec)
    assert typed_handler(plain)[1:4] == (None, None, None)
    assert typed_handler(lambda job: "")[1:4] == (None, None, None)

    class Local(BaseModel):
        text: str

    def local(job: Job[Local]) -> str:
        return job.data.text

    with pytest.raises(AgentError, match="define the types of a job in the module"):
        typed_handler(local)


def test_a_checker_knows_the_types_of_work() -> None:
    def mistakes(agent: Agent, other: AsyncAgent) -> None:
        def nothing(job: Job[Question]) -> None: ...

        def another(message: Message) -> str:
            return message.text or ""

        async def later(job: Job[Question]) -> int:
            return 1

        agent.on_work(nothing)  # type: ignore[type-var]
        agent.on_work(another)  # type: ignore[type-var]
        other.on_work(later)  # type: ignore[type-var]
        define_service(name="x", input=Question, output=Answer, price="1 NET", handler=wrong)  # type: ignore[arg-type]
        agent.call(service, Source("u"))  # type: ignore[misc]
        agent.hire(title="x", instructions="y", funding="1 NET", returns="Answer")  # type: ignore[call-overload]

    def wrong(job: Job[Source]) -> Answer:
        return Answer(summary="", sources=[])

    def answer(job: Job[Question]) -> Answer:
        return Answer(summary=assert_type(job.data.text, str), sources=job.data.sources)

    service = define_service(name="answers", input=Question, output=Answer, price="1 NET", handler=answer)

    def right(agent: Agent) -> None:
        agent.on_work(answer)
        agent.on_work(min_funding="1 NET")(lambda job: "")
        agent.serve(service)
        assert_type(agent.call(service, Question("why")), Answer)
        hired = agent.hire(title="x", instructions="y", funding="1 NET", returns=Answer, input=Question("why"))
        assert_type(hired.result(), HireResult[Answer])
        assert_type(agent.hired("order-1").result().value, None)

    assert service.handler is answer
    asked = define_service(name="answers", input=Question, output=Answer, price="1 NET")
    assert dataclasses.replace(asked, handler=answer) == service
    assert [mistakes.__name__, right.__name__] == ["mistakes", "right"]


def test_a_service_that_no_jury_can_judge_is_refused_when_it_is_defined() -> None:
    class Word(BaseModel):
        word: str = Field(json_schema_extra={"pattern": "^(?=.*[0-9]).+$"})

    with pytest.raises(FormatError, match=r"lookarounds and names: use \( \) or \(\?: \)") as refusal:
        define_service(name="x", input=Question, output=Word, price="1 NET")
    assert (refusal.value.code, refusal.value.path) == ("SCOPE_UNJUDGEABLE", "/output/properties/word/pattern")
    for name, price, path in (("x", "1", "/price"), ("x", 0, "/price"), ("n" * 129, "1 NET", "/name")):
        with pytest.raises(AgentError, match=f"\\({path[1:]}: ") as refused:
            define_service(name=name, input=Question, output=Answer, price=price)
        assert refused.value.data["path"] == path
