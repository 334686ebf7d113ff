/**
 * A nonce is spent until its intent expires. The state leaf `nonce/<height>` holds the nonces of a block, so
 * that a node restored from a checkpoint refuses the same replays. The leaf is pruned once all of them have
 * expired.
 */
import { nonceHash } from '@netd/protocol';
import type { SpentNonce } from './chain-records.ts';
import type { QueueEntry } from './timer-queue.ts';
import { requireThat } from './rule-error.ts';

export interface NonceReader {
  /** Returns the highest expiry in any unpruned leaf, or undefined. */
  spentNonceExpiry(hash: string): number | undefined;
}

export interface NonceWriter extends NonceReader {
  spendNonce(hash: string, expiry: number): void;
}

interface Nonce {
  actorId: string;
  nonce: string;
}

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

export function nonceLeaf(spent: ReadonlyMap<string, number>): SpentNonce[] | null {
  if (spent.size === 0) return null;
  return [...spent.keys()].sort().map((hash) => ({ expiry: spent.get(hash) ?? 0, hash }));
}

export function nonceLeafQueue(leaf: readonly SpentNonce[]): QueueEntry {
  const last = leaf.reduce((latest, { expiry }) => Math.max(latest, expiry), 0);
  return { queue: PRUNE_NONCES, at: last + 1 };
}

export const PRUNE_NONCES = 'prune:nonce';
