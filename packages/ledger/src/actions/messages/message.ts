/** What the transitions on messages share: how they are counted. */
import { hashValue } from '@netd/protocol';
import { count } from '../../counters.ts';
import type { WritableState } from '../../state.ts';

/** Messages of one sender that are neither acknowledged nor expired, at most. */
export const MAX_LIVE_MESSAGES = 1_000;

/** The id under which the messages of one sender in one conversation are counted. */
export function conversationKey(conversationId: string, fromAgentId: string): string {
  return hashValue({ conversationId, fromAgentId });
}

/** Counts a message of the sender as live, or no longer. */
export function countLive(state: WritableState, fromAgentId: string, change: number): void {
  const live = (state.get('live-messages', fromAgentId) ?? 0) + change;
  if (live === 0) state.delete('live-messages', fromAgentId);
  else state.put('live-messages', fromAgentId, live);
  count(state, 'live-messages', change);
}
