/**
 * The range of stored blocks. A follower that began at a checkpoint fetches earlier blocks later, newest first.
 * Until then, reads that need them are refused: a partial answer would be wrong.
 */
import type { Transaction } from 'lmdb';
import type { Tables } from './tables.ts';
import type { Writes } from './writes.ts';

export interface HistoryRange {
  /** All blocks from this height on are here; 0 if all are. */
  from: number;
  /** The address of a node with the missing blocks; empty if none are missing. */
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

/** The answer may depend on blocks that are not here yet. */
export class HistoryNotHeldError extends Error {
  override name = 'HistoryNotHeldError';

  constructor({ from, source }: HistoryRange) {
    super(`It has the blocks from height ${from} on so far; ${source} has those before it`);
  }
}
