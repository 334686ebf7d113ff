/** What closes a block: records that are no longer needed leave the state, in bounded portions, the oldest first. */
import { hashValue } from '@netd/protocol';
import { PRUNE_MESSAGES } from './collections.ts';
import type { Now } from './deadline.ts';
import { PRUNE_NONCES } from './replay-protection.ts';
import type { StateOverlay } from './state.ts';

/** Records of a kind pruned by any block with transitions. */
const PRUNED = 64;

/**
 * @param transitions how many the block holds: each may have made one message that will be pruned, so as many go, else a
 *   busy chain would leave more behind than it clears
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
    // The id stays used, and what was said stays provable.
    state.put('message-digest', messageId, hashValue(record.message));
  }
}
