/**
 * The checkpoint with whose state a fork begins, kept in its data directory for good: verification and followers of the
 * fork begin there too. What is read of it counts because its root is in the genesis document of the fork.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GenesisFork } from '@netd/protocol';
import { type Clock, InvalidChainError, type PutForkBase, syncDirectory } from '@netd/engine';
import type { Origin } from '../origin.ts';
import { validateCheckpoint } from '../restore/checkpoint-offers.ts';
import { downloadChunks } from '../restore/chunk-download.ts';
import { ChunkFiles, type RestorePoint } from '../restore/chunk-files.ts';
import {
  ChunkLostError,
  putState,
  rebuild,
  TREE_PARTS,
  WrongStateError,
} from '../restore/rebuild.ts';
import type { RestoreProgress } from '../restore/restore.ts';

/** In the data directory of a fork, and of all that follow it. */
export const FORK_POINT = 'fork-point';

/** What keeps a checkpoint from being that of the fork, or null. */
export function forkPointFault(
  { checkpoint }: Pick<RestorePoint, 'checkpoint'>,
  fork: GenesisFork,
): string | null {
  const fault = validateCheckpoint(checkpoint, fork.chainId);
  if (fault !== null) return fault;
  const { height, blockHash, stateRoot } = checkpoint;
  const isTheOne =
    height === fork.height && blockHash === fork.blockHash && stateRoot === fork.stateRoot;
  return isTheOne ? null : `is not of block ${fork.height} at which the genesis forks`;
}

/** The checkpoint in a data directory, whose chunks are hashed when they are read; null where there is none. */
export function forkPointIn(dataDir: string, fork: GenesisFork): ChunkFiles | null {
  const files = ChunkFiles.resume(join(dataDir, FORK_POINT));
  return files && forkPointFault(files.point, fork) === null ? files.keeping() : null;
}

export interface ChunkSources {
  origins: readonly Origin[];
  clock: Clock;
  signal?: AbortSignal | undefined;
  onProgress: (progress: RestoreProgress) => void;
  /** Told of an origin that is not asked any more. */
  onLeave: (origin: Origin, reason: string, isFault: boolean) => void;
}

/** @throws NoChunksError, the reason of the signal */
export async function downloadForkPoint(files: ChunkFiles, sources: ChunkSources): Promise<void> {
  const { byteLength, height } = files.point.checkpoint;
  const missing = await files.missing();
  let done = missing.reduce((rest, index) => rest - files.sizeOf(index), byteLength);
  const tell = (): void => sources.onProgress({ phase: 'chunks', height, done, total: byteLength });
  tell();
  await downloadChunks({
    ...sources,
    files,
    patience: null,
    onChunk: (bytes) => {
      done += bytes;
      tell();
    },
  });
}

export interface BaseOptions {
  files: ChunkFiles;
  /** Where the database belongs. */
  storePath: string;
  signal?: AbortSignal | undefined;
  onProgress: (progress: RestoreProgress) => void;
}

/**
 * A database that holds the state of the checkpoint and nothing else, in its place in one rename.
 * @throws WrongStateError, ChunkLostError, the reason of the signal
 */
export async function buildForkBase(options: BaseOptions): Promise<void> {
  const { files, storePath, signal, onProgress } = options;
  const { byteLength, height } = files.point.checkpoint;
  const draft = join(dirname(storePath), 'forking');
  const step = (phase: 'pairs' | 'tree', done: number, total: number): void => {
    signal?.throwIfAborted();
    onProgress({ phase, height, done, total });
  };
  try {
    await rebuild({
      files,
      chain: null,
      path: join(draft, 'chain'),
      scratchPath: join(draft, 'leaves'),
      onPairs: (done) => step('pairs', done, byteLength),
      onTree: (done) => step('tree', done, TREE_PARTS),
    });
    signal?.throwIfAborted();
    rmSync(storePath, { recursive: true, force: true });
    renameSync(join(draft, 'chain'), storePath);
    syncDirectory(dirname(storePath));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  onProgress({ phase: 'done', height, done: 1, total: 1 });
}

/** Whether a database is there, with a chain or with no more than the state that a fork begins with. */
export const hasDatabase = (storePath: string): boolean => existsSync(join(storePath, 'data.mdb'));

/** How `netd verify` gets the state that the fork in a data directory began with. */
export function forkBaseFrom(dataDir: string, fork: GenesisFork): PutForkBase {
  const files = forkPointIn(dataDir, fork);
  return async (store) => {
    if (!files) {
      throw new InvalidChainError(
        fork.height,
        `${FORK_POINT}/ is missing or damaged, in which is the state that this fork of ${fork.chainId} began with: put it back from a backup`,
      );
    }
    await putForkState(files, store);
  };
}

/** @throws InvalidChainError where the chunks are not those of the state that the genesis of the fork names */
export async function putForkState(
  files: ChunkFiles,
  store: Parameters<PutForkBase>[0],
): Promise<void> {
  const nothing = (): void => {};
  try {
    const scratchPath = join(store.path, 'leaves');
    await putState({ files, scratchPath, onPairs: nothing, onTree: nothing }, store);
  } catch (error) {
    if (!(error instanceof WrongStateError || error instanceof ChunkLostError)) throw error;
    throw new InvalidChainError(
      files.point.checkpoint.height,
      `the state at which it forked: ${error.message}`,
      { cause: error },
    );
  }
}
