"""Plays steps of conformance/scenario/scenario.json: one JSON object per line in, one answer per line out.

Its argument is the options of its agents as JSON, where ``elsewhere`` is the directory of keys of another machine.
"""

from __future__ import annotations

import json
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

from netsdk import Agent, NetClient, VerifiedReader
from netsdk.agent import RestoredMemory
from netsdk.agent.errors import code_of
from netsdk.formats import work_scope
from tests.world import POLICY

OPTIONS: dict[str, Any] = json.loads(sys.argv[1])
ELSEWHERE = OPTIONS.pop("elsewhere")
AGENTS: dict[str, Agent] = {}
RUNNING: list[threading.Thread] = []
PAID: dict[str, int] = {}
#: What was handed over, by whose it is.
TAKEN: dict[str, dict[str, Any]] = {}


def take(memory: RestoredMemory) -> None:
    told = {"runtime": memory.runtime_id, "generation": memory.generation, "entries": memory.entries}
    TAKEN[memory.agent_id] = told


def keep(agent: Agent, works: bool) -> dict[str, Any]:
    """A session only acts: its agent may be at work elsewhere."""
    AGENTS[agent.agent_id] = agent
    if works:
        agent.on_work(lambda job: f"done: {job.scope['title']}")
        agent.on_message(lambda message: f"heard: {message.text}")
        agent.on("paid")(lambda event: PAID.update({event["order_id"]: event["amount"]}))
        agent.on_handover(take)
        thread = threading.Thread(target=agent.run, daemon=True)
        thread.start()
        RUNNING.append(thread)
    return {}


def open_agent(step: dict[str, Any]) -> dict[str, Any]:
    away = step.get("elsewhere", False)
    options = OPTIONS | {"runtime": step.get("runtime")} | ({"keys": ELSEWHERE} if away else {})
    return keep(Agent.open(step["agent"], **options), not away)


def open_session(step: dict[str, Any]) -> dict[str, Any]:
    return keep(Agent.open_session(step["session"], **(OPTIONS | {"keys": ELSEWHERE})), works=False)


def act(step: dict[str, Any]) -> dict[str, Any]:
    AGENTS[step["agent"]].act(step["action"], step["payload"])
    return {}


def offer(step: dict[str, Any]) -> dict[str, Any]:
    agent = AGENTS[step["agent"]]
    scope = work_scope.make(
        {
            "schema": "NET-WORK-SCOPE/1",
            "title": step["title"],
            "instructions": "Say the title.",
            "inputs": [],
            "deliverable": {"mediaType": "text/plain", "maxBytes": 1_000},
            "acceptance": [{"kind": "review", "question": "Is it the title?"}],
        }
    )
    payload: Any = {
        "orderId": step["order"],
        "agentId": step["to"],
        "title": "A job of the scenario",
        "scopeHash": agent.store(scope.data),
        "jobType": "research",
        "requirements": ["research"],
        "funding": step["funding"],
        "validationPolicy": POLICY,
    }
    agent.act("createWorkOrder", payload)
    return {}


def paid(step: dict[str, Any]) -> dict[str, Any]:
    while step["order"] not in PAID:
        time.sleep(0.025)
    return {"amount": PAID[step["order"]]}


def result(step: dict[str, Any]) -> dict[str, Any]:
    agent = AGENTS[step["agent"]]
    order = agent.client.read("/v1/work-orders/{orderId}", orderId=step["order"])["order"]
    assert order["result"]
    return {"status": order["status"], "text": agent.fetch(order["result"]["deliverableHash"]).decode()}


def ask(step: dict[str, Any]) -> dict[str, Any]:
    answer = AGENTS[step["agent"]].ask(step["to"], step["text"])
    return {"text": answer.text, "from": answer.from_agent_id}


def remember(step: dict[str, Any]) -> dict[str, Any]:
    memory = AGENTS[step["agent"]].memory
    memory.set(step["key"], step["value"])
    memory.commit()
    return {"generation": memory.generation}


def recall(step: dict[str, Any]) -> dict[str, Any]:
    memory = AGENTS[step["agent"]].memory
    return {"value": memory.get(step["key"]), "generation": memory.generation}


def rotate(step: dict[str, Any]) -> dict[str, Any]:
    AGENTS[step["agent"]].rotate_encryption_key()
    return {}


def hand_over(step: dict[str, Any]) -> dict[str, Any]:
    memory = AGENTS[step["agent"]].memory
    return {"generation": memory.hand_over(provider_id=step["to"], runtime_id=step["runtime"]).generation}


def taken(step: dict[str, Any]) -> dict[str, Any]:
    while step["from"] not in TAKEN:
        time.sleep(0.025)
    return TAKEN[step["from"]]


def grant(step: dict[str, Any]) -> dict[str, Any]:
    path = AGENTS[step["agent"]].grant_session(actions=step["actions"], budget=step["budget"])
    return {"saved": str(path)}


def close(step: dict[str, Any]) -> dict[str, Any]:
    AGENTS.pop(step["agent"]).stop()
    return {}


def prove(step: dict[str, Any]) -> dict[str, Any]:
    with NetClient(OPTIONS["url"]) as client:
        reader = VerifiedReader(client, genesis_hash=step["genesisHash"])
        read = [(key, reader.read_state(key)) for key in step["keys"]]
    told = [
        {"key": key, "present": state.present, "value": state.value, "verdict": state.verdict} for key, state in read
    ]
    return {"proven": told}


PLAYS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "open": open_agent,
    "openSession": open_session,
    "handOver": hand_over,
    **{
        play.__name__: play
        for play in (act, offer, paid, result, ask, remember, recall, rotate, taken, grant, close, prove)
    },
}

for line in sys.stdin:
    asked = json.loads(line)
    try:
        answer = PLAYS[asked["do"]](asked)
    except Exception as error:
        code = code_of(error)
        answer = {"error": traceback.format_exc()} if code == "UNEXPECTED" else {"code": code}
    print(json.dumps(answer), flush=True)
for agent in AGENTS.values():
    agent.stop()
