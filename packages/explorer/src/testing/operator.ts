import type { RunningNode } from '@netd/node';
import { AgentKey, type Actor } from '@netd/sdk';

/** Returns the operator of a node in this process. */
export async function operatorOf({ node }: RunningNode): Promise<Actor> {
  const { operator } = node.dataDir;
  return { actorId: operator.actorId, key: await AgentKey.fromPem(operator) };
}
