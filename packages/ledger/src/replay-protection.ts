/**
 * Replay protection: a nonce of an actor is spent until the height at which its intent expires, so nothing that was
 * executed is executed again. The state holds the nonces that a block spent in the leaf `nonce/<height>`, so that a node
 * restored from a checkpoint refuses the same replays; the store keeps an index by hash beside it. A leaf is pruned once
 * all of it has expired.
 */
import { nonceHash } from '@netd/protocol';
import type { SpentNonce } from './chain-records.ts';
import type { QueueEntry } from './timer-queue.ts';
import { requireThat } from './rule-error.ts';

export interface NonceReader {
  /** The highest expiry under which the nonce hash was spent in a leaf that is still there, or undefined. */
  spentNonceExpiry(hash: string): number | undefined;
}

export interface NonceWriter extends NonceReader {
  spendNonce(hash: string, expiry: number): void;
}

interface Nonce {
  actorId: string;
  nonce: string;
}

/**
 * The hash under which the nonce is spent with its transition.
 * @param height the executing height
 * @throws RuleError NONCE_REPLAYED
 */
export function requireFreshNonce(
  state: NonceReader,
  { actorId, nonce }: Nonce,
  height: number,
): string {
  const hash = nonceHash(actorId, nonce);
  const spentUntil = state.spentNonceExpiry(hash);
  requireThat(spentUntil === undefined || spentUntil < height, 'NONCE_REPLAYED', '/nonce');
  return hash;
}

/** The leaf of a block that spent these nonces, or null for none. */
export function nonceLeaf(spent: ReadonlyMap<string, number>): SpentNonce[] | null {
  if (spent.size === 0) return null;
  return [...spent.keys()].sort().map((hash) => ({ expiry: spent.get(hash) ?? 0, hash }));
}

/** The queue in which a leaf waits to be pruned: due at the height at which all of it has expired. */
export function nonceLeafQueue(leaf: readonly SpentNonce[]): QueueEntry {
  const last = leaf.reduce((latest, { expiry }) => Math.max(latest, expiry), 0);
  return { queue: PRUNE_NONCES, at: last + 1 };
}

export const PRUNE_NONCES = 'prune:nonce';
