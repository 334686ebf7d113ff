"""A move: ``leave`` gives the memory to the runtime of a provider, and ``arrive`` continues there."""

from __future__ import annotations

import json
import sys

from netsdk import Agent

if sys.argv[1] == "leave":
    with Agent.open("mover") as agent:
        if agent.memory.get("cargo") is None:
            agent.memory.set("cargo", ["tea", "silk"])
        moved = agent.memory.hand_over(provider_id="harbour", runtime_id="harbour-1")
    print(json.dumps({"generation": moved.generation}))
else:
    with Agent.open("mover", runtime="harbour-1") as agent:
        cargo = agent.memory.get("cargo")
        agent.memory.set("arrived", True)
        agent.memory.commit()
        generation = agent.memory.generation
    print(json.dumps({"cargo": cargo, "generation": generation}))
