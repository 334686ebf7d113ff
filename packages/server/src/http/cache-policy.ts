export interface CachePolicy {
  /** RFC 9111 section 5.2. */
  readonly cacheControl: string;
  /** In this node: nothing, until the next block, or while there is room. */
  readonly keep: 'nothing' | 'untilNextBlock' | 'always';
}

/** Revalidate before use. */
const REVALIDATE = 'public, no-cache';
const IMMUTABLE = 'public, max-age=31536000, immutable';

export const byHeight: CachePolicy = { cacheControl: REVALIDATE, keep: 'untilNextBlock' };

/** A new devnet has another document at the URL, so caches revalidate. */
export const byChain: CachePolicy = { cacheControl: REVALIDATE, keep: 'always' };

export const byRestart: CachePolicy = { cacheControl: 'public, max-age=300', keep: 'always' };

/** The URL names the content. */
export const immutable: CachePolicy = { cacheControl: IMMUTABLE, keep: 'always' };

/** Large files, which are deleted one day. */
export const immutableOnDisk: CachePolicy = { cacheControl: IMMUTABLE, keep: 'nothing' };

/** May change between two blocks. */
export const revalidate: CachePolicy = { cacheControl: REVALIDATE, keep: 'nothing' };

export const noStore: CachePolicy = { cacheControl: 'no-store', keep: 'nothing' };
