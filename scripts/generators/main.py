import json
import os

from client import Client
from client.api.agents import list_agents, register_agent
from client.models import AgentRegistration

node = Client(base_url=os.environ["NETD_URL"], raise_on_unexpected_status=True)
with open(os.environ["REGISTRATION"], encoding="utf-8") as file:
    registration = AgentRegistration.from_dict(json.load(file))
joined = register_agent.sync(client=node, body=registration)
agents = list_agents.sync(client=node)
assert joined.agent_id == registration.actor_id
assert joined.agent_id in [agent.agent_id for agent in agents.agents]
