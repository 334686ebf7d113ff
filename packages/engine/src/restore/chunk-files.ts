/**
 * A checkpoint that is being downloaded, in a directory of its own: what it is, the blocks at its end, and the chunks so far.
 * What is read is hashed again: a stop may have left anything behind.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex, type StateCheckpoint } from '@netd/protocol';
import { replaceFile } from '../durable-file.ts';
import type { BlockHistory } from '../store/history-writes.ts';
import { removeWritten, type WrittenEntries } from '../written-entries.ts';

/** A state that can be restored, with what its origins said of it and what was verified. */
export interface RestorePoint {
  checkpoint: StateCheckpoint;
  /** The block of the state first, then some of those before it, newest first. */
  blocks: BlockHistory[];
  /** Who told the checkpoint, and answers for it. */
  tellers: string[];
  /** The height that was asked for, where one was. */
  wanted?: number;
}

const POINT = 'point.json';

export const CHUNK_ENTRIES: WrittenEntries = [
  [/^point\.json$/],
  [/^chunk-\d+(\.draft-\d+)?$/],
  [/^\.\d+\.[a-z0-9]+\.draft$/],
];

export class ChunkFiles {
  readonly point: RestorePoint;
  readonly directory: string;
  private drafts = 0;
  private isKept = false;

  private constructor(directory: string, point: RestorePoint) {
    this.directory = directory;
    this.point = point;
  }

  /** Begins with another point, and deletes the chunks of an earlier one. */
  static begin(directory: string, point: RestorePoint): ChunkFiles {
    removeWritten(directory, CHUNK_ENTRIES);
    mkdirSync(directory, { recursive: true });
    replaceFile(join(directory, POINT), JSON.stringify(point), 0o644);
    return new ChunkFiles(directory, point);
  }

  /** What was begun before a stop; null where nothing was. */
  static resume(directory: string): ChunkFiles | null {
    try {
      const text = readFileSync(join(directory, POINT), 'utf8');
      return new ChunkFiles(directory, JSON.parse(text) as RestorePoint);
    } catch {
      return null;
    }
  }

  /** Indexes of chunks that are not here, or not whole. */
  async missing(): Promise<number[]> {
    const { chunkHashes } = this.point.checkpoint;
    const missing: number[] = [];
    for (const index of chunkHashes.keys()) {
      const size = await stat(this.path(index)).then(
        (file) => file.size,
        () => -1,
      );
      if (size !== this.sizeOf(index)) missing.push(index);
    }
    return missing;
  }

  /** How many bytes a chunk has. */
  sizeOf(index: number): number {
    const { byteLength, chunkSize } = this.point.checkpoint;
    return Math.min(chunkSize, byteLength - index * chunkSize);
  }

  /**
   * Two origins may bring the same chunk at once: each write has a draft of its own.
   * @param bytes of the right hash; under the name of the chunk there is all of it or nothing
   */
  async write(index: number, bytes: Uint8Array): Promise<void> {
    const draft = `${this.path(index)}.draft-${this.drafts++}`;
    await writeFile(draft, bytes);
    await rename(draft, this.path(index));
  }

  /** Chunks that are kept for good are never removed: a damaged one is for the operator to put back. */
  keeping(): ChunkFiles {
    const files = new ChunkFiles(this.directory, this.point);
    files.isKept = true;
    return files;
  }

  /** A chunk; null where it is not as it was written, and has been removed. */
  async read(index: number): Promise<Buffer | null> {
    const bytes = await readFile(this.path(index)).catch(() => null);
    if (bytes && sha256Hex(bytes) === this.point.checkpoint.chunkHashes[index]) return bytes;
    if (!this.isKept) await rm(this.path(index), { force: true });
    return null;
  }

  /** Of all its files, in its directory. */
  names(): string[] {
    return [POINT, ...this.point.checkpoint.chunkHashes.map((_, index) => `chunk-${index}`)];
  }

  remove(): void {
    removeWritten(this.directory, CHUNK_ENTRIES);
  }

  private path(index: number): string {
    return join(this.directory, `chunk-${index}`);
  }
}
