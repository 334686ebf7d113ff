import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLLECTIONS, parseStateKey, queueEntry, type StateReader } from '@netd/ledger';
import { sha256Hex } from '@netd/protocol';
import type { ForkPointFiles } from '../chain/checkpoints.ts';
import { PairError, PairReader } from '../chain/pair-reader.ts';

export class StateFilesError extends Error {
  override name = 'StateFilesError';
}

interface Waiting {
  key: string;
  at: number;
}

export class ChunkedState implements StateReader {
  private readonly files: ForkPointFiles;
  private readonly pairs = new PairReader();
  private readonly texts = new Map<string, string>();
  private readonly nonces = new Map<string, number>();
  private readonly queues = new Map<string, Waiting[]>();
  private next = 0;

  constructor(files: ForkPointFiles) {
    this.files = files;
  }

  /**
   * Reads the next chunk.
   * @returns true if it was the last chunk; don't read state before
   * @throws StateFilesError
   */
  readChunk(): boolean {
    const { directory, checkpoint } = this.files;
    const { chunkHashes } = checkpoint;
    const index = this.next++;
    try {
      const bytes = readFileSync(join(directory, `chunk-${index}`));
      if (sha256Hex(bytes) !== chunkHashes[index]) throw new PairError('is not what was written');
      for (const { key, value } of this.pairs.read(bytes)) {
        this.take(key.toString('utf8'), value.toString('utf8'));
      }
      if (this.next < chunkHashes.length) return false;
      this.pairs.end();
    } catch (error) {
      const reason = error instanceof PairError ? error.message : 'cannot be read';
      throw new StateFilesError(
        `chunk ${index} of the state of height ${checkpoint.height} in ${directory} ${reason}`,
        { cause: error },
      );
    }
    for (const waiting of this.queues.values()) {
      waiting.sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
    }
    this.spendNonces();
    return true;
  }

  get(key: string): unknown {
    const text = this.texts.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  due(queue: string, upTo: number, limit: number): string[] {
    const found: string[] = [];
    for (const { key, at } of this.queues.get(queue) ?? []) {
      if (at > upTo || found.length >= limit) break;
      found.push(key);
    }
    return found;
  }

  spentNonceExpiry(nonceHash: string): number | undefined {
    return this.nonces.get(nonceHash);
  }

  idsOf(collection: keyof typeof COLLECTIONS): string[] {
    const prefix = `${collection}/`;
    return [...this.texts.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
  }

  private take(key: string, text: string): void {
    this.texts.set(key, text);
    const parsed = parseStateKey(key);
    if (!parsed || COLLECTIONS[parsed.collection].queue === undefined) return;
    const entry = queueEntry(key, JSON.parse(text));
    if (!entry) return;
    const waiting = this.queues.get(entry.queue);
    if (waiting) waiting.push({ key, at: entry.at });
    else this.queues.set(entry.queue, [{ key, at: entry.at }]);
  }

  /** A nonce may be spent again after it expired, so the order matters. */
  private spendNonces(): void {
    const heights = this.idsOf('nonce').map(Number);
    for (const height of heights.toSorted((a, b) => a - b)) {
      const leaf = this.get(`nonce/${height}`) as { hash: string; expiry: number }[];
      for (const { hash, expiry } of leaf) this.nonces.set(hash, expiry);
    }
  }
}
