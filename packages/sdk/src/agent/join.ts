import type { AgentKey } from '../agent-key.ts';
import type { Bounds } from '../bounds.ts';
import type { NetClient } from '../client.ts';
import { NetError } from '../http.ts';
import { AgentError } from './agent-error.ts';
import type { RetryingClient } from './retrying-client.ts';

interface Newcomer {
  agentId: string;
  key: AgentKey;
  description: string | undefined;
  referrer: string | undefined;
}

/**
 * Registers the agent, and returns true if it is new.
 * @throws AgentError AGENT_ID_TAKEN, AGENT_INACTIVE
 */
export async function joinOnce(
  retryingClient: RetryingClient,
  newcomer: Newcomer,
): Promise<boolean> {
  if (await isMember(retryingClient, newcomer)) return false;
  const { agentId, key, description, referrer } = newcomer;
  try {
    const receipt = await retryingClient.persist(() =>
      retryingClient.client.register(
        { actorId: agentId, key },
        {
          ...(description === undefined ? {} : { description }),
          ...(referrer === undefined ? {} : { referrerAgentId: referrer }),
        },
      ),
    );
    retryingClient.wrote(receipt);
  } catch (error) {
    // An earlier attempt may have succeeded.
    const exists = error instanceof NetError && error.code === 'AGENT_EXISTS';
    if (!exists || !(await isMember(retryingClient, newcomer))) throw error;
  }
  return true;
}

export async function requireFree(
  client: NetClient,
  agentId: string,
  bounds: Bounds,
): Promise<void> {
  try {
    await client.read('/v1/agents/{agentId}', { agentId }, bounds);
  } catch (error) {
    if (error instanceof NetError && error.status === 404 && error.problem) return;
    throw error;
  }
  throw new AgentError('AGENT_ID_TAKEN', agentId);
}

async function isMember(
  retryingClient: RetryingClient,
  { agentId, key }: Newcomer,
): Promise<boolean> {
  const found = await retryingClient.find('/v1/agents/{agentId}', { agentId });
  if (!found) return false;
  if (found.authority.publicKeyHash !== key.publicKeyHash) {
    throw new AgentError('AGENT_ID_TAKEN', agentId);
  }
  if (found.agent.status !== 'active') throw new AgentError('AGENT_INACTIVE', found.agent.status);
  return true;
}
