/** Where a verification gets its blocks. A database is one source; another node's HTTP interface is in verify-url.ts. */
import type { Genesis } from '@netd/protocol';
import type { SourceBlock } from './block-replay.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { Store } from '../store/store.ts';

/**
 * Puts the state that a fork begins with into an empty store; its root is compared afterwards.
 * @throws InvalidChainError if it is not there, or not whole
 */
export type PutForkBase = (store: Store) => Promise<void>;

export interface BlockSource {
  genesis: Genesis;
  /** The last height to verify. */
  height: number;
  /** Where the chain is a fork: puts in place the state that it began with. */
  putForkBase?: PutForkBase | undefined;
  /** @throws SourceUnavailableError if the source does not answer; Error if the block is missing or cannot be read */
  block(height: number): Promise<SourceBlock>;
}

/** The source does not answer: that says nothing about the chain. */
export class SourceUnavailableError extends Error {
  override name = 'SourceUnavailableError';
}

export function snapshotSource(
  snapshot: Snapshot,
  genesis: Genesis,
  putForkBase?: PutForkBase,
): BlockSource {
  return {
    genesis,
    putForkBase,
    height: snapshot.height,
    block: async (height) => {
      const block = snapshot.blockAt(height);
      if (!block) throw new Error('the block is missing');
      return { ...block, transitions: snapshot.transitionsOf(height).map(({ text }) => text) };
    },
  };
}
