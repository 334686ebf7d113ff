/** The node's database: one LMDB environment with one durable transaction per block. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StateReader } from '@netd/ledger';
import { canonicalize, type FinalityCertificate, type Genesis } from '@netd/protocol';
import { open, type RootDatabase } from 'lmdb';
import { LRUCache } from 'lru-cache';
import { checkDatabaseFile, DATABASE_FILE, WHAT_TO_DO } from './database-file.ts';
import { collectionsWithOldLists, DERIVED_TEXT } from './derived-fingerprints.ts';
import { DerivedWrites } from './derived-writes.ts';
import { FrameWrites, frameBlockOf } from './frame-writes.ts';
import { freeBytes, hasFreeSpace, LEAST_FREE_BYTES, requireFreeSpace } from './free-space.ts';
import { historyIn, putHistoryRange, type HistoryRange } from './history-range.ts';
import { putHistory, type BlockHistory } from './history-writes.ts';
import { mergedChanges, type StateChanges } from './merged-changes.ts';
import { SavePoints } from './save-points.ts';
import { Snapshot, type StoredBlock } from './snapshot.ts';
import type { TreeSource } from './tree/state-tree.ts';
import { BlockExistsError, StoreError, UnfitKeyError } from './store-error.ts';
import {
  MAX_STATE_KEY_LENGTH,
  openTables,
  STORE_FORMAT,
  TABLES,
  type TableName,
  type Tables,
} from './tables.ts';
import { putAll, Writes } from './writes.ts';

export interface BlockWrite extends BlockHistory, StateChanges {
  spentNonces: ReadonlyMap<string, number>;
}

export interface StoreOptions {
  /** True to skip fsync, for data that a crash may destroy. */
  scratch?: boolean;
  readOnly?: boolean;
  /** True if the caller reads no queue and no list, or rebuilds them. */
  anyLists?: boolean;
  /** True if the caller reads only tables that have the same form in every format. */
  anyFormat?: boolean;
}

export interface StoreFacts {
  /** Null before block 0 is written. */
  format: number | null;
  height: number | null;
  /** True if blocks before a checkpoint are missing. */
  partial: boolean;
  outdatedLists: string[];
}

/** A laboratory's data may be lost in a power cut. */
export const storeOptionsOf = ({ laboratory }: Genesis): StoreOptions => ({
  scratch: laboratory === true,
});

const KEPT = 'authority/';
const KEPT_RECORDS = 8_192;

export const isKept = (key: string): boolean => key.startsWith(KEPT);

export class Store implements StateReader, TreeSource {
  readonly path: string;
  readonly tables: Tables;
  private readonly root: RootDatabase;
  private readonly derived: DerivedWrites;
  private readonly kept = new LRUCache<string, object>({ max: KEPT_RECORDS });
  private newestShown = -1;
  private readonly savePoints = new SavePoints();
  /** The write in flight. Frames add up, so each transaction is prepared after the one before it. */
  private writing: Promise<void> | null = null;

  private constructor(path: string, root: RootDatabase) {
    this.path = path;
    this.root = root;
    this.tables = openTables(root);
    this.derived = new DerivedWrites(this);
  }

  /**
   * @throws StoreError if the database has another format or outdated lists, is damaged, or is missing in a
   * read-only open
   */
  static open(path: string, options: StoreOptions = {}): Store {
    if (!options.readOnly) mkdirSync(path, { recursive: true, mode: 0o700 });
    if (!checkDatabaseFile(path) && options.readOnly) {
      throw new StoreError(`there is no database at ${path}: name the directory of a chain`);
    }
    const root = open({
      path,
      maxDbs: 32,
      // Resolve a commit only when it is on disk.
      overlappingSync: false,
      // Otherwise LMDB opens a batch around ours, and its promise rejects unhandled if the disk refuses.
      eventTurnBatching: false,
      noSync: options.scratch === true,
      readOnly: options.readOnly === true,
    });
    // Read the format first, because opening another table would create it.
    const meta = root.openDB<string, string>({ name: 'meta', ...TABLES.meta.options });
    // In a read-only database, LMDB returns undefined for a missing table.
    if ((meta as typeof meta | undefined) === undefined) {
      void root.close();
      throw new StoreError(`the database at ${path} has no tables, or is damaged: ${WHAT_TO_DO}`);
    }
    const found = meta.get('format');
    if (found !== undefined && found !== String(STORE_FORMAT) && !options.anyFormat) {
      void root.close();
      throw new StoreError(
        `the database at ${path} has format ${found}, this version reads ${STORE_FORMAT}: go on with the version that wrote it; netd upgrade --check says how this one can take over`,
      );
    }
    const outdated = found === undefined || options.anyLists ? [] : outdatedLists(root, meta);
    if (outdated.length > 0) {
      void root.close();
      throw new StoreError(
        `the database at ${path} has the lists of another version (${outdated.join(', ')}). Start its node with this version: it rebuilds them before it answers`,
      );
    }
    return new Store(path, root);
  }

  /**
   * Describes a database of any format, and writes nothing.
   * @throws StoreError if the database is damaged or missing
   */
  static async describe(path: string): Promise<StoreFacts> {
    if (!checkDatabaseFile(path)) {
      throw new StoreError(`there is no database at ${path}: name the directory of a chain`);
    }
    const root = open({ path, maxDbs: 32, overlappingSync: false, readOnly: true });
    try {
      const meta = root.openDB<string, string>({ name: 'meta', ...TABLES.meta.options }) as
        ReturnType<typeof root.openDB<string, string>> | undefined;
      const [format, head] = [meta?.get('format'), meta?.get('head')];
      return {
        format: format === undefined ? null : Number(format),
        height: head === undefined ? null : Number(head),
        partial: meta?.get('history') !== undefined,
        outdatedLists: meta && format === String(STORE_FORMAT) ? outdatedLists(root, meta) : [],
      };
    } finally {
      await root.close();
    }
  }

  genesis(): Genesis | null {
    const text = this.tables.meta.get('genesis');
    return text === undefined ? null : (JSON.parse(text) as Genesis);
  }

  headHeight(): number | null {
    const text = this.tables.meta.get('head');
    return text === undefined ? null : Number(text);
  }

  /**
   * Returns a snapshot that the caller must close.
   * @param budget see HistoryReads
   */
  snapshot(budget?: number): Snapshot {
    const snapshot = new Snapshot(this.tables, this.root.useReadTransaction(), budget);
    this.newestShown = Math.max(this.newestShown, snapshot.height);
    return snapshot;
  }

  /** Height that a reader has seen; later reads must not show less. */
  get shownHeight(): number {
    return this.newestShown;
  }

  noteShown(height: number): void {
    if (height <= this.newestShown) return;
    this.newestShown = height;
    this.refresh();
  }

  refresh(): void {
    this.root.resetReadTxn();
  }

  outdatedLists(): string[] {
    return outdatedLists(this.root, this.tables.meta);
  }

  get(key: string): unknown {
    if (key.length > MAX_STATE_KEY_LENGTH) return undefined;
    const kept = isKept(key) ? this.kept.get(key) : undefined;
    if (kept !== undefined) return kept;
    const text = this.tables.state.get(key);
    if (text === undefined) return undefined;
    const record: unknown = JSON.parse(text);
    if (isKept(key)) this.kept.set(key, record as object);
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
    const text = this.tables.nonces.get(nonceHash);
    return text === undefined ? undefined : Number(text);
  }

  pairCount(): number {
    return (this.tables.state.getStats() as { entryCount: number }).entryCount;
  }

  hasTransition(transitionHash: string): boolean {
    return this.tables.transitionIndex.doesExist(transitionHash);
  }

  readonly bucket = (bucket: number): Uint8Array | undefined => this.tables.tree.get(bucket);

  buckets(first: number, end: number): Iterable<{ key: number; value: Uint8Array }> {
    return this.tables.tree.getRange({ start: first, end });
  }

  treePages(): Iterable<{ key: number; value: Uint8Array }> {
    return this.tables.treePages.getRange({});
  }

  async initialise(genesis: Genesis, block: BlockWrite): Promise<void> {
    const writes = this.writesOf([block]);
    writes.put(this.tables.meta, 'format', String(STORE_FORMAT));
    writes.put(this.tables.meta, 'genesis', canonicalize(genesis));
    await this.commit(block.header.height, writes, LEAST_FREE_BYTES);
  }

  async commitBlock(block: BlockWrite): Promise<void> {
    await this.commitBlocks([block]);
  }

  /**
   * Commits the blocks in one transaction, which is on disk when the promise resolves.
   * @throws Error if the disk refuses, BlockExistsError; then nothing was written
   */
  async commitBlocks(blocks: readonly BlockWrite[]): Promise<void> {
    const [first] = blocks;
    if (!first) return;
    try {
      const room = LEAST_FREE_BYTES * Math.min(2, blocks.length);
      await this.inTurn(() => this.commit(first.header.height, this.writesOf(blocks), room));
    } finally {
      // The transaction may have succeeded even if `commit` throws.
      for (const { changes } of blocks) {
        for (const key of changes.keys()) if (isKept(key)) this.kept.delete(key);
      }
    }
  }

  /**
   * Call it after another thread has written a block.
   * @param changed at least the keys with `isKept`
   */
  noteBlock(changed: readonly string[]): void {
    for (const key of changed) this.kept.delete(key);
    this.refresh();
  }

  addSavePoint(id: string): void {
    this.savePoints.add(id);
  }

  /**
   * Takes back everything written since the save point, in one transaction, and drops later save points.
   * @throws RangeError if there is no such save point; Error if the disk refuses; then nothing was taken back
   */
  async backTo(id: string): Promise<void> {
    const writes = this.savePoints.back(id);
    requireFreeSpace(this.path);
    await this.tables.meta.batch(() => writes.run());
    this.savePoints.dropAfter(id);
    this.noteReturn();
  }

  /** Call it after this or another thread has reverted blocks. */
  noteReturn(): void {
    this.kept.clear();
    this.newestShown = -1;
    this.refresh();
  }

  hasRoom(): boolean {
    return hasFreeSpace(this.path);
  }

  /** @returns bytes that are free on the database's disk, and bytes of the database itself */
  space(): { free: number; used: number } {
    return { free: freeBytes(this.path), used: statSync(join(this.path, DATABASE_FILE)).size };
  }

  history(): HistoryRange {
    return historyIn(this.tables);
  }

  /**
   * Stores blocks without their state.
   * @param blocks newest first
   */
  async commitHistory(blocks: readonly BlockHistory[], history: HistoryRange): Promise<void> {
    await this.inTurn(async () => {
      // A write that failed may have reached the disk, and frames would count its blocks twice.
      if (blocks.every(({ header }) => this.tables.blocks.doesExist(header.height))) return;
      const writes = new Writes();
      const frames = new FrameWrites(this.tables);
      for (const block of blocks) putHistory(writes, this.tables, block);
      frames.addEarlier(blocks, { from: history.from, head: this.headHeight() ?? 0 });
      frames.putInto(writes);
      putHistoryRange(writes, this.tables, history);
      requireFreeSpace(this.path);
      await this.tables.meta.batch(() => writes.run());
    });
  }

  /**
   * Writes part of a state that is being restored.
   * @throws UnfitKeyError
   */
  async writeAll(writes: Writes): Promise<void> {
    requireFreeSpace(this.path);
    await this.tables.meta.batch(() => {
      try {
        writes.run();
      } catch (cause) {
        throw new UnfitKeyError('a record stands under what is no key', { cause });
      }
    });
  }

  /**
   * Replaces a certificate by one with the same hash. Block 0 of several validators is written before they
   * have met.
   */
  async replaceCertificate(certificate: FinalityCertificate): Promise<void> {
    const { height, certificateHash } = certificate;
    const text = this.tables.blocks.get(height);
    const block = text === undefined ? null : (JSON.parse(text) as StoredBlock);
    if (block?.certificate.certificateHash !== certificateHash) {
      throw new Error(`block ${height} is not the block of the certificate`);
    }
    const { header } = block;
    requireFreeSpace(this.path);
    await explained(this.tables.blocks.put(height, canonicalize({ header, certificate })));
  }

  /** Stores the evidence of a fork, or removes it if null. */
  async keepFork(text: string | null): Promise<void> {
    const { meta } = this.tables;
    if ((meta.get('fork') ?? null) === text) return;
    requireFreeSpace(this.path);
    await explained(text === null ? meta.remove('fork') : meta.put('fork', text));
  }

  /**
   * Copies a consistent state of the database into an empty directory while blocks are being written.
   * @throws Error if the disk refuses
   */
  async copyTo(directory: string): Promise<void> {
    await this.root.backup(directory, true);
  }

  /**
   * Gives a copy of an older format the current number, and drops the changed tables. `converting` in `meta`
   * marks the copy until they are rebuilt.
   */
  static async adopt(path: string, changed: readonly TableName[]): Promise<void> {
    const root = open({ path, maxDbs: 32, overlappingSync: false, eventTurnBatching: false });
    try {
      const meta = root.openDB<string, string>({ name: 'meta', ...TABLES.meta.options });
      await explained(meta.put('converting', '[]'));
      for (const name of changed) {
        await root.openDB({ name, ...TABLES[name].options }).drop();
      }
      if (changed.includes('lists') || changed.includes('due')) {
        await explained(meta.put('derived', '{}'));
      }
      await explained(meta.put('format', String(STORE_FORMAT)));
    } finally {
      await root.close();
    }
  }

  /** Writes one small transaction, because LMDB crashes if the first one in a copy replaces some hundred pages. */
  async prepareCopy(): Promise<void> {
    const { meta } = this.tables;
    await explained(meta.put('format', meta.get('format') ?? String(STORE_FORMAT)));
  }

  async close(): Promise<void> {
    await this.root.close();
  }

  private async inTurn(work: () => Promise<void>): Promise<void> {
    while (this.writing) await this.writing;
    const done = work();
    this.writing = done
      .catch(() => {})
      .finally(() => {
        this.writing = null;
      });
    await done;
  }

  private async commit(height: number, writes: Writes, room: number): Promise<void> {
    requireFreeSpace(this.path, room);
    this.savePoints.note(writes);
    const written = this.tables.blocks.ifNoExists(height, () => writes.run());
    if (!(await explained(written))) throw new BlockExistsError(height);
  }

  /** Prepares all writes first, because LMDB commits a batch even if its callback throws. */
  private writesOf(blocks: readonly BlockWrite[]): Writes {
    const writes = new Writes();
    const { tables } = this;
    const { changes, tree, before, after } = mergedChanges(blocks);
    const height = blocks.at(-1)?.header.height ?? 0;
    const records = { before, after };
    writes.put(tables.meta, 'head', String(height));
    if (tables.meta.get('derived') !== DERIVED_TEXT) {
      writes.put(tables.meta, 'derived', DERIVED_TEXT);
    }
    const frames = new FrameWrites(tables, after);
    for (const block of blocks) {
      putHistory(writes, tables, block);
      frames.add(frameBlockOf(block));
    }
    frames.putInto(writes);
    this.derived.putNonces(writes, blocks);
    for (const [key, text] of changes) {
      if (text === null) writes.remove(tables.state, key);
      else writes.put(tables.state, key, text);
      this.derived.put(writes, key, records);
    }
    putAll(writes, tables.tree, tree.buckets);
    putAll(writes, tables.treePages, tree.pages);
    return writes;
  }
}

function outdatedLists(root: RootDatabase, meta: Tables['meta']): string[] {
  return collectionsWithOldLists(meta.get('derived'), () =>
    root.openDB<string, string>({ name: 'state', ...TABLES.state.options }),
  );
}

/** Rethrows a failed transaction with LMDB's reason, which comes in a second promise. */
async function explained(transaction: Promise<boolean>): Promise<boolean> {
  try {
    return await transaction;
  } catch (error) {
    const { commitError } = error as { commitError?: Promise<unknown> };
    const cause = commitError?.catch((reason: unknown) => reason);
    const reason = await Promise.race([cause, new Promise((resolve) => setImmediate(resolve))]);
    throw reason instanceof Error ? reason : error;
  }
}
