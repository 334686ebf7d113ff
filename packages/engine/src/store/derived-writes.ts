import {
  COLLECTIONS,
  LISTS,
  type ListEntry,
  type QueueEntry,
  SORTED_INDEXES,
  type SortedIndexEntry,
} from '@netd/ledger';
import { EMPTY, listValue, position, rankOrder, type Tables } from './tables.ts';
import type { Writes } from './writes.ts';

const NONCE_LEAVES = 'nonce/';

type NonceLeaf = { hash: string; expiry: number }[];

export interface RecordChanges {
  before(key: string): unknown;
  after(key: string): unknown;
}

export interface NonceChanges {
  /** Canonical JSON by state key; null for a deletion. */
  changes: ReadonlyMap<string, string | null>;
  before(key: string): unknown;
  spentNonces: ReadonlyMap<string, number>;
}

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

  put(writes: Writes, key: string, changes: RecordChanges): void {
    const rules = rulesOf(key);
    if (!rules) return;
    const [before, after] = [changes.before(key), changes.after(key)];
    if (rules.queue) this.putQueued(writes, key, entryIn(rules, before), entryIn(rules, after));
    if (rules.lists || rules.sortedIndexes) {
      this.putLists(writes, entryKeys(key, rules, before), entryKeys(key, rules, after));
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

  putNonces(writes: Writes, blocks: readonly NonceChanges[]): void {
    const { nonces } = this.tables;
    const rows = new Map<string, number | null>();
    const expiryOf = (hash: string): number | null | undefined => {
      const row = rows.get(hash);
      return row === undefined ? this.source.spentNonceExpiry(hash) : row;
    };
    for (const block of blocks) {
      for (const [key, text] of block.changes) {
        if (text !== null || !key.startsWith(NONCE_LEAVES)) continue;
        for (const { hash, expiry } of (block.before(key) ?? []) as NonceLeaf) {
          // An expired nonce may have been spent again, under a newer leaf.
          if (expiryOf(hash) === expiry) rows.set(hash, null);
        }
      }
      for (const [hash, expiry] of block.spentNonces) rows.set(hash, expiry);
    }
    for (const [hash, expiry] of rows) {
      if (expiry === null) writes.remove(nonces, hash);
      else writes.put(nonces, hash, String(expiry));
    }
  }
}

export const hasDerived = (key: string): boolean => rulesOf(key) !== undefined;

interface Rules {
  queue?: (record: unknown) => QueueEntry | null;
  lists?: (record: unknown) => ListEntry[];
  sortedIndexes?: (record: unknown) => SortedIndexEntry[];
}

const RULES: ReadonlyMap<string, Rules> = new Map(
  Object.entries(COLLECTIONS as unknown as Record<string, Rules>).filter(
    ([, { queue, lists, sortedIndexes }]) => queue ?? lists ?? sortedIndexes,
  ),
);

export function derivedNames(collection: string): string[] | null {
  const rules = RULES.get(collection);
  if (!rules) return null;
  const named: Record<string, readonly string[]>[] = [LISTS, SORTED_INDEXES];
  return [...(rules.queue ? ['queue'] : []), ...named.flatMap((names) => names[collection] ?? [])];
}

export function derivedOf(collection: string, record: unknown): [string, ...unknown[]][] {
  const rules = RULES.get(collection);
  if (!rules) return [];
  const queued = entryIn(rules, record);
  return [
    ...(queued ? [[queued.queue, queued.at] as const] : []),
    ...entryKeys('', rules, record),
  ].map(([name, ...rest]) => [name, ...rest]);
}

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
