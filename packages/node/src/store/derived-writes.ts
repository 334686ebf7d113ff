/** The tables that follow from the records of the state: queues, lists with their expiry, spent nonces. */
import {
  COLLECTIONS,
  parseStateKey,
  queueEntry,
  type ListEntry,
  type SortedIndexEntry,
} from '@netd/ledger';
import { EMPTY, listValue, position, rankOrder, type Tables } from './tables.ts';
import type { Writes } from './writes.ts';

/** Records swept out of their lists per block at most; readers skip the rest. */
const RECORDS_SWEPT = 500;

/** What a block makes of a record. */
export interface RecordChange {
  /** Undefined where there was none, or is none any more. */
  before: unknown;
  after: unknown;
  /** Of the block. */
  height: number;
  spentNonces: ReadonlyMap<string, number>;
}

/** What is on disk, as of the block before. */
interface DerivedSource {
  tables: Tables;
  get(key: string): unknown;
  spentNonceExpiry(nonceHash: string): number | undefined;
}

export class DerivedWrites {
  private readonly source: DerivedSource;
  private readonly tables: Tables;

  constructor(source: DerivedSource) {
    this.source = source;
    this.tables = source.tables;
  }

  /** Of a changed record: queues, lists, and the nonces of a removed leaf. */
  put(writes: Writes, key: string, change: RecordChange): void {
    const { before, after } = change;
    const parsed = parseStateKey(key);
    if (!parsed) return;
    const { collection } = parsed;
    const info = COLLECTIONS[collection] as ListedCollection & { queue?: unknown };
    if (info.queue) this.putQueued(writes, key, change);
    if (info.lists || info.sortedIndexes) this.putLists(writes, key, info, change);
    if (collection === 'nonce' && after === undefined) {
      this.dropNonces(writes, before, change.spentNonces);
    }
  }

  private putQueued(writes: Writes, key: string, { before, after }: RecordChange): void {
    const { due } = this.tables;
    const [old, fresh] = [queueEntry(key, before), queueEntry(key, after)];
    if (old?.queue === fresh?.queue && old?.at === fresh?.at) return;
    if (old) writes.remove(due, [old.queue, old.at, key]);
    if (fresh) writes.put(due, [fresh.queue, fresh.at, key], EMPTY);
  }

  private putLists(
    writes: Writes,
    key: string,
    info: ListedCollection,
    { before, after, height }: RecordChange,
  ): void {
    const { lists, listExpiry } = this.tables;
    const until = (record: unknown): number | null =>
      record === undefined ? null : (info.listedUntil?.(record) ?? null);
    const freshUntil = until(after);
    const past = freshUntil !== null && freshUntil < height;
    const old = before === undefined ? [] : entryKeys(key, info, before);
    const fresh = after === undefined || past ? [] : entryKeys(key, info, after);
    const [oldExpiry, freshExpiry] = [
      expiryKey(key, until(before), old),
      expiryKey(key, past ? null : freshUntil, fresh),
    ];
    const sameExpiry = sameKeys(oldExpiry, freshExpiry);
    for (const entry of old) {
      if (!fresh.some((other) => sameKeys(entry, other))) writes.remove(lists, entry);
    }
    for (const entry of fresh) {
      const stands = sameExpiry && old.some((other) => sameKeys(entry, other));
      if (!stands) writes.put(lists, entry, EMPTY);
    }
    if (sameExpiry) return;
    if (oldExpiry) writes.remove(listExpiry, oldExpiry);
    if (freshExpiry) writes.put(listExpiry, freshExpiry, EMPTY);
  }

  private dropNonces(writes: Writes, leaf: unknown, spentNow: ReadonlyMap<string, number>): void {
    for (const { hash, expiry } of leaf as { hash: string; expiry: number }[]) {
      // After its expiry a nonce may have been spent again, in this block or under a leaf that still stands.
      if (spentNow.has(hash) || this.source.spentNonceExpiry(hash) !== expiry) continue;
      writes.remove(this.tables.nonces, hash);
    }
  }

  /** Sweeps records out of their lists after their last height there; the block's own changes come after it. */
  sweepLists(writes: Writes, height: number): void {
    const expired = this.tables.listExpiry.getKeys({
      start: [0],
      end: [height],
      limit: RECORDS_SWEPT,
    });
    for (const expiry of expired) {
      const key = (expiry as ExpiryKey)[2];
      writes.remove(this.tables.listExpiry, expiry);
      const parsed = parseStateKey(key);
      const info = parsed && (COLLECTIONS[parsed.collection] as ListedCollection);
      const record = this.source.get(key);
      if (!info || record === undefined) continue;
      for (const entry of entryKeys(key, info, record)) writes.remove(this.tables.lists, entry);
    }
  }
}

/** Whether any table follows from the records of a key's collection. */
export function hasDerived(key: string): boolean {
  const parsed = parseStateKey(key);
  if (!parsed) return false;
  const info = COLLECTIONS[parsed.collection] as ListedCollection & { queue?: unknown };
  return [info.queue, info.lists, info.sortedIndexes].some((rule) => rule !== undefined);
}

/** What the table of collections says about lists, whatever the record. */
interface ListedCollection {
  lists?: (record: unknown) => ListEntry[];
  sortedIndexes?: (record: unknown) => SortedIndexEntry[];
  listedUntil?: (record: unknown) => number | null;
}

type ListKey = [list: string, value: string, order: number, key: string];

type ExpiryKey = [until: number, order: number, key: string];

function entryKeys(key: string, info: ListedCollection, record: unknown): ListKey[] {
  const keys: ListKey[] = [];
  for (const { list, value, position: at } of info.lists?.(record) ?? []) {
    keys.push([list, listValue(value), position(at.height, at.index), key]);
  }
  for (const { list, value, rank } of info.sortedIndexes?.(record) ?? []) {
    keys.push([list, listValue(value), rankOrder(rank), key]);
  }
  return keys;
}

/** Ordered by where the record stands in its lists, so that the entries of one block lie together. */
function expiryKey(key: string, until: number | null, entries: ListKey[]): ExpiryKey | null {
  return until === null ? null : [until, entries[0]?.[2] ?? 0, key];
}

function sameKeys(a: ListKey | ExpiryKey | null, b: ListKey | ExpiryKey | null): boolean {
  if (a === null || b === null) return a === b;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
