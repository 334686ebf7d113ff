import { hashValue } from '@netd/protocol';
import { count } from '../../counters.ts';
import type { WritableState } from '../../state.ts';

/** Messages per sender that are neither acknowledged nor expired. */
export const MAX_LIVE_MESSAGES = 1_000;

export function conversationKey(conversationId: string, fromAgentId: string): string {
  return hashValue({ conversationId, fromAgentId });
}

export function countLive(state: WritableState, fromAgentId: string, change: number): void {
  const live = (state.get('live-messages', fromAgentId) ?? 0) + change;
  if (live === 0) state.delete('live-messages', fromAgentId);
  else state.put('live-messages', fromAgentId, live);
  count(state, 'live-messages', change);
}
