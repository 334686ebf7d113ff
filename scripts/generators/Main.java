import java.nio.file.Path;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AgentsApi;
import org.openapitools.client.model.AgentRegistration;

public class Main {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("NETD_URL"));
    AgentsApi node = new AgentsApi(client);
    AgentRegistration registration =
        client.getObjectMapper().readValue(Path.of(System.getenv("REGISTRATION")).toFile(), AgentRegistration.class);
    String id = registration.getActorId();
    String joined = node.registerAgent(registration).getAgentId();
    boolean listed = node.listAgents(null, null, null).getAgents().stream().anyMatch(agent -> agent.getAgentId().equals(id));
    if (!joined.equals(id) || !listed) throw new IllegalStateException(joined);
  }
}
