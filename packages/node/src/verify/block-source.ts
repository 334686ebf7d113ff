/** Where a verification gets its blocks: a database, or a node's HTTP interface. */
import type { Genesis } from '@netd/protocol';
import type { SourceBlock } from './block-replay.ts';
import { DownloadsAhead } from '../follower/downloads-ahead.ts';
import { Origin } from '../follower/origin.ts';
import type { Snapshot } from '../store/snapshot.ts';

export interface BlockSource {
  genesis: Genesis;
  /** The last height to verify. */
  height: number;
  /** @throws Error where the block cannot be had or read */
  block(height: number): Promise<SourceBlock>;
}

export function snapshotSource(snapshot: Snapshot, genesis: Genesis): BlockSource {
  return {
    genesis,
    height: snapshot.height,
    block: async (height) => {
      const block = snapshot.blockAt(height);
      if (!block) throw new Error('the block is missing');
      return { ...block, transitions: snapshot.transitionsOf(height).map(({ text }) => text) };
    },
  };
}

/**
 * The blocks of a node, downloaded a few ahead, with their events: whether it tells those of the headers is part of the question.
 * @throws Error where no node answers at the address
 */
export async function urlSource(url: string): Promise<BlockSource> {
  const origin = new Origin(url);
  const { height } = await origin.head();
  const genesis = await origin.genesis();
  const blocks = new DownloadsAhead(origin, 'all');
  return { genesis, height, block: (at) => blocks.take(at, height) };
}
