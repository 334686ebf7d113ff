/** Where a chain begins: with block 0, a fork with the block after the one at which it forked. */
import { firstHeightOf } from '@netd/protocol';
import type { Snapshot } from '@netd/engine/reads';

export const firstHeight = (snapshot: Snapshot): number =>
  firstHeightOf(snapshot.get('chain', 'identity') ?? {});
