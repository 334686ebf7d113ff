/** The database: one LMDB environment, one durable transaction per block, snapshot reads. It knows no rules. */
import { mkdirSync } from 'node:fs';
import {
  COLLECTIONS,
  dueHeight,
  eventSubjects,
  parseStateKey,
  type CollectionName,
  type ListEntry,
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
import { Snapshot } from './snapshot.ts';
import type { SlotWrites } from './state-tree.ts';
import {
  hexKey,
  listValue,
  openTables,
  position,
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
  /** Canonical JSON by state key, null for a deletion. */
  changes: ReadonlyMap<string, string | null>;
  /** The records of changed keys before and after, for the derived tables. */
  before(key: string): unknown;
  after(key: string): unknown;
  spentNonces: ReadonlyMap<string, number>;
  slots: SlotWrites;
}

export interface StoreOptions {
  /** Without fsync: for scratch databases that a crash may take. */
  scratch?: boolean;
  readOnly?: boolean;
}

/** Expired list entries removed per block at most; readers skip the rest. */
const EXPIRED_ENTRIES_REMOVED = 2_000;

export class StoreError extends Error {
  override name = 'StoreError';
}

export class Store implements StateReader {
  readonly path: string;
  readonly tables: Tables;
  private readonly root: RootDatabase;

  private constructor(path: string, root: RootDatabase) {
    this.path = path;
    this.root = root;
    this.tables = openTables(root);
  }

  /** @throws StoreError where the database has another format */
  static open(path: string, options: StoreOptions = {}): Store {
    if (!options.readOnly) mkdirSync(path, { recursive: true, mode: 0o700 });
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
        `the database at ${path} has format ${found}, this version reads ${STORE_FORMAT}`,
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

  /** A consistent view of the last durable block; the caller closes it. */
  snapshot(): Snapshot {
    return new Snapshot(this.tables, this.root.useReadTransaction());
  }

  get(key: string): unknown {
    const text = this.tables.state.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  due(collection: CollectionName, height: number, limit: number): string[] {
    const range = this.tables.due.getKeys({
      start: [collection, 0],
      end: [collection, height + 1],
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

  readonly slot = (slot: number): Uint8Array | undefined => this.tables.tree.get(slot);

  slots(): Iterable<{ key: number; value: Uint8Array }> {
    return this.tables.tree.getRange({}) as Iterable<{ key: number; value: Uint8Array }>;
  }

  /** Writes the genesis document together with block 0. */
  async initialise(genesis: Genesis, block: BlockWrite): Promise<void> {
    const writes = this.writesOf(block);
    put(writes, this.tables.meta, 'format', String(STORE_FORMAT));
    put(writes, this.tables.meta, 'genesis', canonicalize(genesis));
    await this.commit(writes);
  }

  /**
   * Writes one block: all of it or none, on disk when the promise resolves.
   * @throws Error where the disk refuses; nothing has been written then
   */
  async commitBlock(block: BlockWrite): Promise<void> {
    await this.commit(this.writesOf(block));
  }

  async close(): Promise<void> {
    await this.root.close();
  }

  private async commit(writes: readonly Write[]): Promise<void> {
    try {
      await this.root.batch(() => {
        for (const write of writes) write();
      });
    } catch (error) {
      // Why, the database says in a second promise, which nobody else listens to.
      const { commitError } = error as { commitError?: Promise<unknown> };
      const cause = commitError?.catch((reason: unknown) => reason);
      const reason = await Promise.race([cause, new Promise((resolve) => setImmediate(resolve))]);
      throw reason instanceof Error ? reason : error;
    }
  }

  /**
   * Everything a block writes, in order. It is worked out before the first put: a batch of the database commits what was
   * put into it even where its callback throws half-way.
   */
  private writesOf(block: BlockWrite): Write[] {
    const writes: Write[] = [];
    const { header, certificate, transitions, events, changes } = block;
    const { height } = header;
    const { tables } = this;
    // Before the lists of this block: an entry may come back under the same key with a later expiry.
    this.removeExpiredEntries(writes, height);
    put(writes, tables.meta, 'head', String(height));
    put(writes, tables.blocks, height, canonicalize({ header, certificate }));
    put(writes, tables.certificateIndex, hexKey(certificate.certificateHash), String(height));
    let firstEvent = 0;
    for (const [index, { hash, text }] of transitions.entries()) {
      let eventCount = 0;
      while (events[firstEvent + eventCount]?.transitionIndex === index) eventCount++;
      put(writes, tables.transitions, position(height, index), text);
      const place = `${height}/${index}/${firstEvent}/${eventCount}`;
      put(writes, tables.transitionIndex, hexKey(hash), place);
      firstEvent += eventCount;
    }
    for (const [index, event] of events.entries()) {
      this.putEvent(writes, position(height, index), event);
    }
    for (const [hash, expiry] of block.spentNonces) {
      put(writes, tables.nonces, hexKey(hash), String(expiry));
    }
    for (const [key, text] of changes) {
      if (text === null) remove(writes, tables.state, key);
      else put(writes, tables.state, key, text);
      this.putDerived(writes, key, block);
    }
    for (const [slot, record] of block.slots) {
      if (record) put(writes, tables.tree, slot, record);
      else remove(writes, tables.tree, slot);
    }
    return writes;
  }

  private putEvent(writes: Write[], at: number, event: ChainEvent): void {
    const { data, transitionIndex, type } = event;
    const { events, eventIndex } = this.tables;
    put(writes, events, at, canonicalize({ data, transitionIndex, type }));
    const { agents, order } = eventSubjects(data);
    put(writes, eventIndex, [`type:${type}`, at], '');
    for (const agent of agents) put(writes, eventIndex, [`agent:${agent}`, at], '');
    if (order !== null) put(writes, eventIndex, [`order:${order}`, at], '');
  }

  /** Keeps the tables that follow from a changed record: due heights, lists, and nonces of a removed leaf. */
  private putDerived(writes: Write[], key: string, block: BlockWrite): void {
    const before = block.before(key);
    const after = block.after(key);
    const parsed = parseStateKey(key);
    if (!parsed) return;
    const { collection } = parsed;
    const info = COLLECTIONS[collection];
    if (info.dueAtHeight) {
      const dueBefore = before === undefined ? null : dueHeight(key, before);
      const dueAfter = after === undefined ? null : dueHeight(key, after);
      if (dueBefore !== dueAfter) {
        const { due } = this.tables;
        if (dueBefore !== null) remove(writes, due, [collection, dueBefore, key]);
        if (dueAfter !== null) put(writes, due, [collection, dueAfter, key], '');
      }
    }
    if (info.lists) {
      const lists = info.lists as (record: unknown) => ListEntry[];
      if (before !== undefined) for (const entry of lists(before)) this.drop(writes, key, entry);
      if (after !== undefined) for (const entry of lists(after)) this.enter(writes, key, entry);
    }
    if (collection === 'nonce' && after === undefined) {
      this.dropNonces(writes, before, block.spentNonces);
    }
  }

  private enter(writes: Write[], key: string, entry: ListEntry): void {
    const listKey = entryKey(key, entry);
    put(writes, this.tables.lists, listKey, '');
    if (entry.expiresAtHeight !== undefined) {
      put(writes, this.tables.listExpiry, [entry.expiresAtHeight, ...listKey], '');
    }
  }

  private drop(writes: Write[], key: string, entry: ListEntry): void {
    const listKey = entryKey(key, entry);
    remove(writes, this.tables.lists, listKey);
    if (entry.expiresAtHeight !== undefined) {
      remove(writes, this.tables.listExpiry, [entry.expiresAtHeight, ...listKey]);
    }
  }

  private dropNonces(writes: Write[], leaf: unknown, spentNow: ReadonlyMap<string, number>): void {
    for (const { hash, expiry } of leaf as { hash: string; expiry: number }[]) {
      // After its expiry a nonce may have been spent again, in this block or under a leaf that still stands.
      if (spentNow.has(hash) || this.spentNonceExpiry(hash) !== expiry) continue;
      remove(writes, this.tables.nonces, hexKey(hash));
    }
  }

  private removeExpiredEntries(writes: Write[], height: number): void {
    const expired = this.tables.listExpiry.getKeys({
      start: [0],
      end: [height],
      limit: EXPIRED_ENTRIES_REMOVED,
    });
    for (const key of expired) {
      remove(writes, this.tables.listExpiry, key);
      remove(writes, this.tables.lists, (key as (string | number)[]).slice(1));
    }
  }
}

type Write = () => void;

function put<Value, Key extends TableKey>(
  writes: Write[],
  table: Database<Value, Key>,
  key: Key,
  value: Value,
): void {
  writes.push(() => void table.put(key, value));
}

function remove<Value, Key extends TableKey>(
  writes: Write[],
  table: Database<Value, Key>,
  key: Key,
): void {
  writes.push(() => void table.remove(key));
}

function entryKey(key: string, { list, value, position: at }: ListEntry): (string | number)[] {
  return [list, listValue(value), position(at.height, at.index), key];
}
