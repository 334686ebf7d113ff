/**
 * A follower that began at a checkpoint fetches earlier blocks later. Until then, reads that need them are
 * refused.
 */
import type { Transaction } from 'lmdb';
import type { Tables } from './tables.ts';
import type { Writes } from './writes.ts';

export interface HistoryRange {
  /** 0 if all blocks are here. */
  from: number;
  /** A node with the missing blocks; empty if none are missing. */
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

export class HistoryNotHeldError extends Error {
  override name = 'HistoryNotHeldError';

  constructor({ from, source }: HistoryRange) {
    super(`It has the blocks from height ${from} on so far; ${source} has those before it`);
  }
}
