/**
 * Makes a follower the writer. The old writer is disabled first, so that two never sign at once
 * (docs/decisions/090-signing-once-backups-promotion.md).
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { blockHash, genesisHash, type Genesis } from '@netd/protocol';
import {
  asDataDirError,
  blockHashIn,
  DataDirError,
  readLastSigned,
  Store,
  syncDirectory,
  writeLastSigned,
  writeOnce,
} from '@netd/engine';
import { FOLLOWER_FACTS, GENESIS_FILE, placesIn, readGenesis, RETIRED } from './data-dir.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { readKeyFile, type KeyFile } from './keys.ts';

export interface PromoteOptions {
  dataDir: string;
  /** The old writer's `keys/`, or a copy. */
  keys: string;
  /** True if the operator asserts that the old writer never runs again. */
  oldWriterIsGone?: boolean;
  /** Milliseconds per answer; default 3,000. */
  timeout?: number;
}

export interface Promoted {
  path: string;
  chainId: string;
  validatorId: string;
  height: number;
  blockHash: string;
  /** New path of the old last-signed record; null if there was none. */
  retired: string | null;
}

const LAST_SIGNED = 'last-signed.json';
const TIMEOUT = 3_000;

/** @throws DataDirError; then nothing has changed */
export async function promote(options: PromoteOptions): Promise<Promoted> {
  const [root, keys] = [resolve(options.dataDir), resolve(options.keys)];
  const genesis = readGenesis(join(root, GENESIS_FILE));
  if (!genesis || !existsSync(join(root, FOLLOWER_FACTS))) {
    throw new DataDirError(
      `${root} is not of a follower: name the data directory of a netd follow with -d`,
    );
  }
  if (genesis.validators.length > 1) {
    throw new DataDirError(
      `${genesis.chainId} has ${genesis.validators.length} validators, and goes on without one of them: nothing needs to be promoted`,
    );
  }
  const validator = validatorKey(keys, genesis);
  const unlock = lockDataDir(root);
  let unlockOld = (): void => {};
  let store: Store | null = null;
  try {
    if (isDataDir(keys)) unlockOld = lockOldWriter(dirname(keys));
    store = Store.open(placesIn(root).storePath, { readOnly: true });
    const head = headOf(store, root);
    const old = lastSignedOf(keys);
    requireAllSigned({ old, head, genesis, keys, options, blockHashAt: blockHashIn(store) });
    await requireNoneAhead(root, head.height, options.timeout ?? TIMEOUT);
    requireNoOtherKeys(root, keys);
    // Make every check before touching the old writer's keys.
    const place = join(root, 'keys');
    mkdirSync(place, { recursive: true, mode: 0o700 });
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
    // Retire first: from here on the old writer cannot start, and the other steps can be repeated.
    const retired = retire(keys);
    putKeys(root, keys);
    writeLastSigned(join(root, 'keys', LAST_SIGNED), {
      genesisHash: genesisHash(genesis),
      ...head,
    });
    rmSync(join(root, FOLLOWER_FACTS));
    syncDirectory(root);
    const { chainId } = genesis;
    return { path: root, chainId, validatorId: validator.actorId, ...head, retired };
  } catch (error) {
    throw asDataDirError(root, error);
  } finally {
    await store?.close();
    unlockOld();
    unlock();
  }
}

/** @throws DataDirError if the key is not that of the chain's validator; KeyFileError */
function validatorKey(keys: string, genesis: Genesis): KeyFile {
  for (const name of KEY_FILES) {
    if (!existsSync(join(keys, name))) {
      throw new DataDirError(
        `${join(keys, name)} is missing: --keys names the keys/ of the old writer, or a copy of it with validator.json and operator.json`,
      );
    }
  }
  const key = readKeyFile(join(keys, 'validator.json'));
  const isNamed = genesis.validators.some(
    ({ validatorId, consensusPublicKey }) =>
      validatorId === key.actorId && consensusPublicKey === key.publicKey,
  );
  if (isNamed) return key;
  throw new DataDirError(
    `${join(keys, 'validator.json')} is not the key of a validator of ${genesis.chainId}: name the keys of the writer that this follower has followed`,
  );
}

const isDataDir = (keys: string): boolean =>
  basename(keys) === 'keys' && existsSync(join(dirname(keys), GENESIS_FILE));

function lockOldWriter(path: string): () => void {
  try {
    return lockDataDir(path);
  } catch (error) {
    if (!(error instanceof DataDirError)) throw error;
    throw new DataDirError(
      `the old writer still runs (${error.message}): stop it for good, and promote again`,
      { cause: error },
    );
  }
}

interface Head {
  height: number;
  blockHash: string;
}

function headOf(store: Store, root: string): Head {
  const snapshot = store.snapshot();
  try {
    if (snapshot.history.from > 0) {
      throw new DataDirError(
        `the follower in ${root} began at a checkpoint and has the blocks from height ${snapshot.history.from} on so far: let netd follow fetch the others, then promote it`,
      );
    }
    return { height: snapshot.height, blockHash: blockHash(snapshot.block.header) };
  } finally {
    snapshot.close();
  }
}

function lastSignedOf(keys: string): ReturnType<typeof readLastSigned> {
  return readLastSigned(join(keys, LAST_SIGNED)) ?? readLastSigned(join(keys, RETIRED));
}

interface Signed {
  old: ReturnType<typeof readLastSigned>;
  head: Head;
  genesis: Genesis;
  keys: string;
  options: PromoteOptions;
  blockHashAt: (height: number) => string | null;
}

/** @throws DataDirError if the follower lacks blocks that the old writer signed, or that cannot be known */
function requireAllSigned({ old, head, genesis, keys, options, blockHashAt }: Signed): void {
  const path = join(keys, LAST_SIGNED);
  if (old !== null) {
    if (old.genesisHash !== genesisHash(genesis)) {
      throw new DataDirError(`${path} is of another chain (genesis ${old.genesisHash})`);
    }
    if (old.height > head.height) {
      throw new DataDirError(
        `the old writer has signed block ${old.height} (${old.blockHash}), and the follower ends at block ${head.height}: to go on from there would fork the chain. Let it follow until it has that block, promote another follower, or start the old writer again`,
      );
    }
    if (blockHashAt(old.height) !== old.blockHash) {
      throw new DataDirError(
        `the old writer has signed block ${old.height} as ${old.blockHash}, and the follower has ${blockHashAt(old.height)}: it is another history`,
      );
    }
  }
  if (options.oldWriterIsGone === true || (old !== null && !old.isCopied)) return;
  throw new DataDirError(
    `${old === null ? `${path} is missing` : `${path} is a copy`}, so nothing here keeps the old writer from signing again. Take its disk or its keys away for good, see that no follower has a later block than ${head.height}, and say so with --old-writer-is-gone`,
  );
}

/** @throws DataDirError if an origin makes blocks, or has more of them */
async function requireNoneAhead(root: string, height: number, timeout: number): Promise<void> {
  const { origins } = JSON.parse(readFileSync(join(root, FOLLOWER_FACTS), 'utf8')) as {
    origins: string[];
  };
  await Promise.all(
    origins.map(async (url) => {
      const received = await healthOf(url, timeout);
      // The writer is usually down when a follower is promoted.
      if (received === null) return;
      if (received.following === undefined) {
        throw new DataDirError(
          `${url} answers and makes blocks: stop the old writer for good, and promote again`,
        );
      }
      if (received.height > height) {
        throw new DataDirError(
          `${url} has block ${received.height}, and the follower ends at block ${height}: to go on from there would fork the chain. Let it follow ${url} until it has that block`,
        );
      }
    }),
  );
}

async function healthOf(
  url: string,
  timeout: number,
): Promise<{ height: number; following?: unknown } | null> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(timeout) });
    const received = (await response.json()) as { height?: unknown; following?: unknown };
    return typeof received.height === 'number' ? { ...received, height: received.height } : null;
  } catch {
    return null;
  }
}

function retire(keys: string): string | null {
  const [path, retired] = [join(keys, LAST_SIGNED), join(keys, RETIRED)];
  if (existsSync(path)) renameSync(path, retired);
  else if (!existsSync(retired)) return null;
  syncDirectory(keys);
  return retired;
}

const KEY_FILES = ['operator.json', 'validator.json'];

function requireNoOtherKeys(root: string, keys: string): void {
  for (const name of KEY_FILES) {
    const target = join(root, 'keys', name);
    if (!existsSync(target) || readFileSync(target, 'utf8') === keyText(keys, name)) continue;
    throw new DataDirError(
      `${target} is there and is another key: move it away, and promote again`,
    );
  }
}

function putKeys(root: string, keys: string): void {
  for (const name of KEY_FILES) writeOnce(join(root, 'keys', name), keyText(keys, name), 0o600);
}

const keyText = (keys: string, name: string): string => readFileSync(join(keys, name), 'utf8');
