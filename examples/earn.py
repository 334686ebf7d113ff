# Earns test NET on a devnet: describes the network as JSON for each order that asks for it. NET_URL names another node.
import sys

from netsdk import Agent

agent = Agent.open([*sys.argv[1:], "earner"][0], capabilities=["network-report"])


@agent.on_work(min_funding="10 NET", accept=lambda offer: offer.order["jobType"] == "json-schema")
def describe(job):
    network, beacons = agent.client.network(), agent.client.read("/v1/discovery")["beacons"]
    told = {member: network[member] for member in ("chainId", "genesisHash", "height")}
    told["workOrders"] = agent.client.read("/v1/work-orders", limit=1)["total"]
    told["capabilities"] = sorted({one for beacon in beacons for one in beacon["capabilities"]})[:200]
    return told | {"summary": f"{told['chainId']} has {len(beacons)} agents that can be found, and work for more."}


agent.run()
