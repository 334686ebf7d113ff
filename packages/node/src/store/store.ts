/** The database: one LMDB environment, one durable transaction per block, snapshot reads. It knows no rules. */
import { mkdirSync } from 'node:fs';
import {
  COLLECTIONS,
  eventSubjects,
  parseStateKey,
  queueEntry,
  type ListEntry,
  type SortedIndexEntry,
  type StateReader,
} from '@netd/ledger';
import {
  canonicalize,
  type BlockHeader,
  type ChainEvent,
  type FinalityCertificate,
  type Genesis,
} from '@netd/protocol';
import { open, type Database, type Key as TableKey, type RootDatabase } from 'lmdb';
import { checkDatabaseFile } from './database-file.ts';
import { Snapshot } from './snapshot.ts';
import type { TreeSource, TreeWrites } from './state-tree.ts';
import { BlockExistsError, StoreError } from './store-error.ts';
import {
  hexKey,
  MAX_STATE_KEY_LENGTH,
  listValue,
  openTables,
  position,
  rankOrder,
  STORE_FORMAT,
  TABLES,
  type Tables,
} from './tables.ts';

/** Everything one block writes, in one transaction. */
export interface BlockWrite {
  header: BlockHeader;
  certificate: FinalityCertificate;
  transitions: { hash: string; text: string }[];
  events: ChainEvent[];
  /** `merkleSubtrees` of each. */
  transitionSubtrees: readonly string[];
  eventSubtrees: readonly string[];
  /** Canonical JSON by state key, null for a deletion. */
  changes: ReadonlyMap<string, string | null>;
  /** The records of changed keys before and after, for the derived tables. */
  before(key: string): unknown;
  after(key: string): unknown;
  spentNonces: ReadonlyMap<string, number>;
  tree: TreeWrites;
}

export interface StoreOptions {
  /** Without fsync: for scratch databases that a crash may take. */
  scratch?: boolean;
  readOnly?: boolean;
}

/** Records swept out of their lists per block at most; readers skip the rest. */
const RECORDS_SWEPT = 500;

/** Records of this collection are read twice for every intent: on arrival and in execution. */
const KEPT = 'authority/';
/** More than can wait for a block at a time. */
const KEPT_RECORDS = 8_192;

export class Store implements StateReader, TreeSource {
  readonly path: string;
  readonly tables: Tables;
  private readonly root: RootDatabase;
  /** Decoded records of `KEPT` as they are on disk, oldest first. */
  private readonly kept = new Map<string, unknown>();

  private constructor(path: string, root: RootDatabase) {
    this.path = path;
    this.root = root;
    this.tables = openTables(root);
  }

  /** @throws StoreError where the database has another format, is damaged, or, to be read only, is not there */
  static open(path: string, options: StoreOptions = {}): Store {
    if (!options.readOnly) mkdirSync(path, { recursive: true, mode: 0o700 });
    if (!checkDatabaseFile(path) && options.readOnly) {
      throw new StoreError(`there is no database at ${path}: name the directory of a chain`);
    }
    const root = open({
      path,
      maxDbs: 32,
      // A commit resolves only when it is on disk, and readers never see more than what is.
      overlappingSync: false,
      // Else the database opens a batch of its own around ours, and where the disk refuses, its promise rejects unheard.
      eventTurnBatching: false,
      noSync: options.scratch === true,
      readOnly: options.readOnly === true,
    });
    // Before any other table is opened, which would make it where it is not there.
    const meta = root.openDB<string, string>({ name: 'meta', ...TABLES.meta.options });
    const found = meta.get('format');
    if (found !== undefined && found !== String(STORE_FORMAT)) {
      void root.close();
      throw new StoreError(
        `the database at ${path} has format ${found}, this version reads ${STORE_FORMAT}: go on with the version that wrote it, or start a new chain in another --data-dir`,
      );
    }
    return new Store(path, root);
  }

  genesis(): Genesis | null {
    const text = this.tables.meta.get('genesis');
    return text === undefined ? null : (JSON.parse(text) as Genesis);
  }

  /** The last durable height, or null for an empty database. */
  headHeight(): number | null {
    const text = this.tables.meta.get('head');
    return text === undefined ? null : Number(text);
  }

  /**
   * A consistent view of the last durable block; the caller closes it.
   * @param budget what may be read of it, see Snapshot
   */
  snapshot(budget?: number): Snapshot {
    return new Snapshot(this.tables, this.root.useReadTransaction(), budget);
  }

  /** Lets the next snapshot see what another thread or process has written in this very turn of the event loop. */
  refresh(): void {
    this.root.resetReadTxn();
  }

  get(key: string): unknown {
    if (key.length > MAX_STATE_KEY_LENGTH) return undefined;
    const kept = this.kept.get(key);
    if (kept !== undefined) return kept;
    const text = this.tables.state.get(key);
    if (text === undefined) return undefined;
    const record: unknown = JSON.parse(text);
    if (key.startsWith(KEPT)) this.keep(key, record);
    return record;
  }

  due(queue: string, upTo: number, limit: number): string[] {
    const range = this.tables.due.getKeys({
      start: [queue, 0],
      end: [queue, upTo + 1],
      limit,
    });
    return [...range].map((key) => (key as [string, number, string])[2]);
  }

  spentNonceExpiry(nonceHash: string): number | undefined {
    const text = this.tables.nonces.get(Buffer.from(nonceHash, 'hex'));
    return text === undefined ? undefined : Number(text);
  }

  /** How many pairs the state has, without walking it. */
  pairCount(): number {
    return (this.tables.state.getStats() as { entryCount: number }).entryCount;
  }

  hasTransition(transitionHash: string): boolean {
    return this.tables.transitionIndex.doesExist(hexKey(transitionHash));
  }

  readonly bucket = (bucket: number): Uint8Array | undefined => this.tables.tree.get(bucket);

  buckets(first: number, end: number): Iterable<{ key: number; value: Uint8Array }> {
    return this.tables.tree.getRange({ start: first, end });
  }

  treePages(): Iterable<{ key: number; value: Uint8Array }> {
    return this.tables.treePages.getRange({});
  }

  /** Writes the genesis document together with block 0. */
  async initialise(genesis: Genesis, block: BlockWrite): Promise<void> {
    const writes = this.writesOf(block);
    writes.put(this.tables.meta, 'format', String(STORE_FORMAT));
    writes.put(this.tables.meta, 'genesis', canonicalize(genesis));
    await this.commit(block.header.height, writes);
  }

  /**
   * Writes one block: all of it or none, on disk when the promise resolves.
   * @throws Error where the disk refuses, BlockExistsError where there is a block of this height; nothing has been
   *   written then
   */
  async commitBlock(block: BlockWrite): Promise<void> {
    try {
      await this.commit(block.header.height, this.writesOf(block));
    } finally {
      // Also where the disk complains: the transaction may have gone through all the same.
      for (const key of block.changes.keys()) this.kept.delete(key);
    }
  }

  async close(): Promise<void> {
    await this.root.close();
  }

  private keep(key: string, record: unknown): void {
    if (this.kept.size >= KEPT_RECORDS) {
      for (const oldest of this.kept.keys()) {
        this.kept.delete(oldest);
        break;
      }
    }
    this.kept.set(key, record);
  }

  /** The database looks for a block of this height in the transaction that writes: two processes cannot both write one. */
  private async commit(height: number, writes: Writes): Promise<void> {
    let written: boolean;
    try {
      written = await this.tables.blocks.ifNoExists(height, () => writes.run());
    } catch (error) {
      // Why, the database says in a second promise, which nobody else listens to.
      const { commitError } = error as { commitError?: Promise<unknown> };
      const cause = commitError?.catch((reason: unknown) => reason);
      const reason = await Promise.race([cause, new Promise((resolve) => setImmediate(resolve))]);
      throw reason instanceof Error ? reason : error;
    }
    if (!written) throw new BlockExistsError(height);
  }

  /**
   * Everything a block writes, in order. It is worked out before the first put: a batch of the database commits what was
   * put into it even where its callback throws half-way.
   */
  private writesOf(block: BlockWrite): Writes {
    const writes = new Writes();
    const { header, certificate, transitions, events, changes } = block;
    const { height } = header;
    const { tables } = this;
    // Before the lists of this block: an entry may come back under the same key with a later expiry.
    this.sweepLists(writes, height);
    writes.put(tables.meta, 'head', String(height));
    writes.put(tables.blocks, height, canonicalize({ header, certificate }));
    writes.put(tables.certificateIndex, hexKey(certificate.certificateHash), String(height));
    let firstEvent = 0;
    for (const [index, { hash, text }] of transitions.entries()) {
      let eventCount = 0;
      while (events[firstEvent + eventCount]?.transitionIndex === index) eventCount++;
      writes.put(tables.transitions, position(height, index), text);
      const place = `${height}/${index}/${firstEvent}/${eventCount}`;
      writes.put(tables.transitionIndex, hexKey(hash), place);
      firstEvent += eventCount;
    }
    for (const [index, event] of events.entries()) {
      this.putEvent(writes, position(height, index), event);
    }
    putSubtrees(writes, tables.transitionSubtrees, height, block.transitionSubtrees);
    putSubtrees(writes, tables.eventSubtrees, height, block.eventSubtrees);
    for (const [hash, expiry] of block.spentNonces) {
      writes.put(tables.nonces, hexKey(hash), String(expiry));
    }
    for (const [key, text] of changes) {
      if (text === null) writes.remove(tables.state, key);
      else writes.put(tables.state, key, text);
      this.putDerived(writes, key, block);
    }
    putAll(writes, tables.tree, block.tree.buckets);
    putAll(writes, tables.treePages, block.tree.pages);
    return writes;
  }

  private putEvent(writes: Writes, at: number, event: ChainEvent): void {
    const { data, transitionIndex, type } = event;
    const { events, eventIndex } = this.tables;
    writes.put(events, at, canonicalize({ data, transitionIndex, type }));
    const { actors, order } = eventSubjects(event);
    writes.put(eventIndex, [`type:${type}`, at], '');
    for (const actor of actors) writes.put(eventIndex, [`agent:${actor}`, at], '');
    if (order !== null) writes.put(eventIndex, [`order:${order}`, at], '');
  }

  /** Keeps the tables that follow from a changed record: queues, lists, and nonces of a removed leaf. */
  private putDerived(writes: Writes, key: string, block: BlockWrite): void {
    const before = block.before(key);
    const after = block.after(key);
    const parsed = parseStateKey(key);
    if (!parsed) return;
    const { collection } = parsed;
    const info = COLLECTIONS[collection] as ListedCollection & { queue?: unknown };
    if (info.queue) this.putQueued(writes, key, { before, after });
    if (info.lists || info.sortedIndexes)
      this.putLists(writes, key, info, { before, after, height: block.header.height });
    if (collection === 'nonce' && after === undefined) {
      this.dropNonces(writes, before, block.spentNonces);
    }
  }

  private putQueued(
    writes: Writes,
    key: string,
    { before, after }: { before: unknown; after: unknown },
  ): void {
    const { due } = this.tables;
    const [old, fresh] = [queueEntry(key, before), queueEntry(key, after)];
    if (old?.queue === fresh?.queue && old?.at === fresh?.at) return;
    if (old) writes.remove(due, [old.queue, old.at, key]);
    if (fresh) writes.put(due, [fresh.queue, fresh.at, key], '');
  }

  private putLists(
    writes: Writes,
    key: string,
    info: ListedCollection,
    { before, after, height }: { before: unknown; after: unknown; height: number },
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
      if (!stands) writes.put(lists, entry, '');
    }
    if (sameExpiry) return;
    if (oldExpiry) writes.remove(listExpiry, oldExpiry);
    if (freshExpiry) writes.put(listExpiry, freshExpiry, '');
  }

  private dropNonces(writes: Writes, leaf: unknown, spentNow: ReadonlyMap<string, number>): void {
    for (const { hash, expiry } of leaf as { hash: string; expiry: number }[]) {
      // After its expiry a nonce may have been spent again, in this block or under a leaf that still stands.
      if (spentNow.has(hash) || this.spentNonceExpiry(hash) !== expiry) continue;
      writes.remove(this.tables.nonces, hexKey(hash));
    }
  }

  /** Sweeps records out of their lists after their last height there; the block's own changes come after it. */
  private sweepLists(writes: Writes, height: number): void {
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
      const record = this.get(key);
      if (!info || record === undefined) continue;
      for (const entry of entryKeys(key, info, record)) writes.remove(this.tables.lists, entry);
    }
  }
}

/** What the table of collections says about lists, whatever the record. */
interface ListedCollection {
  lists?: (record: unknown) => ListEntry[];
  sortedIndexes?: (record: unknown) => SortedIndexEntry[];
  listedUntil?: (record: unknown) => number | null;
}

type ListKey = [list: string, value: string, order: number, key: string];

type ExpiryKey = [until: number, order: number, key: string];

/** Stands where a value would, for a key that is to go. */
const REMOVED = Symbol('removed');

/** What a transaction is to put and to remove, in order, before it has begun. */
class Writes {
  /** Table, key and value in turn. One array: an object for each would cost as much. */
  private readonly parts: unknown[] = [];

  put<Value, Key extends TableKey>(table: Database<Value, Key>, key: Key, value: Value): void {
    this.parts.push(table, key, value);
  }

  remove<Value, Key extends TableKey>(table: Database<Value, Key>, key: Key): void {
    this.parts.push(table, key, REMOVED);
  }

  /** To be called within the transaction. */
  run(): void {
    const { parts } = this;
    for (let i = 0; i < parts.length; i += 3) {
      const table = parts[i] as Database<unknown>;
      const key = parts[i + 1] as TableKey;
      const value = parts[i + 2];
      if (value === REMOVED) void table.remove(key);
      else void table.put(key, value);
    }
  }
}

function putAll(
  writes: Writes,
  table: Database<Buffer, number>,
  records: ReadonlyMap<number, Buffer | null>,
): void {
  for (const [key, record] of records) {
    if (record) writes.put(table, key, record);
    else writes.remove(table, key);
  }
}

/** One subtree is the whole list, whose root the header has. */
function putSubtrees(
  writes: Writes,
  table: Database<Buffer, number>,
  height: number,
  roots: readonly string[],
): void {
  if (roots.length > 1) writes.put(table, height, Buffer.from(roots.join(''), 'hex'));
}

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
