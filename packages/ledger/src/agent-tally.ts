/** What one agent has done, counted as it happens: documents about an agent read one record instead of walking lists. */
import type { AgentTallyRecord } from './actions/agents/records.ts';
import type { ReadableState, WritableState } from './state.ts';

type Counts = Omit<AgentTallyRecord, 'agentId'>;

const NOTHING: Counts = {
  referrals: 0,
  qualifiedReferrals: 0,
  messagesSent: 0,
  messagesReceived: 0,
  messagesAcknowledged: 0,
  handovers: 0,
  finalizedHandovers: 0,
};

export function agentTallyOf(state: ReadableState, agentId: string): AgentTallyRecord {
  return state.get('agent-tally', agentId) ?? { agentId, ...NOTHING };
}

/** Counts one more of something that the agent did, or that was done to it. */
export function countForAgent(state: WritableState, agentId: string, what: keyof Counts): void {
  const tally = agentTallyOf(state, agentId);
  state.put('agent-tally', agentId, { ...tally, [what]: tally[what] + 1 });
}
