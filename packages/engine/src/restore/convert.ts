/**
 * Converts an older or outdated database into a new one beside it, while the node may keep making blocks
 * (docs/decisions/004-storage-and-state-tree.md).
 */
import { existsSync, mkdirSync, renameSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { requireKnownRules } from '@netd/ledger';
import {
  blockHash,
  merkleSubtrees,
  sha256Hex,
  type ChainEvent,
  type Genesis,
} from '@netd/protocol';
import { DataDirError } from '../data-dir-error.ts';
import { syncDirectory, syncFile } from '../durable-file.ts';
import { BlockExecutor } from '../executor/block-executor.ts';
import { identityOf } from '../executor/chain-identity.ts';
import { tipOf } from '../executor/tip.ts';
import { VerifierPool } from '../mempool/verifier-pool.ts';
import { BlockReplay } from '../replay/block-replay.ts';
import { snapshotSource, type BlockSource, type PutForkBase } from '../replay/block-source.ts';
import { Replay } from '../replay/replay.ts';
import { LEAST_FREE_BYTES } from '../store/free-space.ts';
import { type BlockHistory, putHistoryIndexes } from '../store/history-writes.ts';
import { rebuildLists } from '../store/rebuild-lists.ts';
import { StoreError } from '../store/store-error.ts';
import { Store, type StoreFacts } from '../store/store.ts';
import {
  FORM_SINCE,
  OLDEST_FORMAT,
  rangeOfBlock,
  STORE_FORMAT,
  TABLES,
  type TableName,
} from '../store/tables.ts';
import { Writes } from '../store/writes.ts';
import { clearPlace, DATABASE_ENTRIES, UPGRADE } from '../written-entries.ts';
import { LEAF_ENTRIES, LeafFiles } from './leaf-files.ts';
import { StateRebuild, WrongStateError } from './state-rebuild.ts';

export interface ConvertProgress {
  /** Unit of `done` and `total`: heights in `execute`, blocks in `blocks`, parts in `tree`. */
  phase: 'copied' | 'blocks' | 'nonces' | 'tree' | 'lists' | 'execute' | 'converted';
  done: number;
  total: number;
}

export interface ConvertOptions {
  putForkBase?: PutForkBase | undefined;
  onProgress?: ((progress: ConvertProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

type Way = 'rebuild' | 'replay';

/** Tables that can be rebuilt by executing the blocks. */
const EXECUTED: readonly string[] = ['state', 'events'];

/** Returns how this version converts a database; null if it need not, or cannot. */
export function wayOf({ format, outdatedLists, partial }: StoreFacts): Way | null {
  if (format === STORE_FORMAT) return outdatedLists.length > 0 ? 'rebuild' : null;
  if (format === null || format < OLDEST_FORMAT || format > STORE_FORMAT) return null;
  const certified = changedSince(format).filter((name) => TABLES[name].kind === 'chain');
  if (certified.length === 0) return 'rebuild';
  const isEnough = !partial && certified.every((name) => EXECUTED.includes(name));
  return isEnough ? 'replay' : null;
}

const changedSince = (format: number): TableName[] =>
  (Object.keys(TABLES) as TableName[]).filter(
    (name) => (FORM_SINCE[name] ?? OLDEST_FORMAT) > format,
  );

/** The drafts are inside the database's folder, because that may be a disk of its own. */
export const placesIn = (storePath: string) => {
  const root = join(storePath, UPGRADE);
  return {
    root,
    copy: join(root, 'copy'),
    next: join(root, 'next'),
    leaves: join(root, 'leaves'),
    /** The old database, kept until the first new block. */
    before: join(root, 'before'),
  };
};

export interface Head {
  height: number;
  blockHash: string;
}

/**
 * Converts the database, or continues an interrupted conversion. Only one caller may run it at a time.
 * @throws DataDirError if there is too little space; StoreError if the database is damaged or cannot be
 * converted; UnknownRulesError; Error if the disk refuses
 */
export async function convert(storePath: string, options: ConvertOptions = {}): Promise<Head> {
  const facts = await Store.describe(storePath);
  const way = wayOf(facts);
  if (way === null || facts.format === null) {
    throw new StoreError(
      `the database at ${storePath} cannot be converted: netd upgrade --check says why`,
    );
  }
  const source = Store.open(storePath, { readOnly: true, anyFormat: true, anyLists: true });
  try {
    const genesis = source.genesis();
    if (!genesis) throw new StoreError(`the database at ${storePath} has no genesis document`);
    return await new Conversion(
      { storePath, source, genesis, format: facts.format, way },
      options,
    ).run();
  } finally {
    await source.close();
  }
}

interface Parts {
  storePath: string;
  source: Store;
  genesis: Genesis;
  format: number;
  way: Way;
}

class Conversion {
  private readonly parts: Parts;
  private readonly options: ConvertOptions;
  private readonly places: ReturnType<typeof placesIn>;

  constructor(parts: Parts, options: ConvertOptions) {
    this.parts = parts;
    this.options = options;
    this.places = placesIn(parts.storePath);
  }

  async run(): Promise<Head> {
    const { source, way } = this.parts;
    const { next } = this.places;
    this.requireRules();
    if (!(await this.isUsable())) {
      this.begin();
      if (way === 'rebuild') await this.copy();
    }
    if (way === 'rebuild') {
      await this.rebuild();
      await this.listsOf(next);
    }
    const draft = Store.open(next);
    try {
      const head = await this.execute(draft);
      await draft.keepFork(forkTextOf(source));
      const writes = new Writes();
      writes.remove(draft.tables.meta, 'converting');
      await draft.writeAll(writes);
      this.step('converted', 1, 1);
      return head;
    } finally {
      await draft.close();
      syncFile(join(next, 'data.mdb'));
    }
  }

  private requireRules(): void {
    const snapshot = this.parts.source.snapshot();
    try {
      if (this.parts.way === 'rebuild') requireKnownRules(snapshot, snapshot.height);
    } finally {
      snapshot.close();
    }
  }

  private async isUsable(): Promise<boolean> {
    const { next } = this.places;
    if (!existsSync(join(next, 'data.mdb'))) return false;
    try {
      const { format, height } = await Store.describe(next);
      if (format !== STORE_FORMAT || height === null) return false;
      const draft = Store.open(next, { readOnly: true, anyLists: true });
      try {
        const { source } = this.parts;
        // Compare only later blocks: the certificate of the first block may have changed since.
        return (
          height > identityOf(this.parts.genesis).firstHeight &&
          hashAt(draft, height) === hashAt(source, height)
        );
      } finally {
        await draft.close();
      }
    } catch (error) {
      if (error instanceof StoreError) return false;
      throw error;
    }
  }

  private begin(): void {
    const { storePath } = this.parts;
    const { root, copy, next, leaves } = this.places;
    for (const place of [copy, next]) clearPlace(place, DATABASE_ENTRIES);
    clearPlace(leaves, LEAF_ENTRIES);
    requireRoom(storePath);
    mkdirSync(root, { recursive: true, mode: 0o700 });
  }

  private async copy(): Promise<void> {
    const { source, format } = this.parts;
    const { copy, next, root } = this.places;
    mkdirSync(copy, { mode: 0o700 });
    await source.copyTo(copy);
    await Store.adopt(copy, changedSince(format));
    syncFile(join(copy, 'data.mdb'));
    renameSync(copy, next);
    syncDirectory(root);
    this.step('copied', 1, 1);
  }

  private async rebuild(): Promise<void> {
    const changed = changedSince(this.parts.format);
    const draft = Store.open(this.places.next, { anyLists: true });
    try {
      const { meta } = draft.tables;
      const text = meta.get('converting');
      if (text === undefined) return;
      const done = JSON.parse(text) as string[];
      const steps: [name: string, tables: TableName[], run: () => Promise<void>][] = [
        ['blocks', BLOCK_INDEXES, () => this.indexBlocks(draft)],
        ['nonces', ['nonces'], () => this.putNonces(draft)],
        ['tree', ['tree', 'treePages'], () => this.buildTree(draft)],
      ];
      for (const [name, tables, run] of steps) {
        if (done.includes(name) || !tables.some((table) => changed.includes(table))) continue;
        await run();
        done.push(name);
        await meta.put('converting', JSON.stringify(done));
      }
    } finally {
      await draft.close();
    }
  }

  private async indexBlocks(draft: Store): Promise<void> {
    const { tables } = draft;
    const { blocks } = tables;
    const total = (blocks.getStats() as { entryCount: number }).entryCount;
    let done = 0;
    for (let next: number | undefined = 0; next !== undefined;) {
      const writes = new Writes();
      const rows: { key: number; value: string }[] = [
        ...blocks.getRange({ start: next, limit: BLOCKS_A_STEP }),
      ];
      for (const { key, value } of rows) putIndexesOf(writes, draft, key, value);
      await draft.writeAll(writes);
      draft.refresh();
      done += rows.length;
      this.step('blocks', done, total);
      const last = rows.at(-1);
      next = last && last.key + 1;
    }
  }

  private async putNonces(draft: Store): Promise<void> {
    await this.stateOf(draft, (work) => work.putNonces());
    this.step('nonces', 1, 1);
  }

  private async buildTree(draft: Store): Promise<void> {
    const { source } = this.parts;
    const snapshot = draft.snapshot();
    const { height, stateRoot } = snapshot.block.header;
    snapshot.close();
    try {
      await this.stateOf(draft, async (work) => {
        await work.readLeaves();
        await work.putTree({ height, stateRoot });
      });
    } catch (error) {
      if (!(error instanceof WrongStateError)) throw error;
      throw new StoreError(
        `the records in ${source.path} are not those that block ${height} certifies: put chain/ back from a backup (netd restore)`,
        { cause: error },
      );
    }
  }

  private async stateOf(
    draft: Store,
    work: (rebuild: StateRebuild) => Promise<void>,
  ): Promise<void> {
    const leaves = new LeafFiles(this.places.leaves);
    try {
      await work(new StateRebuild(draft, leaves, (done, total) => this.step('tree', done, total)));
    } finally {
      leaves.close();
    }
  }

  private async listsOf(path: string): Promise<void> {
    const { signal } = this.options;
    await rebuildLists(path, {
      signal,
      onProgress: ({ done, total }) => this.step('lists', done, total),
    });
  }

  private async execute(draft: Store): Promise<Head> {
    const { source, genesis } = this.parts;
    const verifier = new VerifierPool();
    try {
      for (;;) {
        source.refresh();
        const snapshot = source.snapshot();
        try {
          const from = draft.headHeight();
          const { height } = snapshot;
          if (from === height) {
            const head = { height, blockHash: blockHash(snapshot.block.header) };
            if (hashAt(draft, height) === head.blockHash) return head;
            throw new StoreError(`the chain in ${source.path} went back meanwhile: run it again`);
          }
          const blocks = snapshotSource(snapshot, genesis, this.options.putForkBase);
          const onBlock = (at: number): void => this.step('execute', at, height);
          if (from === null) await replayAll(blocks, draft, verifier, onBlock);
          else await extend(blocks, draft, verifier, onBlock);
        } finally {
          snapshot.close();
        }
      }
    } finally {
      await verifier.close();
    }
  }

  private step(phase: ConvertProgress['phase'], done: number, total: number): void {
    this.options.onProgress?.({ phase, done, total });
    this.options.signal?.throwIfAborted();
  }
}

const BLOCKS_A_STEP = 500;
const BLOCK_INDEXES: TableName[] = [
  'transitionIndex',
  'certificateIndex',
  'eventIndex',
  'transitionSubtrees',
  'eventSubtrees',
];

function putIndexesOf(writes: Writes, store: Store, height: number, text: string): void {
  const { tables } = store;
  const range = rangeOfBlock(height);
  const transitions = [...tables.transitions.getRange(range)].map(({ value }) => ({
    hash: sha256Hex(value),
    text: value,
  }));
  const eventTexts = [...tables.events.getRange(range)].map(({ value }) => value);
  putHistoryIndexes(writes, tables, {
    ...(JSON.parse(text) as Pick<BlockHistory, 'header' | 'certificate'>),
    transitions,
    events: eventTexts.map((event) => JSON.parse(event) as ChainEvent),
    transitionSubtrees: merkleSubtrees(transitions.map(({ hash }) => hash)),
    eventSubtrees: merkleSubtrees(eventTexts.map((event) => sha256Hex(event))),
  });
}

type OnBlock = (height: number) => void;

const replayAll = (
  source: BlockSource,
  store: Store,
  verifier: VerifierPool,
  onBlock: OnBlock,
): Promise<number> => new Replay(source, store, verifier, ({ height }) => onBlock(height)).run();

async function extend(
  source: BlockSource,
  store: Store,
  verifier: VerifierPool,
  onBlock: OnBlock,
): Promise<void> {
  const snapshot = store.snapshot();
  const head = tipOf(snapshot.block.header);
  snapshot.close();
  const executor = BlockExecutor.load(identityOf(source.genesis), store, head);
  const replay = new BlockReplay({ state: store, verifier });
  const read = (height: number) => source.block(height);
  for await (const prepared of replay.prepareAhead(head.height + 1, source.height, read)) {
    const { hash, write } = await replay.execute(prepared, executor);
    await store.commitBlock(write);
    executor.commit(hash);
    onBlock(prepared.height);
  }
}

export function hashAt(store: Store, height: number): string | null {
  const snapshot = store.snapshot();
  try {
    const block = snapshot.blockAt(height);
    return block && blockHash(block.header);
  } finally {
    snapshot.close();
  }
}

function forkTextOf(store: Store): string | null {
  const snapshot = store.snapshot();
  try {
    return snapshot.forkText();
  } finally {
    snapshot.close();
  }
}

function requireRoom(storePath: string): void {
  const { size } = statSync(join(storePath, 'data.mdb'));
  const { blocks, bavail, bsize } = statfsSync(storePath);
  const needed = Math.ceil(size * 1.25) + LEAST_FREE_BYTES;
  if (blocks === 0 || bavail * bsize >= needed) return;
  throw new DataDirError(
    `converting the database in ${storePath} needs ${Math.ceil(needed / 1e6)} MB of free space, and ${Math.floor((bavail * bsize) / 1e6)} are free: make room, or go on with the version that wrote it. Nothing was changed`,
  );
}
