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
import { open, type RootDatabase } from 'lmdb';
import { Snapshot } from './snapshot.ts';
import type { SlotWrites } from './state-tree.ts';
import { hexKey, listValue, openTables, position, STORE_FORMAT, type Tables } from './tables.ts';

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
      noSync: options.scratch === true,
      readOnly: options.readOnly === true,
    });
    const store = new Store(path, root);
    const format = store.tables.meta.get('format');
    if (format !== undefined && format !== String(STORE_FORMAT)) {
      throw new StoreError(
        `the database at ${path} has format ${format}, this version reads ${STORE_FORMAT}`,
      );
    }
    return store;
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
    await this.root.batch(() => {
      void this.tables.meta.put('format', String(STORE_FORMAT));
      void this.tables.meta.put('genesis', canonicalize(genesis));
      this.putBlock(block);
    });
  }

  /**
   * Writes one block: all of it or none, on disk when the promise resolves.
   * @throws Error where the disk refuses; nothing has been written then
   */
  async commitBlock(block: BlockWrite): Promise<void> {
    await this.root.batch(() => this.putBlock(block));
  }

  async close(): Promise<void> {
    await this.root.close();
  }

  private putBlock(block: BlockWrite): void {
    const { header, certificate, transitions, events, changes } = block;
    const { height } = header;
    const { tables } = this;
    void tables.meta.put('head', String(height));
    void tables.blocks.put(height, canonicalize({ header, certificate }));
    void tables.certificateIndex.put(hexKey(certificate.certificateHash), String(height));
    let firstEvent = 0;
    for (const [index, { hash, text }] of transitions.entries()) {
      let eventCount = 0;
      while (events[firstEvent + eventCount]?.transitionIndex === index) eventCount++;
      void tables.transitions.put(position(height, index), text);
      void tables.transitionIndex.put(
        hexKey(hash),
        `${height}/${index}/${firstEvent}/${eventCount}`,
      );
      firstEvent += eventCount;
    }
    for (const [index, event] of events.entries()) this.putEvent(position(height, index), event);
    for (const [hash, expiry] of block.spentNonces) {
      void tables.nonces.put(hexKey(hash), String(expiry));
    }
    for (const [key, text] of changes) {
      if (text === null) void tables.state.remove(key);
      else void tables.state.put(key, text);
      this.putDerived(key, block);
    }
    for (const [slot, record] of block.slots) {
      if (record) void tables.tree.put(slot, record);
      else void tables.tree.remove(slot);
    }
    this.removeExpiredEntries(height);
  }

  private putEvent(at: number, event: ChainEvent): void {
    const { data, transitionIndex, type } = event;
    void this.tables.events.put(at, canonicalize({ data, transitionIndex, type }));
    const { agents, order } = eventSubjects(data);
    void this.tables.eventIndex.put([`type:${type}`, at], '');
    for (const agent of agents) void this.tables.eventIndex.put([`agent:${agent}`, at], '');
    if (order !== null) void this.tables.eventIndex.put([`order:${order}`, at], '');
  }

  /** Keeps the tables that follow from a changed record: due heights, lists, and nonces of a removed leaf. */
  private putDerived(key: string, block: BlockWrite): void {
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
        if (dueBefore !== null) void this.tables.due.remove([collection, dueBefore, key]);
        if (dueAfter !== null) void this.tables.due.put([collection, dueAfter, key], '');
      }
    }
    if (info.lists) {
      const lists = info.lists as (record: unknown) => ListEntry[];
      if (before !== undefined) for (const entry of lists(before)) this.dropEntry(key, entry);
      if (after !== undefined) for (const entry of lists(after)) this.putEntry(key, entry);
    }
    if (collection === 'nonce' && after === undefined) this.dropNonces(before, block.spentNonces);
  }

  private putEntry(key: string, entry: ListEntry): void {
    const listKey = entryKey(key, entry);
    void this.tables.lists.put(listKey, '');
    if (entry.expiresAtHeight !== undefined) {
      void this.tables.listExpiry.put([entry.expiresAtHeight, ...listKey], '');
    }
  }

  private dropEntry(key: string, entry: ListEntry): void {
    const listKey = entryKey(key, entry);
    void this.tables.lists.remove(listKey);
    if (entry.expiresAtHeight !== undefined) {
      void this.tables.listExpiry.remove([entry.expiresAtHeight, ...listKey]);
    }
  }

  private dropNonces(leaf: unknown, spentNow: ReadonlyMap<string, number>): void {
    for (const { hash, expiry } of leaf as { hash: string; expiry: number }[]) {
      // After its expiry a nonce may have been spent again, in this block or under a leaf that still stands.
      if (spentNow.has(hash) || this.spentNonceExpiry(hash) !== expiry) continue;
      void this.tables.nonces.remove(hexKey(hash));
    }
  }

  private removeExpiredEntries(height: number): void {
    const expired = this.tables.listExpiry.getKeys({
      start: [0],
      end: [height],
      limit: EXPIRED_ENTRIES_REMOVED,
    });
    for (const key of expired) {
      void this.tables.listExpiry.remove(key);
      void this.tables.lists.remove((key as (string | number)[]).slice(1));
    }
  }
}

function entryKey(key: string, { list, value, position: at }: ListEntry): (string | number)[] {
  return [list, listValue(value), position(at.height, at.index), key];
}
