import { setImmediate as yieldToRequests } from 'node:timers/promises';
import type { Key } from 'lmdb';
import { checkDatabaseFile } from './database-file.ts';
import { DERIVED_TEXT, FRAMES, markRebuilding } from './derived-fingerprints.ts';
import { DerivedWrites } from './derived-writes.ts';
import { type FrameKey, FrameWrites, storedFrameBlock } from './frame-writes.ts';
import { Store, type StoreOptions } from './store.ts';
import { Writes } from './writes.ts';

const STEP = 1_000;
/** A block can have thousands of events, so a step reads fewer blocks than keys. */
const STEP_BLOCKS = 100;

export interface ListRebuildProgress {
  collections: readonly string[];
  done: number;
  /** An upper bound, because the walk skips records of other collections. */
  total: number;
  /** True only in the last report, when the database is complete and on disk. */
  finished: boolean;
}

export interface RebuildListsOptions extends StoreOptions {
  onProgress?: ((progress: ListRebuildProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Rebuilds lists, queues and frames whose fingerprints differ from this version's. The caller holds the lock.
 * A mark makes all versions refuse the database until the last transaction.
 * @returns the rebuilt collections
 * @throws StoreError if the database has another format or is damaged; Error if the disk refuses
 */
export async function rebuildLists(
  path: string,
  { onProgress, signal, ...options }: RebuildListsOptions = {},
): Promise<readonly string[]> {
  if (!checkDatabaseFile(path)) return [];
  const store = Store.open(path, { ...options, anyLists: true });
  try {
    const collections = store.headHeight() === null ? [] : store.outdatedLists();
    if (collections.length > 0) {
      await new ListRebuild(store, collections, { onProgress, signal }).run();
    }
    return collections;
  } finally {
    await store.close();
  }
}

class ListRebuild {
  private readonly store: Store;
  private readonly collections: readonly string[];
  private readonly options: Pick<RebuildListsOptions, 'onProgress' | 'signal'>;
  private readonly total: number;
  private done = 0;

  constructor(
    store: Store,
    collections: readonly string[],
    options: Pick<RebuildListsOptions, 'onProgress' | 'signal'>,
  ) {
    this.store = store;
    this.collections = collections;
    this.options = options;
    const { lists, due, state, frames, blocks } = store.tables;
    this.total = [lists, due, state, ...(this.hasFrames ? [frames, blocks] : [])].reduce(
      (sum, table) => sum + (table.getStats() as { entryCount: number }).entryCount,
      0,
    );
  }

  async run(): Promise<void> {
    const { meta, lists, due } = this.store.tables;
    this.report();
    await this.write((writes) =>
      writes.put(meta, 'derived', markRebuilding(meta.get('derived'), this.collections)),
    );
    await this.removeEntries(lists);
    await this.removeEntries(due);
    for (const name of this.collections) await this.putEntries(name);
    if (this.hasFrames) await this.putFrames();
    await this.write((writes) => writes.put(meta, 'derived', DERIVED_TEXT));
    this.report(true);
  }

  private async removeEntries(table: Store['tables']['lists' | 'due']): Promise<void> {
    const isRebuilt = new Set(this.collections);
    await this.walk(
      (start) => table.getKeys({ ...start, limit: STEP }),
      (writes, key) => {
        const stateKey = String((key as unknown[]).at(-1));
        if (isRebuilt.has(stateKey.slice(0, stateKey.indexOf('/')))) writes.remove(table, key);
      },
    );
  }

  private async putEntries(collection: string): Promise<void> {
    const { state } = this.store.tables;
    const derived = new DerivedWrites(this.store);
    await this.walk(
      ({ start = `${collection}/` }) =>
        state.getKeys({ start: String(start), end: `${collection}0`, limit: STEP }),
      (writes, key) => {
        derived.put(writes, String(key), {
          before: () => undefined,
          after: () => this.store.get(String(key)),
        });
      },
    );
  }

  private async putFrames(): Promise<void> {
    const { tables } = this.store;
    await this.walk(
      (start) => tables.frames.getKeys({ ...start, limit: STEP }),
      (writes, key) => writes.remove(tables.frames, key as FrameKey),
    );
    const frames = new FrameWrites(tables);
    await this.walk(
      (start) => tables.blocks.getKeys({ ...start, limit: STEP_BLOCKS }),
      async (_, height) => {
        const block = storedFrameBlock(tables, Number(height));
        if (block) frames.add(block);
        // Let `/livez` answer.
        await yieldToRequests();
      },
      (writes) => frames.putInto(writes),
    );
  }

  private get hasFrames(): boolean {
    return this.collections.includes(FRAMES);
  }

  private async walk(
    read: (range: { start?: Key }) => Iterable<Key>,
    visit: (writes: Writes, key: Key) => void | Promise<void>,
    finish: (writes: Writes) => void = () => {},
  ): Promise<void> {
    let last: Key | undefined;
    for (;;) {
      this.options.signal?.throwIfAborted();
      const keys = [...read(last === undefined ? {} : { start: last })];
      // The range includes its start, which the previous step has handled.
      const isSeen = last !== undefined && String(keys[0]) === String(last);
      const fresh = isSeen ? keys.slice(1) : keys;
      last = fresh.at(-1);
      if (last === undefined) return;
      await this.write(async (writes) => {
        for (const key of fresh) await visit(writes, key);
        finish(writes);
      });
      this.done += fresh.length;
      this.report();
    }
  }

  private async write(put: (writes: Writes) => void | Promise<void>): Promise<void> {
    const writes = new Writes();
    await put(writes);
    await this.store.writeAll(writes);
    this.store.refresh();
  }

  private report(finished = false): void {
    const { collections, total } = this;
    const done = finished ? total : Math.min(this.done, total);
    this.options.onProgress?.({ collections, done, total, finished });
  }
}
