/** Counts per agent, so that documents read one record instead of walking lists. */
import type { AgentStatsRecord } from './actions/agents/records.ts';
import type { ReadableState, WritableState } from './state.ts';

type Counts = Omit<AgentStatsRecord, 'agentId'>;

const NOTHING: Counts = {
  finalizedHandovers: 0,
  handovers: 0,
  messagesAcknowledged: 0,
  messagesReceived: 0,
  messagesSent: 0,
  qualifiedReferrals: 0,
  referrals: 0,
};

export function agentStatsOf(state: ReadableState, agentId: string): AgentStatsRecord {
  return state.get('agent-stats', agentId) ?? { agentId, ...NOTHING };
}

export function countForAgent(state: WritableState, agentId: string, what: keyof Counts): void {
  const stats = agentStatsOf(state, agentId);
  state.put('agent-stats', agentId, { ...stats, [what]: stats[what] + 1 });
}
