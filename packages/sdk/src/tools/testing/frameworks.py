"""Scripted models of frameworks, by the doubles of each one, pay with the tools of an agent: ``SESSION URL KEYS``."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import agents
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from netsdk.tools import AgentTools, AgentToolsError, langchain_tools, open_tools, openai_tools, pydantic_ai_tools


def payment(request: str, amount: str = "1 NET") -> dict[str, str]:
    return {"to": "bob", "amount": amount, "requestId": request}


def by_openai(tools: AgentTools) -> None:
    text = ResponseOutputText(text="paid", type="output_text", annotations=[])
    call = {"arguments": json.dumps(payment("py-openai")), "call_id": "c", "name": "agent_pay", "type": "function_call"}
    said = {"id": "m", "role": "assistant", "status": "completed", "type": "message", "content": [text]}
    turns: list[Any] = [[ResponseFunctionToolCall(**call)], [ResponseOutputMessage(**said)]]
    seen: list[dict[str, Any]] = []

    class Scripted(agents.Model):
        async def get_response(self, *_: Any, **request: Any) -> agents.ModelResponse:
            seen.append(request)
            return agents.ModelResponse(output=turns.pop(0), usage=agents.Usage(), response_id=None)

        def stream_response(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    agent = agents.Agent(name="a", model=Scripted(), tools=openai_tools(tools))
    quiet = agents.RunConfig(tracing_disabled=True)
    result = asyncio.run(agents.Runner.run(agent, "Pay bob", run_config=quiet))
    assert result.final_output == "paid"
    [shown] = [tool for tool in seen[0]["tools"] if tool.name == "agent_pay"]
    [given] = [tool for tool in tools.tools if tool.name == "agent_pay"]
    assert (shown.description, shown.params_json_schema) == (given.description, given.input_schema)
    assert "transitionHash" in json.dumps(seen[1]["input"][-1])


def by_langchain(tools: AgentTools) -> None:
    call = {"name": "agent_pay", "args": payment("py-langchain"), "id": "c"}
    model = FakeMessagesListChatModel(responses=[AIMessage(content="", tool_calls=[call])])
    [asked] = model.invoke("Pay bob").tool_calls
    [pay] = [tool for tool in langchain_tools(tools) if tool.name == asked["name"]]
    told = pay.invoke(asked)
    assert (told.tool_call_id, "transitionHash" in told.content) == ("c", True)
    # The same request again is the same payment.
    assert "transitionHash" in asyncio.run(pay.ainvoke(asked)).content


def by_pydantic_ai(tools: AgentTools) -> None:
    seen: list[Any] = []

    def say(messages: Any, info: Any) -> ModelResponse:
        seen.append((messages, info.function_tools))
        call = ToolCallPart("agent_pay", payment("py-pydantic"))
        return ModelResponse(parts=[call] if len(seen) == 1 else [TextPart("paid")])

    assert Agent(FunctionModel(say), tools=pydantic_ai_tools(tools)).run_sync("Pay bob").output == "paid"
    assert [tool.name for tool in seen[0][1]] == [tool.name for tool in tools.tools]
    assert "transitionHash" in seen[1][0][-1].parts[0].content


def main(session: str, url: str, keys: str) -> None:
    questions: list[str] = []

    def decline(question: str) -> bool:
        questions.append(question)
        return False

    with open_tools(session, url=url, keys=keys, ask_above="30 NET", approve=decline) as tools:
        assert "You act as the agent ada" in tools.instructions
        for pay_by in (by_openai, by_langchain, by_pydantic_ai):
            pay_by(tools)
        assert "APPROVAL_DECLINED" in tools.call("agent_pay", payment("py-much", "31 NET"))
        assert len(questions) == 1
        assert "31 NET" in questions[0]
    try:
        tools.call("agent_status")
        raise AssertionError("it has ended")
    except AgentToolsError as error:
        assert "has ended" in str(error)
    print("3 paid")


main(*sys.argv[1:])
