/** The range of stored blocks. A follower that began at a checkpoint fetches earlier ones later. */
import type { Transaction } from 'lmdb';
import type { Tables } from './tables.ts';
import type { Writes } from './writes.ts';

export interface HistoryRange {
  /** First height whose block is stored; 0 if all are. */
  from: number;
  /** URL of a node with the missing blocks; empty if none are missing. */
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
