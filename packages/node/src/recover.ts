/** After a restore, a validator fetches the blocks signed since the backup before it signs again. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { genesisHash } from '@netd/protocol';
import {
  type Chain,
  DataDirError,
  DEFAULT_MEMPOOL_LIMITS,
  EngineHost,
  type FollowProgress,
  type HealthIssue,
  type LastSigned,
  Mempool,
  openCertifiedChain,
  readLastSigned,
  SoloSigner,
  rebuildLists,
  Store,
  systemClock,
  writeLastSigned,
} from '@netd/engine';
import { GENESIS_FILE, openDataDir, type ValidatorDir } from './data-dir.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { FollowError, type FollowerNews, followerThread, Origin } from '@netd/sync';

export interface RecoverOptions {
  dataDir: string;
  from: readonly string[];
  /** Milliseconds per answer; default 30,000. */
  originTimeout?: number;
  onProgress?: (progress: FollowProgress) => void;
}

export interface Recovered {
  path: string;
  from: number;
  height: number;
  blockHash: string;
}

/**
 * Fetches blocks, and records the newest as signed. Signs nothing.
 * @throws DataDirError, FollowError, StoreError
 */
export async function recover(options: RecoverOptions): Promise<Recovered> {
  const root = resolve(options.dataDir);
  if (!existsSync(join(root, GENESIS_FILE))) {
    throw new DataDirError(
      `${join(root, GENESIS_FILE)} is missing: restore it together with keys/, or name another --data-dir`,
    );
  }
  const unlock = lockDataDir(root);
  let store: Store | null = null;
  try {
    const dataDir = openDataDir(root, { now: () => systemClock.now() });
    const { genesis, validator, lastSignedPath } = dataDir;
    const last = lastSignedIn(dataDir, options);
    await rebuildLists(dataDir.storePath);
    store = Store.open(dataDir.storePath);
    const signer = new SoloSigner(validator.actorId, validator.privateKey);
    const chain = await openCertifiedChain({ store, genesis, signer });
    const from = chain.height;
    if (options.from.length > 0) await takeBlocks({ ...options, dataDir, store, chain, last });
    const { height, blockHash } = chain.head;
    writeLastSigned(lastSignedPath, { genesisHash: genesisHash(genesis), height, blockHash });
    return { path: root, from, height, blockHash };
  } finally {
    await store?.close();
    unlock();
  }
}

function lastSignedIn(dataDir: ValidatorDir, { from }: RecoverOptions): LastSigned | null {
  const { lastSignedPath, genesis } = dataDir;
  let last: LastSigned | null = null;
  try {
    last = readLastSigned(lastSignedPath);
  } catch (error) {
    if (!(error instanceof DataDirError)) throw error;
  }
  if (last !== null && from.length > 0 && last.genesisHash !== genesisHash(genesis)) {
    throw new DataDirError(
      `${lastSignedPath} is of another chain (genesis ${last.genesisHash}): put the genesis.json and chain/ of that one back`,
    );
  }
  return last;
}

interface Taking extends Omit<RecoverOptions, 'dataDir'> {
  dataDir: ValidatorDir;
  store: Store;
  chain: Chain;
  last: LastSigned | null;
}

async function takeBlocks({ chain, last, store, dataDir, ...options }: Taking): Promise<void> {
  const origins = [...new Set(options.from.map((url) => url.replace(/\/+$/, '')))];
  await requireSameChain(origins, genesisHash(dataDir.genesis), options.originTimeout);
  const over = Promise.withResolvers<void>();
  const link = followerThread({
    storePath: dataDir.storePath,
    genesis: dataDir.genesis,
    head: chain.head,
    origins,
    liars: new Map(),
    // Another block at that height proves that the validator has signed two.
    trustedBlock: last ?? undefined,
    originTimeout: options.originTimeout,
    forkPath: join(dataDir.path, 'fork.json'),
    fork: null,
    failpoint: undefined,
  });
  const mempool = new Mempool(DEFAULT_MEMPOOL_LIMITS);
  const engine = new EngineHost<FollowerNews>({ chain, mempool, store }, link, {
    onStatus: () => lookAround(),
    onNews: (news) => {
      if (news.is === 'progress') options.onProgress?.(news.progress);
      if (news.is !== 'fork') return;
      const { height, reason } = news.evidence;
      over.reject(
        new FollowError(
          `this validator has signed two histories, which differ from height ${height} on (${reason}): nothing is taken. Find out which of them its followers and users have, and restore that one`,
        ),
      );
    },
    onBlockFailure: (error) => over.reject(error),
    onHalt: (error) => over.reject(error),
  });
  const lookAround = (): void => {
    const { following, issues } = engine.status;
    if (!following) return;
    const { behind, hasHeardAll, origins: standing } = following;
    // The status may arrive before its last block, which is on disk.
    store.refresh();
    const height = store.headHeight() ?? 0;
    const hasAll = behind === 0 && height >= (last?.height ?? 0);
    if (hasAll && hasHeardAll) over.resolve();
    else if (standing.active === 0 || (behind === 0 && hasHeardAll)) {
      over.reject(shortOf(height, last, issues));
    }
  };
  try {
    await engine.open();
    engine.start();
    await over.promise;
  } finally {
    await engine.stop();
  }
}

function shortOf(
  height: number,
  last: LastSigned | null,
  issues: readonly HealthIssue[],
): FollowError {
  const why = issues.length > 0 ? ` (${issues.map(({ text }) => text).join('; ')})` : '';
  const all = last === null ? '' : `, and this validator has signed block ${last.height}`;
  return new FollowError(
    `the chain is at block ${height}${all}: none of the nodes that were named has more${why}. Name others with --from, or, if no later block exists anywhere, go on without them with --as-is`,
    issues.length > 0 ? 'NODE_UNREACHABLE' : 'FOLLOW_REFUSED',
  );
}

async function requireSameChain(
  urls: readonly string[],
  own: string,
  originTimeout: number | undefined,
): Promise<void> {
  const received = await Promise.all(
    urls.map(async (url) => {
      try {
        return { url, hash: genesisHash(await new Origin(url, originTimeout).genesis()), why: '' };
      } catch (error) {
        return { url, hash: null, why: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
  const other = received.find(({ hash }) => hash !== null && hash !== own);
  if (other) {
    throw new FollowError(
      `${other.url} serves another chain (genesis hash ${other.hash}, here ${own}): name a follower of this one`,
    );
  }
  if (received.every(({ hash }) => hash === null)) {
    const reasons = received.map(({ url, why }) => (why.includes(url) ? why : `${url}: ${why}`));
    throw new FollowError(`no node answers: ${reasons.join('; ')}`, 'NODE_UNREACHABLE');
  }
}
