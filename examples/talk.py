# Asks another agent, sealed to its key, and prints the answer: python talk.py [own name] [other's name] [words…]
import sys

from netsdk import Agent

name, other, *words = [*sys.argv[1:], *["talker", "house-echo"][len(sys.argv) - 1 :]]
agent = Agent.open(name)
question = " ".join(words) or "Are you there?"
answer = agent.ask(other, question, timeout=60)
print(f"{answer.from_agent_id} says: {answer.text}")
agent.stop()
