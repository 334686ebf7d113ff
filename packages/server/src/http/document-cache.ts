/** Documents this node has made, by their canonical URL: those of the latest height, and those that stay. */
import { LRUCache } from 'lru-cache';
import type { CachePolicy } from './cache-policy.ts';
import type { EncodedDocument } from './encoded-document.ts';

/** Bytes of each of the two caches, compressed forms included. */
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
/** What an entry costs beside its bodies and its key: tags, header lines, the cache's own lists. */
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

  /** The document at a URL that is true at a height. */
  find(url: string, height: number): CachedDocument | undefined {
    return (height === this.height ? this.latest.get(url) : undefined) ?? this.lasting.get(url);
  }

  /** Keeps a document as its policy says; again once it has been compressed, since it has grown by that. */
  keep(url: string, height: number, entry: CachedDocument): void {
    const { keep } = entry.policy;
    if (keep === 'nothing') return;
    // Documents of an older height are of no use any more; neither is one that was made before the newest block.
    if (height > this.height) {
      this.latest.clear();
      this.height = height;
    }
    if (keep === 'untilNextBlock' && height < this.height) return;
    const cache = keep === 'always' ? this.lasting : this.latest;
    // The cache weighs a value when it is new to it.
    cache.delete(url);
    cache.set(url, entry);
  }

  /** Blocks were taken back: what was made of them is true no more. */
  clear(): void {
    this.latest.clear();
    this.lasting.clear();
    this.height = -1;
  }

  /** What is held now, for each of the two. */
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
