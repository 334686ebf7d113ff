/** 0, or the height after the fork point. */
import { firstHeightOf } from '@netd/protocol';
import type { Snapshot } from '@netd/engine/reads';

export const firstHeight = (snapshot: Snapshot): number =>
  firstHeightOf(snapshot.get('chain', 'identity') ?? {});
