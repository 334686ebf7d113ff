/**
 * What becomes of records that have fallen due (`dueAtHeight` of their collection). Blocks with transitions do it
 * lazily and in bounded portions, oldest first: whoever reads a record must not rely on it having been done.
 */
import { lapseHandover } from './actions/memory/handover.ts';
import { expireMessage } from './actions/messages/message.ts';
import type { CollectionName } from './collections.ts';
import type { StateOverlay, WritableState } from './state.ts';

interface ExpiryRule {
  collection: CollectionName;
  /**
   * How often the record that one transition writes can fall due. So many more are done at the end of a block for
   * each of its transitions: else a busy chain would leave more behind than it clears.
   */
  perTransition: number;
  /** Must leave a record that is no longer due at `height`, or none. */
  expire: (state: WritableState, id: string) => void;
}

const EXPIRY_RULES: readonly ExpiryRule[] = [
  { collection: 'nonce', perTransition: 0, expire: (state, id) => state.delete('nonce', id) },
  { collection: 'message', perTransition: 2, expire: expireMessage },
  { collection: 'memory-handover', perTransition: 1, expire: lapseHandover },
];

/** Due records of one collection done when a block opens, so that no block pays for a long past. */
const EXPIRED_AT_OPENING = 64;

/** Before the first transition, so that limits count what still lives, even after a long pause. */
export function expireAtOpening(state: StateOverlay, height: number): void {
  for (const rule of EXPIRY_RULES) expireDue(state, height, rule, EXPIRED_AT_OPENING);
}

/** After the last transition. */
export function expireAtEnd(state: StateOverlay, height: number, transitions: number): void {
  for (const rule of EXPIRY_RULES) {
    expireDue(state, height, rule, rule.perTransition * transitions);
  }
}

function expireDue(state: StateOverlay, height: number, rule: ExpiryRule, limit: number): void {
  if (limit === 0) return;
  for (const key of state.due(rule.collection, height, limit)) {
    rule.expire(state, key.slice(rule.collection.length + 1));
  }
}
