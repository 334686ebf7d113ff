import type { ChainPosition } from '@netd/protocol';
import { count } from '../../counters.ts';
import type { WritableState } from '../../state.ts';

/** Writes a new agent's record, account and counts. The caller writes the authority. */
export function installAgent(
  state: WritableState,
  agent: { agentId: string; description: string; referrerAgentId: string | null },
  registeredAt: ChainPosition,
): void {
  const { agentId, description, referrerAgentId } = agent;
  state.put('agent', agentId, {
    agentId,
    description,
    referrerAgentId,
    registeredAt,
    status: 'active',
  });
  if (!state.get('account', agentId)) {
    state.put('account', agentId, { accountId: agentId, balance: 0, faucetReceived: 0 });
  }
  count(state, 'agents', 1);
  count(state, 'active-agents', 1);
}
