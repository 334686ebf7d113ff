import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Into } from '@netd/protocol';
import { LEAF } from '../store/tree/tree-records.ts';
import { removeWritten, type WrittenEntries } from '../written-entries.ts';

export const LEAF_FILES = 256;
/** Leaves buffered per file before a write; 4 MB for all files. */
const LEAVES_HELD = 256;

export const LEAF_ENTRIES: WrittenEntries = [[/^\d+$/]];

export class LeafFiles {
  private readonly directory: string;
  private readonly held = Array.from({ length: LEAF_FILES }, () =>
    Buffer.allocUnsafe(LEAVES_HELD * LEAF),
  );
  private readonly lengths = new Uint32Array(LEAF_FILES);
  private readonly files: number[];
  private readonly keyHash = new Uint8Array(32);
  private unsorted = Buffer.alloc(0);
  private inOrder = Buffer.alloc(0);

  constructor(directory: string) {
    this.directory = directory;
    removeWritten(directory, LEAF_ENTRIES);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.files = Array.from({ length: LEAF_FILES }, (_, file) => openSync(this.path(file), 'a'));
  }

  /** Adds a leaf. Hashes are written in place, because views are slow. */
  add(key: Uint8Array, value: Uint8Array): void {
    sha256Into(key, this.keyHash, 0);
    const file = this.keyHash[0] ?? 0;
    const held = this.held[file];
    if (!held) return;
    const at = this.lengths[file] ?? 0;
    held.set(this.keyHash, at);
    sha256Into(value, held, at + 32);
    this.lengths[file] = at + LEAF;
    if (at + LEAF === held.length) this.flush(file);
  }

  /** Returns the sorted leaves of a file. Call it after all `add`s; the buffer is valid until the next call. */
  sorted(file: number): Buffer {
    this.flush(file);
    const descriptor = openSync(this.path(file), 'r');
    try {
      const { size } = fstatSync(descriptor);
      if (this.unsorted.length < size) {
        [this.unsorted, this.inOrder] = [
          Buffer.allocUnsafeSlow(size),
          Buffer.allocUnsafeSlow(size),
        ];
      }
      const leaves = this.unsorted.subarray(0, size);
      for (let at = 0; at < size;) at += readSync(descriptor, leaves, at, size - at, at);
      return sortedLeaves(leaves, this.inOrder.subarray(0, size));
    } finally {
      closeSync(descriptor);
    }
  }

  close(): void {
    for (const file of this.files.splice(0)) closeSync(file);
    removeWritten(this.directory, LEAF_ENTRIES);
  }

  private flush(file: number): void {
    const [descriptor, length] = [this.files[file], this.lengths[file] ?? 0];
    const held = this.held[file];
    if (descriptor === undefined || !held || length === 0) return;
    for (let at = 0; at < length;) at += writeSync(descriptor, held, at, length - at);
    this.lengths[file] = 0;
  }

  private path(file: number): string {
    return join(this.directory, String(file));
  }
}

function sortedLeaves(leaves: Buffer, sorted: Buffer): Buffer {
  const count = leaves.length / LEAF;
  const starts = Float64Array.from({ length: count }, (_, i) => leaves.readUIntBE(LEAF * i, 6));
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => {
    const difference = (starts[a] ?? 0) - (starts[b] ?? 0);
    if (difference !== 0) return difference;
    return leaves.compare(leaves, LEAF * b, LEAF * b + 32, LEAF * a, LEAF * a + 32);
  });
  for (const [to, from] of order.entries()) {
    leaves.copy(sorted, LEAF * to, LEAF * from, LEAF * from + LEAF);
  }
  return sorted;
}
