"""Sells a crew of CrewAI with a scripted model on a node: ``URL KEYS STORE…``."""

from __future__ import annotations

import sys
import threading
from typing import Any

from crewai import Agent as Member
from crewai import BaseLLM, Crew, Task
from pydantic import BaseModel

from netsdk import Agent
from netsdk.services import crew_service

HANGS = 120


class Text(BaseModel):
    text: str


class Letters(BaseModel):
    letters: int


class Scripted(BaseLLM):
    def call(self, messages: Any, *_: Any, **__: Any) -> str:
        assert "Count four" in str(messages)
        return 'Thought: done\nFinal Answer: {"letters": 4}'

    def supports_function_calling(self) -> bool:
        return False


def main(url: str, keys: str, *blobs: str) -> None:
    member = Member(role="counter", goal="count", backstory="It counts.", llm=Scripted(model="scripted"))
    task = Task(description="Count {text}", expected_output="JSON", agent=member, output_pydantic=Letters)
    crew = Crew(agents=[member], tasks=[task])
    service = crew_service(crew, name="by-crew", input=Text, output=Letters, price="5 NET")
    options: dict[str, Any] = {"url": url, "keys": keys, "blobs": blobs, "memory": False, "log": None}
    with Agent.open("crewwork", **options) as worker, Agent.open("crewbuy", **options) as buyer:
        buyer.act("faucet", {"amount": "20 NET"}, id="money")
        worker.serve(service)
        threading.Thread(target=worker.run, daemon=True).start()
        result = buyer.call(service, Text(text="four"), id="crew-1", timeout=HANGS)
        status = buyer.hired("crew-1").accept()["status"]
        print(f"{result!r} {status}")


main(*sys.argv[1:])
