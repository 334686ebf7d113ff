/**
 * Rebuilds a database from the chunks of a checkpoint, in constant memory. A crash loses the unsynced draft,
 * but not the chunks.
 */
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonicalize, genesisHash, type Genesis } from '@netd/protocol';
import { type Pair, PairError, PairReader } from '../chain/pair-reader.ts';
import { syncDirectory, syncFile } from '../durable-file.ts';
import { DerivedWrites, hasDerived } from '../store/derived-writes.ts';
import { FrameWrites } from '../store/frame-writes.ts';
import { putHistoryRange } from '../store/history-range.ts';
import { putHistory } from '../store/history-writes.ts';
import { UnfitKeyError } from '../store/store-error.ts';
import { Store } from '../store/store.ts';
import { DERIVED_TEXT } from '../store/derived-fingerprints.ts';
import { MAX_STATE_KEY_LENGTH, STORE_FORMAT } from '../store/tables.ts';
import { clearPlace, DATABASE_ENTRIES, type WrittenEntries } from '../written-entries.ts';
import { CHUNK_ENTRIES, type ChunkFiles } from './chunk-files.ts';
import { LEAF_ENTRIES, LeafFiles } from './leaf-files.ts';
import { StateRebuild, WrongStateError } from './state-rebuild.ts';

/** Thrown after a damaged chunk was removed; download that chunk again. */
export class ChunkLostError extends Error {
  override name = 'ChunkLostError';
}

export interface RestoreProgress {
  /** `done` and `total` are bytes in `chunks` and `pairs`, and parts in `tree`. */
  phase: 'chunks' | 'pairs' | 'tree' | 'done';
  height: number;
  done: number;
  total: number;
}

interface StateOptions {
  files: ChunkFiles;
  draftPath: string;
  signal?: AbortSignal | undefined;
  onProgress?: (progress: RestoreProgress) => void;
}

export interface RebuildOptions extends StateOptions {
  chain: RebuiltChain | null;
}

interface RebuiltChain {
  genesis: Genesis;
  source: string;
}

export const DRAFT_ENTRIES: WrittenEntries = [
  [/^chain$/, DATABASE_ENTRIES],
  [/^checkpoint$/, CHUNK_ENTRIES],
  [/^leaves$/, LEAF_ENTRIES],
  [/^comet$/, [[/^cometbft-statesync\d+$/, [[/^\d+$/]]]]],
];

const databaseIn = (draftPath: string): string => join(draftPath, 'chain');

/**
 * Rebuilds the database in `draftPath`, after deleting an existing draft.
 * @throws WrongStateError, ChunkLostError
 */
export async function rebuild(options: RebuildOptions): Promise<void> {
  const { draftPath, chain, signal } = options;
  const path = databaseIn(draftPath);
  clearPlace(path, DATABASE_ENTRIES);
  const store = Store.open(path, { scratch: true });
  try {
    await putState(options, store, (work) => (chain ? work.putChain(chain) : Promise.resolve()));
  } finally {
    await store.close();
  }
  syncFile(join(path, 'data.mdb'));
  syncDirectory(path);
  signal?.throwIfAborted();
}

export function placeDatabase(draftPath: string, storePath: string): void {
  clearPlace(storePath, DATABASE_ENTRIES);
  renameSync(databaseIn(draftPath), storePath);
  syncDirectory(dirname(storePath));
}

/**
 * @param finish writes more before the end
 * @throws WrongStateError, ChunkLostError; then the store is useless
 */
export async function putState(
  options: StateOptions,
  store: Store,
  finish: (work: Rebuild) => Promise<void> = async () => {},
): Promise<void> {
  const leaves = new LeafFiles(join(options.draftPath, 'leaves'));
  try {
    const work = new Rebuild(options, store, leaves);
    await work.putPairs();
    await work.putNonces();
    await work.putTree(options.files.point.checkpoint);
    await finish(work);
  } catch (error) {
    const isTheirs = error instanceof PairError || error instanceof UnfitKeyError;
    if (isTheirs) throw new WrongStateError(error.message, { cause: error });
    throw error;
  } finally {
    leaves.close();
  }
}

class Rebuild extends StateRebuild {
  private readonly options: StateOptions;
  private readonly derived: DerivedWrites;
  private readonly text = new TextDecoder('utf-8', { fatal: true });

  constructor(options: StateOptions, store: Store, leaves: LeafFiles) {
    super(store, leaves, (done, total) => this.step('tree', done, total));
    this.options = options;
    this.derived = new DerivedWrites(store);
  }

  async putPairs(): Promise<void> {
    const { files } = this.options;
    const { chunkHashes, byteLength } = files.point.checkpoint;
    const reader = new PairReader();
    let done = 0;
    for (const index of chunkHashes.keys()) {
      const chunk = await files.read(index);
      if (!chunk) throw new ChunkLostError(`chunk ${index} is not as it was written`);
      for (const pair of reader.read(chunk)) {
        this.putPair(pair);
        await this.count(1, pair.key.length + pair.value.length);
      }
      done += chunk.length;
      this.step('pairs', done, byteLength);
    }
    reader.end();
    await this.end();
  }

  private putPair({ key: keyBytes, value }: Pair): void {
    if (keyBytes.length > MAX_STATE_KEY_LENGTH) throw new PairError('a key is too long');
    let key: string;
    let text: string;
    let record: unknown;
    try {
      key = this.text.decode(keyBytes);
      text = this.text.decode(value);
      record = hasDerived(key) ? JSON.parse(text) : undefined;
    } catch {
      throw new PairError('a pair is no text, or a record no JSON');
    }
    this.leaves.add(keyBytes, value);
    this.writes.put(this.store.tables.state, key, text);
    if (record === undefined) return;
    try {
      this.derived.put(this.writes, key, {
        before: () => undefined,
        after: () => record,
      });
    } catch {
      throw new PairError(`the record ${key} is none of its collection`);
    }
  }

  async putChain({ genesis, source }: RebuiltChain): Promise<void> {
    const { tables } = this.store;
    const { blocks, checkpoint } = this.options.files.point;
    const identity = this.store.get('chain/identity') as { genesisHash?: string } | undefined;
    if (identity?.genesisHash !== genesisHash(genesis)) {
      throw new WrongStateError('the certified state is that of another genesis document');
    }
    for (const block of blocks) putHistory(this.writes, tables, block);
    const from = blocks.at(-1)?.header.height ?? checkpoint.height;
    const frames = new FrameWrites(tables);
    frames.addEarlier(blocks, { from, head: checkpoint.height });
    frames.putInto(this.writes);
    putHistoryRange(this.writes, tables, { from, source });
    this.writes.put(tables.meta, 'format', String(STORE_FORMAT));
    this.writes.put(tables.meta, 'derived', DERIVED_TEXT);
    this.writes.put(tables.meta, 'genesis', canonicalize(genesis));
    this.writes.put(tables.meta, 'head', String(checkpoint.height));
    await this.end();
  }

  private step(phase: RestoreProgress['phase'], done: number, total: number): void {
    const { files, signal, onProgress } = this.options;
    signal?.throwIfAborted();
    onProgress?.({ phase, height: files.point.checkpoint.height, done, total });
  }
}
