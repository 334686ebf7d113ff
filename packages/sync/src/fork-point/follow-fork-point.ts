import { join } from 'node:path';
import type { Genesis, GenesisFork, StateCheckpoint } from '@netd/protocol';
import {
  buildForkBase,
  CHUNK_ENTRIES,
  ChunkFiles,
  ChunkLostError,
  type Clock,
  FORK_POINT,
  forkPointFault,
  forkPointIn,
  type PutForkBase,
  putForkState,
  removeWritten,
  type RestoreProgress,
  systemClock,
  WrongStateError,
} from '@netd/engine';
import { FollowError } from '../follow-error.ts';
import { isAway, Origin, OriginFaultError, OriginUnavailableError } from '../origin.ts';
import { downloadChunks, NoChunksError } from '../restore/chunk-download.ts';
import { hasBlocks } from '../restore/restore.ts';
import type { Transport } from '../transport.ts';

export interface FollowedForkDir {
  path: string;
  genesis: Genesis;
  origins: readonly string[];
  storePath: string;
}

export interface FollowForkOptions {
  clock: Clock;
  originTimeout: number | undefined;
  transport?: Transport | undefined;
  /** Aborts the download; its chunks stay for the next start. */
  signal?: AbortSignal | undefined;
  onProgress: (progress: RestoreProgress) => void;
  onBan: (url: string, reason: string) => void;
}

/**
 * Builds the fork's initial state, unless there is a database.
 * @returns the origins that lie, with the reason
 * @throws FollowError if no origin has the state
 */
export async function followForkPoint(
  dir: FollowedForkDir,
  options: FollowForkOptions,
): Promise<Map<string, string>> {
  const liars = new Map<string, string>();
  const { fork } = dir.genesis;
  if (!fork || (await hasBlocks(dir.storePath))) return liars;
  const accuse = (url: string, reason: string): void => {
    liars.set(url, reason);
    options.onBan(url, reason);
  };
  const reasons: string[] = [];
  let areAway = true;
  for (const url of dir.origins) {
    const origin = new Origin(url, options.originTimeout, options.transport);
    const begun = forkPointIn(dir.path, fork) ?? join(dir.path, FORK_POINT);
    try {
      const files = await fetched(begun, origin, fork, options);
      await buildForkBase({ ...options, files, storePath: dir.storePath });
      return liars;
    } catch (error) {
      options.signal?.throwIfAborted();
      areAway &&= isAway(error);
      reasons.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
      if (error instanceof WrongStateError || error instanceof OriginFaultError) {
        // The chunks match the manifest, but it belongs to another state.
        removeWritten(join(dir.path, FORK_POINT), CHUNK_ENTRIES);
        accuse(url, error.message);
      } else if (!isOfTheOrigin(error)) throw error;
    }
  }
  throw new FollowError(
    `no origin has the state that ${dir.genesis.chainId}, a fork of ${fork.chainId}, began with (${reasons.join('; ')}): name another node that has this fork`,
    areAway ? 'NODE_UNREACHABLE' : 'FOLLOW_REFUSED',
  );
}

const isOfTheOrigin = (error: unknown): boolean =>
  error instanceof OriginUnavailableError ||
  error instanceof NoChunksError ||
  error instanceof ChunkLostError;

export function forkBaseOfUrl(origin: Origin, fork: GenesisFork): PutForkBase {
  return async (store) => {
    const path = join(store.path, FORK_POINT);
    const files = await fetched(path, origin, fork, { clock: systemClock, onProgress: () => {} });
    try {
      await putForkState(files, store);
    } finally {
      files.remove();
    }
  };
}

/** @param begun an earlier download, or the path for a new one */
async function fetched(
  begun: ChunkFiles | string,
  origin: Origin,
  fork: GenesisFork,
  options: Pick<FollowForkOptions, 'clock' | 'signal' | 'onProgress'>,
): Promise<ChunkFiles> {
  const files = typeof begun === 'string' ? await begin(begun, origin, fork, options) : begun;
  let lie: string | null = null;
  try {
    await downloadChunks({
      ...options,
      files,
      patience: null,
      origins: [origin],
      onLeave: (_, reason, isFault) => {
        if (isFault) lie = reason;
      },
    });
  } catch (error) {
    if (lie !== null) throw new OriginFaultError(lie);
    throw error;
  }
  return files.keeping();
}

async function begin(
  path: string,
  origin: Origin,
  fork: GenesisFork,
  { signal }: Pick<FollowForkOptions, 'signal'>,
): Promise<ChunkFiles> {
  const checkpoint = (await origin.checkpoint(fork.height, signal)) as StateCheckpoint;
  const point = { checkpoint, blocks: [], tellers: [origin.url] };
  const fault = forkPointFault(point, fork);
  if (fault !== null) throw new OriginFaultError(`the state at which it forked ${fault}`);
  return ChunkFiles.begin(path, point);
}
