import type { ChainPosition } from '@netd/protocol';
import { count } from '../../counters.ts';
import type { WritableState } from '../../state.ts';
import type { AgentRecord } from './records.ts';

/** Writes a new agent's record, account and counts. The caller writes the authority. */
export function installAgent(
  state: WritableState,
  agent: Pick<AgentRecord, 'agentId' | 'description' | 'referrerAgentId'> & {
    workBits?: number | undefined;
  },
  registeredAt: ChainPosition,
): void {
  const { agentId, description, referrerAgentId, workBits } = agent;
  state.put('agent', agentId, {
    agentId,
    description,
    referrerAgentId,
    registeredAt,
    status: 'active',
    ...(workBits === undefined ? {} : { workBits }),
  });
  if (!state.get('account', agentId)) {
    state.put('account', agentId, { accountId: agentId, balance: 0, faucetReceived: 0 });
  }
  count(state, 'agents', 1);
  count(state, 'active-agents', 1);
}
