/** The tables that follow from the records of the state: queues, lists, spent nonces. */
import { COLLECTIONS, type ListEntry, type QueueEntry, type SortedIndexEntry } from '@netd/ledger';
import { EMPTY, listValue, position, rankOrder, type Tables } from './tables.ts';
import type { Writes } from './writes.ts';

/** What a block makes of records. */
export interface RecordChanges {
  /** The record under a state key, undefined where there was none, or is none any more. */
  before(key: string): unknown;
  after(key: string): unknown;
  spentNonces: ReadonlyMap<string, number>;
}

/** What is on disk, as of the block before. */
interface DerivedSource {
  tables: Tables;
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
  put(writes: Writes, key: string, changes: RecordChanges): void {
    const rules = rulesOf(key);
    if (!rules) return;
    const [before, after] = [changes.before(key), changes.after(key)];
    if (rules.queue) this.putQueued(writes, key, entryIn(rules, before), entryIn(rules, after));
    if (rules.lists || rules.sortedIndexes) {
      this.putLists(writes, entryKeys(key, rules, before), entryKeys(key, rules, after));
    }
    if (rules.holdsNonces && after === undefined) {
      this.dropNonces(writes, before, changes.spentNonces);
    }
  }

  private putQueued(
    writes: Writes,
    key: string,
    old: QueueEntry | null,
    fresh: QueueEntry | null,
  ): void {
    const { due } = this.tables;
    if (old?.queue === fresh?.queue && old?.at === fresh?.at) return;
    if (old) writes.remove(due, [old.queue, old.at, key]);
    if (fresh) writes.put(due, [fresh.queue, fresh.at, key], EMPTY);
  }

  private putLists(writes: Writes, old: ListKey[], fresh: ListKey[]): void {
    const { lists } = this.tables;
    for (const entry of old) {
      if (!fresh.some((other) => sameKeys(entry, other))) writes.remove(lists, entry);
    }
    for (const entry of fresh) {
      if (!old.some((other) => sameKeys(entry, other))) writes.put(lists, entry, EMPTY);
    }
  }

  private dropNonces(writes: Writes, leaf: unknown, spentNow: ReadonlyMap<string, number>): void {
    for (const { hash, expiry } of leaf as { hash: string; expiry: number }[]) {
      // After its expiry a nonce may have been spent again, in this block or under a leaf that still stands.
      if (spentNow.has(hash) || this.source.spentNonceExpiry(hash) !== expiry) continue;
      writes.remove(this.tables.nonces, hash);
    }
  }
}

/** Whether any table follows from the records of a key's collection. */
export const hasDerived = (key: string): boolean => rulesOf(key) !== undefined;

/** What the table of collections says of queues and lists, whatever the record. */
interface Rules {
  queue?: (record: unknown) => QueueEntry | null;
  lists?: (record: unknown) => ListEntry[];
  sortedIndexes?: (record: unknown) => SortedIndexEntry[];
  holdsNonces: boolean;
}

/** Of the collections from which any table follows, by name. */
const RULES: ReadonlyMap<string, Rules> = new Map(
  Object.entries(COLLECTIONS as unknown as Record<string, Omit<Rules, 'holdsNonces'>>)
    .filter(([, { queue, lists, sortedIndexes }]) => queue ?? lists ?? sortedIndexes)
    .map(([name, info]) => [name, { ...info, holdsNonces: name === 'nonce' }]),
);

function rulesOf(key: string): Rules | undefined {
  return RULES.get(key.slice(0, Math.max(0, key.indexOf('/'))));
}

function entryIn({ queue }: Rules, record: unknown): QueueEntry | null {
  return record === undefined ? null : (queue?.(record) ?? null);
}

type ListKey = [list: string, value: string, order: number, key: string];

function entryKeys(key: string, rules: Rules, record: unknown): ListKey[] {
  if (record === undefined) return [];
  const keys: ListKey[] = [];
  for (const { list, value, position: at } of rules.lists?.(record) ?? []) {
    keys.push([list, listValue(value), position(at.height, at.index), key]);
  }
  for (const { list, value, rank } of rules.sortedIndexes?.(record) ?? []) {
    keys.push([list, listValue(value), rankOrder(rank), key]);
  }
  return keys;
}

function sameKeys(a: ListKey, b: ListKey): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
