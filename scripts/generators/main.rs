use openapi::{apis::agents_api, apis::configuration::Configuration, models::AgentRegistration};

fn main() {
    let mut node = Configuration::new();
    node.base_path = std::env::var("NETD_URL").unwrap();
    let text = std::fs::read_to_string(std::env::var("REGISTRATION").unwrap()).unwrap();
    let registration: AgentRegistration = serde_json::from_str(&text).unwrap();
    let id = registration.actor_id.clone();
    let joined = agents_api::register_agent(&node, registration).unwrap();
    let agents = agents_api::list_agents(&node, None, None, None).unwrap().agents;
    assert!(joined.agent_id == id && agents.iter().any(|agent| agent.agent_id == id));
}
