/**
 * Which blocks are here. A node that replays has all of them; a follower that began at a checkpoint fetches those before it
 * later, newest first. Until then a read that needs them is refused, never answered with less than there is.
 */
import type { Transaction } from 'lmdb';
import type { Tables } from './tables.ts';
import type { Writes } from './writes.ts';

export interface HistoryRange {
  /** The first height from which on every block is here; 0 where all are. */
  from: number;
  /** The address of a node that has them all; empty where they are here. */
  source: string;
}

const COMPLETE: HistoryRange = { from: 0, source: '' };

export function historyIn({ meta }: Tables, transaction?: Transaction): HistoryRange {
  const text = meta.get('history', transaction ? { transaction } : {});
  return text === undefined ? COMPLETE : (JSON.parse(text) as HistoryRange);
}

export function putHistoryRange(writes: Writes, { meta }: Tables, history: HistoryRange): void {
  if (history.from === 0) writes.remove(meta, 'history');
  else writes.put(meta, 'history', JSON.stringify(history));
}

/** What was asked for may stand in a block that is not here yet. */
export class HistoryNotHeldError extends Error {
  override name = 'HistoryNotHeldError';

  constructor({ from, source }: HistoryRange) {
    super(`It has the blocks from height ${from} on so far; ${source} has those before it`);
  }
}
