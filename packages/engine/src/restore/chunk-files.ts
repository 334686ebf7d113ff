/** The files of a checkpoint being downloaded. Chunks are hashed when read, because a crash may damage them. */
import { mkdirSync, readFileSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex, type StateCheckpoint } from '@netd/protocol';
import { replaceFile } from '../durable-file.ts';
import type { BlockHistory } from '../store/history-writes.ts';
import { removeWritten, type WrittenEntries } from '../written-entries.ts';

export interface RestorePoint {
  checkpoint: StateCheckpoint;
  blocks: BlockHistory[];
  tellers: string[];
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

  static begin(directory: string, point: RestorePoint): ChunkFiles {
    removeWritten(directory, CHUNK_ENTRIES);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    replaceFile(join(directory, POINT), JSON.stringify(point), 0o644);
    return new ChunkFiles(directory, point);
  }

  static resume(directory: string): ChunkFiles | null {
    try {
      const text = readFileSync(join(directory, POINT), 'utf8');
      return new ChunkFiles(directory, JSON.parse(text) as RestorePoint);
    } catch {
      return null;
    }
  }

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

  sizeOf(index: number): number {
    const { byteLength, chunkSize } = this.point.checkpoint;
    return Math.min(chunkSize, byteLength - index * chunkSize);
  }

  /**
   * Each write has its own draft, because two origins may deliver the same chunk.
   * @param bytes already verified
   */
  async write(index: number, bytes: Uint8Array): Promise<void> {
    const draft = `${this.path(index)}.draft-${this.drafts++}`;
    await writeFile(draft, bytes);
    await rename(draft, this.path(index));
  }

  keeping(): ChunkFiles {
    const files = new ChunkFiles(this.directory, this.point);
    files.isKept = true;
    return files;
  }

  /** Returns null if the chunk is missing or damaged, and deletes a damaged one unless the files are kept. */
  async read(index: number): Promise<Buffer | null> {
    const bytes = await readFile(this.path(index)).catch(() => null);
    if (bytes && sha256Hex(bytes) === this.point.checkpoint.chunkHashes[index]) return bytes;
    if (!this.isKept) await rm(this.path(index), { force: true });
    return null;
  }

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
