import { didYouMean } from '@netd/protocol';
import { NetError, type DocumentOf } from '@netd/sdk';
import { UsageError } from './command-error.ts';
import type { OpenNode } from './node-address.ts';

export async function readAgent(
  { client }: Pick<OpenNode, 'client'>,
  agentId: string,
): Promise<DocumentOf<'/v1/agents/{agentId}'>> {
  try {
    return await client.read('/v1/agents/{agentId}', { agentId });
  } catch (error) {
    if (!(error instanceof NetError) || error.status !== 404) throw error;
    const { agents } = await client.read('/v1/agents', { limit: 1_000 });
    const names = agents.map((agent) => agent.agentId);
    throw new UsageError(`there is no agent ${agentId}${didYouMean(agentId, names)}`);
  }
}
