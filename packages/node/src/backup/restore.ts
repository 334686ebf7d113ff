/**
 * Restores a backup, and executes its later blocks. No backup contains the record of the last signature, and
 * a restore creates none.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { genesisHash, type Genesis } from '@netd/protocol';
import {
  asDataDirError,
  BlockExecutor,
  BlockReplay,
  clearPlace,
  convert,
  DATABASE_ENTRIES,
  DataDirError,
  FORK_POINT,
  forkBaseFrom,
  identityOf,
  InvalidChainError,
  readLastSigned,
  removeWritten,
  rebuildLists,
  Store,
  STORE_FORMAT,
  type StoreFacts,
  swap,
  syncDirectory,
  tipOf,
  UPGRADE,
  UPGRADE_ENTRIES,
  VerifierPool,
  wayOf,
  writeOnce,
} from '@netd/engine';
import { FOLLOWER_FACTS, GENESIS_FILE, placesIn, readGenesis } from '../data-dir.ts';
import { lockDataDir } from '../data-dir-lock.ts';
import { type BackedUpBlock, requireSound } from './backup.ts';
import { blocksIn, BlocksFileError } from './blocks-file.ts';
import { type BackupManifest, MANIFEST, readManifest, requireFiles } from './manifest.ts';

export interface RestoreOptions {
  from: string;
  dataDir: string;
  onProgress?: (progress: { height: number; target: number }) => void;
}

export interface Restored {
  path: string;
  chainId: string;
  height: number;
  blockHash: string;
  executed: number;
  follower: boolean;
  /** True if CometBFT orders the chain. No node can then continue from the copy. */
  ofValidators: boolean;
  lastSigned: number | null;
}

/** These must not exist yet. Keys may, because operators restore them first. */
const OF_A_CHAIN = [GENESIS_FILE, FOLLOWER_FACTS, FORK_POINT, 'chain', 'checkpoints'];

/** @throws DataDirError, StoreError; the data directory then holds no chain */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const [from, root] = [resolve(options.from), resolve(options.dataDir)];
  const manifest = readManifest(from);
  if (!manifest) {
    throw new DataDirError(
      `there is no backup in ${from} (no ${MANIFEST}): name the directory of a netd backup with --from`,
    );
  }
  const { storeFormat: format } = manifest;
  if (format !== STORE_FORMAT) requireConvertible({ format, partial: false }, { from, manifest });
  const unlock = lockDataDir(root);
  try {
    requireNoChain(root);
    const lastSigned = lastSignedIn(root, manifest);
    await requireFiles(from, manifest);
    return { ...(await putBack({ ...options, from, root, manifest })), lastSigned };
  } catch (error) {
    throw asDataDirError(root, error);
  } finally {
    removeWritten(join(root, '.restoring'), DATABASE_ENTRIES);
    unlock();
  }
}

/** @throws DataDirError if this version cannot convert a database of the backup */
function requireConvertible(
  facts: Pick<StoreFacts, 'format' | 'partial'>,
  { from, manifest }: Pick<Putting, 'from' | 'manifest'>,
): void {
  if (wayOf({ ...facts, height: null, outdatedLists: [] }) !== null) return;
  throw new DataDirError(
    `the backup in ${from} is of a database of format ${facts.format}, this version reads ${STORE_FORMAT}: restore it with netd ${manifest.version}, which wrote it. netd upgrade --check then says how the chain can go on`,
  );
}

function requireNoChain(root: string): void {
  const found = OF_A_CHAIN.filter((name) => existsSync(join(root, name)));
  if (found.length === 0) return;
  throw new DataDirError(
    `${root} has a chain already (${found.join(', ')}): name another --data-dir, with at most the keys of the chain in it`,
  );
}

/** @throws DataDirError if the keys belong to a validator of another chain */
function lastSignedIn(root: string, manifest: BackupManifest): number | null {
  const path = join(root, 'keys', 'last-signed.json');
  const last = readLastSigned(path);
  if (last === null) return null;
  if (last.genesisHash !== manifest.genesisHash) {
    throw new DataDirError(
      `${path} is of another chain (genesis ${last.genesisHash}) than the backup: put the keys of this one there, or choose another --data-dir`,
    );
  }
  return last.height;
}

interface Putting extends RestoreOptions {
  root: string;
  manifest: BackupManifest;
}

async function putBack(putting: Putting): Promise<Omit<Restored, 'lastSigned'>> {
  const { from, root, manifest } = putting;
  const genesis = readGenesis(join(from, GENESIS_FILE));
  if (!genesis || genesisHash(genesis) !== manifest.genesisHash) {
    throw new DataDirError(
      `the genesis.json in ${from} is not that of its backup: use another one`,
    );
  }
  const draft = join(root, '.restoring');
  clearPlace(draft, DATABASE_ENTRIES);
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  copyFileSync(join(from, manifest.database.path), join(draft, 'data.mdb'));
  await convertDraft(draft, genesis, putting);
  await requireSound(draft, genesis);
  const { height, blockHash } = await executeBlocks(draft, genesis, putting);
  if (height !== manifest.height || blockHash !== manifest.blockHash) {
    throw new DataDirError(
      `the backup in ${from} comes to block ${height} (${blockHash}), and says ${manifest.height} (${manifest.blockHash}): use another one`,
    );
  }
  // Write genesis last: without follow.json, a follower's chain would look like a validator's.
  const { storePath } = placesIn(root);
  try {
    for (const { path } of manifest.documents) {
      if (!path.startsWith(`${FORK_POINT}/`)) continue;
      mkdirSync(join(root, FORK_POINT), { recursive: true, mode: 0o700 });
      copyFileSync(join(from, path), join(root, path));
    }
    renameSync(draft, storePath);
    syncDirectory(root);
    for (const name of manifest.follower ? [FOLLOWER_FACTS, GENESIS_FILE] : [GENESIS_FILE]) {
      writeOnce(join(root, name), readFileSync(join(from, name), 'utf8'), 0o644);
    }
  } catch (error) {
    // Remove what this restore wrote: the next restore refuses a directory that has a part of a chain.
    removeWritten(storePath, DATABASE_ENTRIES);
    removeWritten(join(root, FORK_POINT), [[/^(point\.json|chunk-\d+)$/]]);
    for (const name of [GENESIS_FILE, FOLLOWER_FACTS]) rmSync(join(root, name), { force: true });
    throw error;
  }
  const { chainId, follower, database } = manifest;
  const ofValidators = genesis.validators.length > 1 || genesis.policy.validatorSet !== undefined;
  const executed = height - database.height;
  return { path: root, chainId, height, blockHash, executed, follower, ofValidators };
}

/** Keeps no database from before the conversion: the backup has it. */
async function convertDraft(draft: string, genesis: Genesis, putting: Putting): Promise<void> {
  const facts = await Store.describe(draft);
  if (facts.format === STORE_FORMAT) return;
  requireConvertible(facts, putting);
  const { fork } = genesis;
  await convert(draft, { putForkBase: fork && forkBaseFrom(putting.from, fork) });
  swap(draft);
  removeWritten(join(draft, UPGRADE), UPGRADE_ENTRIES);
}

async function executeBlocks(
  path: string,
  genesis: Genesis,
  { from, manifest, onProgress }: Putting,
): Promise<{ height: number; blockHash: string }> {
  await rebuildLists(path);
  const store = Store.open(path);
  await store.prepareCopy();
  const verifier = new VerifierPool();
  try {
    const identity = identityOf(genesis);
    let head = headOf(store);
    const executor = BlockExecutor.load(identity, store, head);
    const replay = new BlockReplay({ state: store, verifier });
    const target = manifest.height;
    for (const file of manifest.blocks) {
      const blocks = blocksIn(join(from, file.path));
      const read = async (): Promise<BackedUpBlock> => {
        const { done, value } = await blocks.next();
        if (done) throw new BlocksFileError(`${file.path} has fewer blocks than its name says`);
        return value;
      };
      try {
        for await (const prepared of replay.prepareAhead(file.from, file.to, read)) {
          const { hash, write } = await replay.execute(prepared, executor);
          await store.commitBlock(write);
          executor.commit(hash);
          head = tipOf(write.header, hash);
          onProgress?.({ height: head.height, target });
        }
      } finally {
        await blocks.return();
      }
    }
    return { height: head.height, blockHash: head.blockHash };
  } catch (error) {
    if (!(error instanceof InvalidChainError || error instanceof BlocksFileError)) throw error;
    throw new DataDirError(
      `a block of the backup in ${from} does not follow from the ones before (${error.message}): use another backup`,
      { cause: error },
    );
  } finally {
    await verifier.close();
    await store.close();
    rmSync(join(path, 'lock.mdb'), { force: true });
  }
}

function headOf(store: Store): ReturnType<typeof tipOf> {
  const snapshot = store.snapshot();
  try {
    return tipOf(snapshot.block.header);
  } finally {
    snapshot.close();
  }
}
