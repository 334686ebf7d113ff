/** Stores blobs in 256 folders. */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { BlobStorage, ByteRange } from './storage.ts';

export class DiskStorage implements BlobStorage {
  readonly kind = 'disk';
  private readonly root: string;

  /** @param root on the file system of the adopted files */
  constructor(root: string) {
    this.root = root;
  }

  async adopt(path: string, hash: string): Promise<void> {
    const target = this.pathOf(hash);
    const folder = dirname(target);
    if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) {
      await syncFolder(this.root);
    }
    await rename(path, target);
    await syncFolder(folder);
  }

  async read(hash: string, { first, last }: ByteRange): Promise<Readable | null> {
    try {
      const file = await open(this.pathOf(hash), 'r');
      return file.createReadStream({ start: first, end: last });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async remove(hash: string): Promise<void> {
    await rm(this.pathOf(hash), { force: true });
  }

  private pathOf(hash: string): string {
    return join(this.root, hash.slice(0, 2), hash);
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
