import type { Genesis } from '@netd/protocol';
import type { SourceBlock } from './block-replay.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { Store } from '../store/store.ts';

/** @throws InvalidChainError if the fork's state is missing or incomplete */
export type PutForkBase = (store: Store) => Promise<void>;

export interface BlockSource {
  genesis: Genesis;
  height: number;
  putForkBase?: PutForkBase | undefined;
  /**
   * @throws SourceUnavailableError if the source does not answer; Error if the block is missing or cannot be
   * read
   */
  block(height: number): Promise<SourceBlock>;
}

/** Thrown if a source does not answer, which says nothing about the chain. */
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
