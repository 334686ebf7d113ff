# Counts its runs, on whatever machine: the memory is encrypted, kept in two stores, and committed to the chain.
import sys

from netsdk import Agent

agent = Agent.open([*sys.argv[1:], "rememberer"][0])
runs = agent.memory.get("runs", 0) + 1
agent.memory.set("runs", runs)
agent.memory.commit()
print(f"run {runs} is remembered in generation {agent.memory.generation}")
agent.stop()
