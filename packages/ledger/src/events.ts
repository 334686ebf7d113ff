/** By whom and what an event can be found: the ids under the usual member names of its data. */
const AGENT_MEMBERS = [
  'agentId',
  'actorId',
  'fromActorId',
  'toActorId',
  'fromAgentId',
  'toAgentId',
  'referrerAgentId',
  'recoveringAgentId',
  'requesterId',
  'workerId',
  'verifierId',
  'validatorId',
] as const;

export interface EventSubjects {
  agents: string[];
  order: string | null;
}

export function eventSubjects(data: Record<string, unknown>): EventSubjects {
  const agents = new Set<string>();
  for (const member of AGENT_MEMBERS) {
    const id = data[member];
    if (typeof id === 'string') agents.add(id);
  }
  const order = data['orderId'];
  return { agents: [...agents], order: typeof order === 'string' ? order : null };
}
