"""An agent in its own process, with a store that other processes share. It pays once, under the id ``rent``, and prints
the outcome.

NET_FAILPOINT names the moment at which the process is killed, or paused if the name begins with ``stop:``. ``write`` is
the moment before the store writes the signed envelope.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import Any

from netsdk import Agent, AsyncAgent, NetsdkError
from netsdk.homes import Guard, SharedStore, leased_home
from tests.stores import Database

TASK = json.loads(sys.argv[1])
PLAN = os.environ.get("NET_FAILPOINT", "")
MOMENT = PLAN.removeprefix("stop:")
RENT: Any = {"to": TASK["landlord"], "amount": TASK["rent"]}
is_paying = False


def reach(name: str, action: str | None = None) -> None:
    global is_paying
    if is_paying and name == MOMENT:
        is_paying = False
        os.kill(os.getpid(), signal.SIGSTOP if PLAN != MOMENT else signal.SIGKILL)


class Watched:
    def __init__(self, store: SharedStore) -> None:
        self._store = store
        self.get, self.keys, self.add = store.get, store.keys, store.add

    def write_if(self, guard: Guard, key: str, text: str | None) -> bool:
        if key.startswith("state/act-"):
            reach("write")
        return self._store.write_if(guard, key, text)


def say(line: str) -> None:
    print(line, flush=True)


def begin() -> None:
    global is_paying
    say("open")
    is_paying = True


async def pay_asynchronously() -> None:
    agent = await AsyncAgent.open(TASK["agentId"], **options)
    begin()
    try:
        say(f"paid at {(await agent.act('transfer', RENT, id='rent'))['height']}")
    finally:
        await agent.stop()


def pay() -> None:
    agent = Agent.open(TASK["agentId"], **options)
    begin()
    try:
        say(f"paid at {agent.act('transfer', RENT, id='rent')['height']}")
    finally:
        agent.stop()


database = Database(TASK["kind"], TASK["socket"])
home = leased_home(Watched(database.store(TASK["agentId"])), lease=TASK["lease"])
options: dict[str, Any] = {**TASK["options"], "home": home, "reach": reach, "log": None}
try:
    asyncio.run(pay_asynchronously()) if TASK["isAsync"] else pay()
except NetsdkError as error:
    say(error.code)
finally:
    database.close()
