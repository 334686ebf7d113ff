/**
 * Replay protection: an actor's nonce is spent until its intent expires. The state leaf `nonce/<height>`
 * holds the nonces that a block spent, so that a node restored from a checkpoint refuses the same replays.
 * The store indexes them by hash. A leaf is pruned once all its nonces have expired.
 */
import { nonceHash } from '@netd/protocol';
import type { SpentNonce } from './chain-records.ts';
import type { QueueEntry } from './timer-queue.ts';
import { requireThat } from './rule-error.ts';

export interface NonceReader {
  /** Returns the highest expiry of the nonce hash in any unpruned leaf, or undefined. */
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
 * Returns the hash under which the transition spends the nonce.
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

/** Returns the leaf of a block that spent these nonces; null if there are none. */
export function nonceLeaf(spent: ReadonlyMap<string, number>): SpentNonce[] | null {
  if (spent.size === 0) return null;
  return [...spent.keys()].sort().map((hash) => ({ expiry: spent.get(hash) ?? 0, hash }));
}

/** Returns the queue entry of a leaf, due once all its nonces have expired. */
export function nonceLeafQueue(leaf: readonly SpentNonce[]): QueueEntry {
  const last = leaf.reduce((latest, { expiry }) => Math.max(latest, expiry), 0);
  return { queue: PRUNE_NONCES, at: last + 1 };
}

export const PRUNE_NONCES = 'prune:nonce';
