/** Returns the height after the fork point; 0 if the chain is no fork. */
import { firstHeightOf } from '@netd/protocol';
import type { Snapshot } from '@netd/engine/reads';

export const firstHeight = (snapshot: Snapshot): number =>
  firstHeightOf(snapshot.get('chain', 'identity') ?? {});
