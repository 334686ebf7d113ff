export interface CachePolicy {
  /** The Cache-Control header (RFC 9111 section 5.2). */
  readonly cacheControl: string;
  /** The time that this node keeps the answer. `always` means while there is room. */
  readonly keep: 'nothing' | 'untilNextBlock' | 'always';
}

const REVALIDATE = 'public, no-cache';
const IMMUTABLE = 'public, max-age=31536000, immutable';

export const byHeight: CachePolicy = { cacheControl: REVALIDATE, keep: 'untilNextBlock' };

/** Caches revalidate, because a new devnet has another document at the same URL. */
export const byChain: CachePolicy = { cacheControl: REVALIDATE, keep: 'always' };

export const byRestart: CachePolicy = { cacheControl: 'public, max-age=300', keep: 'always' };

export const immutable: CachePolicy = { cacheControl: IMMUTABLE, keep: 'always' };

/** For large files, which are read from disk each time. */
export const immutableOnDisk: CachePolicy = { cacheControl: IMMUTABLE, keep: 'nothing' };

export const revalidate: CachePolicy = { cacheControl: REVALIDATE, keep: 'nothing' };

export const noStore: CachePolicy = { cacheControl: 'no-store', keep: 'nothing' };
