/** Takes the other network's state first, then writes a genesis document that names it. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PolicyRecord } from '@netd/ledger';
import {
  buildForkBase,
  type Clock,
  DataDirError,
  FORK_POINT,
  forkPointIn,
  hasDatabase,
  type RestoreProgress,
  Store,
} from '@netd/engine';
import {
  ForkPointError,
  type ForkSource,
  type TakenPoint,
  takeForkPoint,
  type Transport,
} from '@netd/sync';
import { asForkDirError, type ForkStart, GENESIS_FILE, placesIn, readGenesis } from './data-dir.ts';

export interface ForkFrom extends ForkSource {
  /** Milliseconds per answer; default 30,000. */
  originTimeout?: number;
  transport?: Transport;
  signal?: AbortSignal;
  onProgress?: (progress: RestoreProgress) => void;
  /** Called if an earlier download is discarded. */
  onNotice?: (sentence: string) => void;
}

/**
 * Takes a fork's state into a directory without a chain. The caller holds the lock.
 * @returns the fork's part of the genesis; null if the fork exists
 * @throws ForkPointError, DataDirError
 */
export async function takeFork(
  dataDir: string,
  from: ForkFrom & { chainId?: string | undefined },
  clock: Clock,
): Promise<ForkStart | null> {
  const root = resolve(dataDir);
  const known = readGenesis(join(root, GENESIS_FILE));
  if (known?.fork) {
    const { height, chainId } = known.fork;
    if (from.at === undefined || from.at >= height) return null;
    throw new DataDirError(
      `${root} holds a fork of ${chainId} at block ${height}, after the ${from.at} of --at: choose another --data-dir for another fork`,
    );
  }
  if (known) {
    throw new DataDirError(
      `${root} holds the chain ${known.chainId}, which is no fork, and none becomes one: choose another --data-dir`,
    );
  }
  const { onProgress = () => {}, onNotice = () => {} } = from;
  const taken = await takeForkPoint({ ...from, dataDir: root, clock, onProgress, onNotice });
  await putBase(root, { ...from, taken, onProgress });
  const [operator] = taken.genesis.operators;
  if (!operator) throw new Error('the genesis document of the network names no operator');
  return {
    point: taken.fork,
    epoch: taken.genesis.epoch,
    operatorId: operator.actorId,
    policy: await policyIn(root, taken, from.url),
    notBefore: taken.time + 1,
  };
}

interface Putting extends ForkFrom {
  taken: TakenPoint;
  onProgress: (progress: RestoreProgress) => void;
}

async function putBase(root: string, { taken, signal, url, onProgress }: Putting): Promise<void> {
  const { files } = taken;
  try {
    await buildForkBase({ files, storePath: placesIn(root).storePath, signal, onProgress });
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'WrongStateError') throw lies(taken, url, message);
    if (name !== 'ChunkLostError') throw error;
    taken.files.remove();
    throw new DataDirError(
      `${join(root, FORK_POINT)} was damaged on disk (${message}), and is gone: start again with the same --fork-from`,
    );
  }
}

function lies({ files }: TakenPoint, url: string, what: string): ForkPointError {
  files.remove();
  return new ForkPointError(
    'FORK_ORIGIN_LIES',
    `${url} tells what its validators did not certify (${what}): fork from another node of the network`,
  );
}

async function policyIn(root: string, taken: TakenPoint, url: string): Promise<PolicyRecord> {
  const store = Store.open(placesIn(root).storePath, { readOnly: true });
  try {
    const identity = store.get('chain/identity') as { genesisHash?: unknown } | undefined;
    if (identity?.genesisHash !== taken.fork.genesisHash) {
      throw lies(taken, url, 'the certified state is that of another genesis document');
    }
    // A laboratory's validator never changes.
    const { validatorSet: _, ...policy } = store.get('policy/limits') as PolicyRecord;
    return policy;
  } finally {
    await store.close();
  }
}

/**
 * Rebuilds a fork's database after a crash.
 * @throws DataDirError if the stored state is missing too
 */
export async function requireForkBase({
  path,
  genesis: { fork },
  storePath,
}: {
  path: string;
  genesis: { fork?: TakenPoint['fork'] | undefined };
  storePath: string;
}): Promise<void> {
  if (!fork || hasDatabase(storePath)) return;
  const files = forkPointIn(path, fork);
  if (!files) {
    throw new DataDirError(
      `${storePath} is missing, and so is ${join(path, FORK_POINT)}, with which this fork of ${fork.chainId} began: put one of them back, or choose another --data-dir for a new fork`,
    );
  }
  try {
    await buildForkBase({ files, storePath, onProgress: () => {} });
  } catch (error) {
    throw asForkDirError(join(path, FORK_POINT), error);
  }
}

/** @throws DataDirError if there is an unfinished fork */
export function requireNoHalfFork(dataDir: string): void {
  const root = resolve(dataDir);
  if (existsSync(join(root, GENESIS_FILE)) || !existsSync(join(root, FORK_POINT))) return;
  throw new DataDirError(
    `${root} holds a fork that was begun and not finished: go on with the same --fork-from, or choose another --data-dir`,
  );
}
