import { LRUCache } from 'lru-cache';
import type { CachePolicy } from './cache-policy.ts';
import type { EncodedDocument } from './encoded-document.ts';

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const ENTRY_BYTES = 1_024;

export interface CachedDocument {
  document: EncodedDocument;
  policy: CachePolicy;
}

type Documents = LRUCache<string, CachedDocument>;

export interface CacheFigures {
  documents: number;
  bytes: number;
}

export class DocumentCache {
  private readonly latest: Documents;
  private readonly lasting: Documents;
  private height = -1;

  constructor(maxBytes = DEFAULT_MAX_BYTES) {
    this.latest = documents(maxBytes);
    this.lasting = documents(maxBytes);
  }

  find(url: string, height: number): CachedDocument | undefined {
    return (height === this.height ? this.latest.get(url) : undefined) ?? this.lasting.get(url);
  }

  /** Call this again after compression, which adds bytes. */
  keep(url: string, height: number, entry: CachedDocument): void {
    const { keep } = entry.policy;
    if (keep === 'nothing') return;
    if (height > this.height) {
      this.latest.clear();
      this.height = height;
    }
    if (keep === 'untilNextBlock' && height < this.height) return;
    const cache = keep === 'always' ? this.lasting : this.latest;
    // The cache measures a value only when it is added.
    cache.delete(url);
    cache.set(url, entry);
  }

  clear(): void {
    this.latest.clear();
    this.lasting.clear();
    this.height = -1;
  }

  figures(): { latest: CacheFigures; lasting: CacheFigures } {
    return { latest: figuresOf(this.latest), lasting: figuresOf(this.lasting) };
  }
}

function documents(maxSize: number): Documents {
  return new LRUCache({
    maxSize,
    sizeCalculation: ({ document }, url) => document.size + url.length + ENTRY_BYTES,
  });
}

const figuresOf = ({ size, calculatedSize }: Documents): CacheFigures => ({
  documents: size,
  bytes: calculatedSize,
});
