/**
 * Copies a database once, then the blocks since. `backup.json` names only verified parts, so a killed process
 * leaves the previous backup intact (docs/decisions/090-signing-once-backups-promotion.md).
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { genesisHash, type Genesis, type GenesisFork } from '@netd/protocol';
import { VERSION } from '@netd/protocol/version';
import {
  asDataDirError,
  certificateFault,
  clearPlace,
  DATABASE_ENTRIES,
  DataDirError,
  FORK_POINT,
  forkPointIn,
  LEAST_FREE_BYTES,
  removeEntry,
  replaceFile,
  type Snapshot,
  StateTree,
  Store,
  STORE_FORMAT,
  syncDirectory,
  syncFile,
  tipOf,
  writeDurably,
  type WrittenEntries,
} from '@netd/engine';
import { hashOfFile } from '@netd/engine/durable-file';
import {
  asDatabaseError,
  FOLLOWER_FACTS,
  GENESIS_FILE,
  placesIn,
  readGenesis,
} from '../data-dir.ts';
import { lockDataDir } from '../data-dir-lock.ts';
import {
  type BackupFile,
  type BackupManifest,
  type BlocksFile,
  MANIFEST,
  readManifest,
  requireFiles,
} from './manifest.ts';

export interface BackupOptions {
  dataDir: string;
  to: string;
  full?: boolean;
  now?: () => number;
  /** For tests: called before each part is written. */
  reach?: (part: 'database' | 'blocks' | 'manifest') => void;
}

export interface BackupMade {
  path: string;
  kind: 'full' | 'blocks' | 'nothing new';
  chainId: string;
  /** Last height of the previous backup; null if there was none. */
  from: number | null;
  height: number;
  blockHash: string;
  bytes: number;
}

/** Executing more blocks would take longer than a copy. */
const MOST_BLOCKS = 50_000;
const BLOCKS_A_FILE = 2_000;

export interface BackedUpBlock {
  header: Parameters<typeof tipOf>[0];
  certificate: Parameters<typeof certificateFault>[0]['certificate'];
  transitions: string[];
}

/** @throws DataDirError, StoreError; the previous backup stays */
export async function backup(options: BackupOptions): Promise<BackupMade> {
  const [root, to] = [resolve(options.dataDir), resolve(options.to)];
  requireApart(withoutLinks(root), withoutLinks(to));
  const genesis = readGenesis(join(root, GENESIS_FILE));
  const { storePath } = placesIn(root);
  if (!genesis || !existsSync(storePath)) {
    throw new DataDirError(`there is no chain in ${root}: name its data directory with -d`);
  }
  let unlock: () => void;
  try {
    unlock = lockDataDir(to, 'backup');
  } catch (error) {
    throw asDirectoryError(to, error);
  }
  let store: Store | null = null;
  try {
    store = Store.open(storePath, { readOnly: true, anyLists: true });
    return await make({ ...options, root, to, store, genesis });
  } catch (error) {
    throw asDirectoryError(to, asDatabaseError(root, error));
  } finally {
    await store?.close();
    sweep(to);
    unlock();
  }
}

const withoutLinks = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(withoutLinks(dirname(path)), basename(path));

function requireApart(root: string, to: string): void {
  const way = relative(root, to);
  if (way === '' || (!way.startsWith('..') && resolve(root, way) === to)) {
    throw new DataDirError(
      `${to} lies in the data directory itself, and would be lost with it: name a directory on another disk with --to`,
    );
  }
}

interface Making extends BackupOptions {
  root: string;
  store: Store;
  genesis: Genesis;
}

async function make(making: Making): Promise<BackupMade> {
  const { to, store, genesis } = making;
  const before = readManifest(to);
  const snapshot = store.snapshot();
  try {
    if (before) {
      requireSameHistory(making, before, snapshot);
      await requireFiles(to, before);
    }
    const { height } = snapshot;
    const made = { path: to, chainId: genesis.chainId, from: before?.height ?? null };
    const canAdd = before?.storeFormat === STORE_FORMAT && making.full !== true;
    if (before && canAdd && height === before.height) {
      const { blockHash } = before;
      return { ...made, kind: 'nothing new', height, blockHash, bytes: 0 };
    }
    if (before && canAdd && height - before.database.height <= MOST_BLOCKS) {
      const blocks = await addBlocks(making, before, snapshot);
      const manifest = { ...before, blocks: [...before.blocks, ...blocks] };
      const head = writeManifest(making, manifest, snapshot.block, before.documents);
      return { ...made, ...head, kind: 'blocks', bytes: sum(blocks) };
    }
  } finally {
    snapshot.close();
  }
  return copyAll(making, before);
}

/** @throws DataDirError if the chain is another one, or older than the backup */
function requireSameHistory(
  { root, to, genesis }: Making,
  before: BackupManifest,
  snapshot: Snapshot,
): void {
  const own = genesisHash(genesis);
  if (before.genesisHash !== own) {
    throw new DataDirError(
      `${to} holds a backup of ${before.chainId} (genesis hash ${before.genesisHash}), and ${root} another chain (${own}): name another directory with --to`,
    );
  }
  if (snapshot.height < before.height) {
    throw new DataDirError(
      `the backup in ${to} ends at block ${before.height}, and the chain in ${root} at block ${snapshot.height} already: it is an older copy. Restore from the backup, or name another directory with --to`,
    );
  }
  const block = snapshot.blockAt(before.height);
  const here = block && tipOf(block.header).blockHash;
  if (here !== before.blockHash) {
    throw new DataDirError(
      `block ${before.height} of the backup in ${to} is ${before.blockHash}, and here it is ${here ?? 'missing'}: these are two histories of one chain. Keep both, name another directory with --to, and see docs/operations.md about forks`,
    );
  }
}

async function addBlocks(
  { to, reach }: Making,
  before: BackupManifest,
  snapshot: Snapshot,
): Promise<BlocksFile[]> {
  const files: BlocksFile[] = [];
  let previous = before.blockHash;
  for (let from = before.height + 1; from <= snapshot.height; from += BLOCKS_A_FILE) {
    const last = Math.min(snapshot.height, from + BLOCKS_A_FILE - 1);
    const lines: string[] = [];
    for (let height = from; height <= last; height++) {
      const block = snapshot.blockAt(height);
      const fault = !block
        ? 'is missing'
        : block.header.previousBlockHash === previous
          ? certificateFault(block, (at) => snapshot.validatorSetAt(at))
          : 'does not follow the one before';
      if (!block || fault !== null) {
        throw new DataDirError(
          `block ${height} of the chain is damaged (${fault}), and nothing was backed up: netd verify says more`,
        );
      }
      previous = tipOf(block.header).blockHash;
      const transitions = snapshot.transitionsOf(height).map(({ text }) => text);
      const { header, certificate } = block;
      lines.push(JSON.stringify({ header, certificate, transitions } satisfies BackedUpBlock));
    }
    const path = `blocks-${from}-${last}.jsonl.gz`;
    reach?.('blocks');
    await writeDurably(join(to, path), gzipSync(`${lines.join('\n')}\n`));
    files.push({ path, from, to: last, ...(await hashOfFile(join(to, path))) });
  }
  return files;
}

async function copyAll(making: Making, before: BackupManifest | null): Promise<BackupMade> {
  const { to, store, genesis } = making;
  requireRoom(to, join(store.path, 'data.mdb'));
  const draft = join(to, '.database');
  clearPlace(draft, DATABASE_ENTRIES);
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  making.reach?.('database');
  await store.copyTo(draft);
  const block = await requireSound(draft, genesis);
  const { height } = block.header;
  const directory = freeName(height, before);
  rmSync(join(draft, 'lock.mdb'), { force: true });
  syncFile(join(draft, 'data.mdb'));
  clearPlace(join(to, directory), DATABASE_ENTRIES);
  renameSync(draft, join(to, directory));
  syncDirectory(to);
  const path = `${directory}/data.mdb`;
  const { blockHash } = tipOf(block.header);
  const database = { path, height, blockHash, ...(await hashOfFile(join(to, path))) };
  const documents = await copyDocuments(making);
  const facts = {
    schema: 'NET-BACKUP/1' as const,
    chainId: genesis.chainId,
    genesisHash: genesisHash(genesis),
    storeFormat: STORE_FORMAT,
    follower: documents.some(({ path: name }) => name === FOLLOWER_FACTS),
    database,
    blocks: [],
  };
  const head = writeManifest(making, facts, block, documents);
  const { chainId } = genesis;
  return {
    path: to,
    kind: 'full',
    chainId,
    from: before?.height ?? null,
    ...head,
    bytes: database.bytes,
  };
}

/** Returns a new name, because a database of the same height may still be in use. */
function freeName(height: number, before: BackupManifest | null): string {
  const taken = before === null ? '' : dirname(before.database.path);
  let name = `database-${height}`;
  while (name === taken) name = `database-0${name.slice('database-'.length)}`;
  return name;
}

/**
 * Checks genesis, the certificate of the last block, and the state root after it.
 * @throws DataDirError if a check fails
 */
export async function requireSound(path: string, genesis: Genesis) {
  const store = Store.open(path, { readOnly: true, anyLists: true });
  try {
    const found = store.genesis();
    if (!found || genesisHash(found) !== genesisHash(genesis)) {
      throw new DataDirError('the copy of the database does not hold the chain of genesis.json');
    }
    const snapshot = store.snapshot();
    try {
      const { block } = snapshot;
      const fault = certificateFault(block, (at) => snapshot.validatorSetAt(at));
      if (fault !== null) throw new DataDirError(`the last block of the copy is damaged: ${fault}`);
      new StateTree(store).open(tipOf(block.header));
      return block;
    } finally {
      snapshot.close();
    }
  } finally {
    await store.close();
  }
}

async function copyDocuments({ root, to, genesis }: Making): Promise<BackupFile[]> {
  const files = genesis.fork ? await copyForkPoint(root, to, genesis.fork) : [];
  for (const path of [GENESIS_FILE, FOLLOWER_FACTS]) {
    if (!existsSync(join(root, path))) continue;
    replaceFile(join(to, path), readFileSync(join(root, path), 'utf8'), 0o644);
    files.push({ path, ...(await hashOfFile(join(to, path))) });
  }
  return files;
}

async function copyForkPoint(root: string, to: string, fork: GenesisFork): Promise<BackupFile[]> {
  const point = forkPointIn(root, fork);
  if (!point) {
    throw new DataDirError(
      `${join(root, FORK_POINT)} is missing or damaged, in which is the state that this fork of ${fork.chainId} began with: put it back from an older backup, and back up again`,
    );
  }
  mkdirSync(join(to, FORK_POINT), { recursive: true, mode: 0o700 });
  const files: BackupFile[] = [];
  for (const name of point.names()) {
    const path = `${FORK_POINT}/${name}`;
    await writeDurably(join(to, path), readFileSync(join(root, path)));
    files.push({ path, ...(await hashOfFile(join(to, path))) });
  }
  return files;
}

type Facts = Omit<
  BackupManifest,
  'version' | 'height' | 'blockHash' | 'stateRoot' | 'madeAt' | 'documents'
>;

function writeManifest(
  { to, now = Date.now, reach }: Making,
  facts: Facts,
  { header }: Snapshot['block'],
  documents: BackupFile[],
): { height: number; blockHash: string } {
  const { height, blockHash, stateRoot } = tipOf(header);
  const manifest: BackupManifest = {
    ...facts,
    version: VERSION,
    height,
    blockHash,
    stateRoot,
    madeAt: new Date(now()).toISOString(),
    documents,
  };
  reach?.('manifest');
  replaceFile(join(to, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, 0o600);
  return { height, blockHash };
}

const PARTS: WrittenEntries = [
  [/^(database-\d+|\.database)$/, DATABASE_ENTRIES],
  [/^blocks-\d+-\d+\.jsonl\.gz$/],
  [/^\.\d+\.[a-z0-9]+\.draft$/],
];

function sweep(to: string): void {
  let manifest: BackupManifest | null = null;
  try {
    manifest = readManifest(to);
  } catch {
    return;
  }
  const used = new Set<string>();
  if (manifest) {
    used.add(dirname(manifest.database.path));
    for (const { path } of manifest.blocks) used.add(path);
  }
  if (!existsSync(to)) return;
  for (const name of readdirSync(to)) {
    if (!used.has(name)) removeEntry(to, name, PARTS);
  }
}

function requireRoom(to: string, database: string): void {
  const { bsize, bavail } = statfsSync(to);
  const { size } = statSync(database);
  const free = bsize * bavail;
  if (free >= size + LEAST_FREE_BYTES) return;
  throw new DataDirError(
    `${to} has ${Math.floor(free / 1e6)} MB free, and a copy of the database may need ${Math.ceil((size + LEAST_FREE_BYTES) / 1e6)}: make room, or name another disk with --to`,
  );
}

function asDirectoryError(to: string, error: unknown): unknown {
  const said = asDataDirError(to, error);
  if (!(said instanceof DataDirError)) return said;
  const message = said.message
    .replace(`the data directory ${to}`, `the directory of the backup, ${to},`)
    .replaceAll('another --data-dir', 'another one with --to')
    .replaceAll('with --data-dir', 'with --to');
  return message === said.message ? said : new DataDirError(message, { cause: error });
}

const sum = (files: readonly BackupFile[]): number =>
  files.reduce((total, { bytes }) => total + bytes, 0);
