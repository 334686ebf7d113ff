/** Closes a block. Prunes old records in bounded portions, the oldest first. */
import { hashValue } from '@netd/protocol';
import { PRUNE_MESSAGES } from './collections.ts';
import type { Now } from './deadline.ts';
import { PRUNE_NONCES } from './replay-protection.ts';
import type { StateOverlay } from './state.ts';

const PRUNED = 64;

/**
 * @param transitions their count in this block. That many more messages are pruned, because each may have
 * created one
 */
export function endBlock(state: StateOverlay, { height }: Now, transitions: number): void {
  for (const key of state.due(PRUNE_NONCES, height, PRUNED)) {
    state.delete('nonce', key.slice('nonce/'.length));
  }
  for (const key of state.due(PRUNE_MESSAGES, height, PRUNED + transitions)) {
    const messageId = key.slice('message/'.length);
    const record = state.get('message', messageId);
    if (!record) continue;
    state.delete('message', messageId);
    // The message's id stays used, and the digest keeps the message provable.
    state.put('message-digest', messageId, hashValue(record.message));
  }
}
