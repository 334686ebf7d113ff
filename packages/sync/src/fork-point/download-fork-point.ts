/** The chunks of the state that a fork began with, from nodes that have them. */
import type { ChunkFiles, Clock, RestoreProgress } from '@netd/engine';
import type { Origin } from '../origin.ts';
import { downloadChunks } from '../restore/chunk-download.ts';

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
