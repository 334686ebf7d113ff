"""An agent in a process of its own, to be killed: arguments are its name, its options as JSON, and a file.

NET_FAILPOINT says at which moment it dies, as ``act.signed@acceptWork`` or ``work.kept``. It appends what its handlers
do to the file, and ends by itself when it was paid, has taken a memory over, has remembered NET_REMEMBER, or has done
NET_LAST: ``rotate``, or ``<provider>/<runtime>`` to hand its memory over.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from netsdk import Agent, Job, Message
from netsdk.agent import RestoredMemory
from netsdk.agent.agent_events import PaidEvent, RestoredEvent

NAME, OPTIONS, TRACE = sys.argv[1], json.loads(sys.argv[2]), Path(sys.argv[3])
PLAN, _, ACTION = os.environ.get("NET_FAILPOINT", "").partition("@")


def reach(name: str, action: str | None) -> None:
    if name == PLAN and ACTION in ("", action):
        os.kill(os.getpid(), signal.SIGKILL)


def trace(line: str) -> None:
    with TRACE.open("a") as file:
        file.write(line + "\n")


agent = Agent.open(NAME, **OPTIONS, reach=reach)


@agent.on_work
def work(job: Job) -> str:
    result = in_steps(job) if NAME == "stepper" else f"The result of {job.order_id}"
    trace(f"worked on {job.order_id}")
    return result


def in_steps(job: Job) -> str:
    """Thinks, hires and pays once, with terms that differ in each run."""

    def think() -> str:
        trace(f"thought of {job.order_id}")
        return f"Thought by {os.getpid()}"

    thought = job.step("think", think)
    hired = job.hire(
        "help",
        title="Anything",
        instructions=f"As JSON, asked by {os.getpid()}.",
        acceptance=[{"kind": "json-schema", "schema": {}}],
        funding="5 NET",
    )
    receipt = job.act("tip", "transfer", {"to": "helper", "amount": os.getpid()})
    trace(f"Thus {thought}, hired {hired.order_id}, paid {receipt['transitionHash']}")
    return thought


@agent.on_message
def answer(message: Message) -> str:
    trace(f"heard {message.message_id}")
    return f"You said: {message.text}"


@agent.on("paid")
def paid(event: PaidEvent) -> None:
    trace(f"paid {event['order_id']}")
    agent.stop()


@agent.on_handover
def take(memory: RestoredMemory) -> None:
    trace(f"took {memory.agent_id} {memory.entries}")


@agent.on("restored")
def restored(event: RestoredEvent) -> None:
    agent.stop()


remember, last = os.environ.get("NET_REMEMBER"), os.environ.get("NET_LAST", "")
if last == "rotate":
    agent.rotate_encryption_key()
    agent.stop()
elif last:
    provider_id, _, runtime_id = last.partition("/")
    agent.memory.hand_over(provider_id=provider_id, runtime_id=runtime_id)
    agent.stop()
elif remember:
    agent.memory.set("remembered", remember)
    agent.memory.commit()
    trace(f"remembered {remember}")
    agent.stop()
else:
    agent.run()
