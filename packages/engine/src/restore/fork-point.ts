/**
 * The checkpoint that a fork begins with. It is trusted because the fork's genesis document names its state
 * root.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GenesisFork } from '@netd/protocol';
import { InvalidChainError } from '../replay/block-replay.ts';
import type { PutForkBase } from '../replay/block-source.ts';
import { removeWritten } from '../written-entries.ts';
import { validateCheckpoint } from './checkpoint-manifest.ts';
import { ChunkFiles, type RestorePoint } from './chunk-files.ts';
import {
  ChunkLostError,
  DRAFT_ENTRIES,
  placeDatabase,
  putState,
  rebuild,
  type RestoreProgress,
} from './rebuild.ts';
import { WrongStateError } from './state-rebuild.ts';

export const FORK_POINT = 'fork-point';

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

/** Returns the fork's checkpoint, or null if the directory has none that matches. */
export function forkPointIn(dataDir: string, fork: GenesisFork): ChunkFiles | null {
  const files = ChunkFiles.resume(join(dataDir, FORK_POINT));
  return files && forkPointFault(files.point, fork) === null ? files.keeping() : null;
}

export interface BaseOptions {
  files: ChunkFiles;
  storePath: string;
  signal?: AbortSignal | undefined;
  onProgress: (progress: RestoreProgress) => void;
}

/**
 * Builds the fork's initial database in a draft, then renames it into place.
 * @throws WrongStateError, ChunkLostError
 */
export async function buildForkBase(options: BaseOptions): Promise<void> {
  const { files, storePath, signal, onProgress } = options;
  const { height } = files.point.checkpoint;
  const draftPath = join(dirname(storePath), 'forking');
  try {
    await rebuild({ files, chain: null, draftPath, signal, onProgress });
    placeDatabase(draftPath, storePath);
  } finally {
    removeWritten(draftPath, DRAFT_ENTRIES);
  }
  onProgress({ phase: 'done', height, done: 1, total: 1 });
}

export const hasDatabase = (storePath: string): boolean => existsSync(join(storePath, 'data.mdb'));

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

/** @throws InvalidChainError if the chunks are not those of the state in the fork's genesis */
export async function putForkState(
  files: ChunkFiles,
  store: Parameters<PutForkBase>[0],
): Promise<void> {
  try {
    await putState({ files, draftPath: store.path }, store);
  } catch (error) {
    if (!(error instanceof WrongStateError || error instanceof ChunkLostError)) throw error;
    throw new InvalidChainError(
      files.point.checkpoint.height,
      `the state at which it forked: ${error.message}`,
      { cause: error },
    );
  }
}
