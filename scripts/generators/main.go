package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	netd "client"
)

func main() {
	node, err := netd.NewClientWithResponses(os.Getenv("NETD_URL"))
	fail(err)
	text, err := os.ReadFile(os.Getenv("REGISTRATION"))
	fail(err)
	var registration netd.AgentRegistration
	fail(json.Unmarshal(text, &registration))
	joined, err := node.RegisterAgentWithResponse(context.Background(), registration)
	fail(err)
	agents, err := node.ListAgentsWithResponse(context.Background(), &netd.ListAgentsParams{})
	fail(err)
	if joined.JSON201 == nil || agents.JSON200 == nil {
		log.Fatal(joined.Status(), agents.Status())
	}
	for _, agent := range agents.JSON200.Agents {
		if agent.AgentId == joined.JSON201.AgentId {
			return
		}
	}
	log.Fatal("the agent is not listed")
}

func fail(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
