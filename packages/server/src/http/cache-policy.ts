/**
 * How long an answer stays valid, who may cache it, and whether this node does. Every answer has one of these
 * policies.
 */

export interface CachePolicy {
  /** For clients and shared caches (RFC 9111 section 5.2). */
  readonly cacheControl: string;
  /** This node's cache: nothing, until the next block, or while there is room. */
  readonly keep: 'nothing' | 'untilNextBlock' | 'always';
}

/** Shared caches may keep it, but revalidate before use. */
const REVALIDATE = 'public, no-cache';
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Depends on the latest block and the parameters only. */
export const byHeight: CachePolicy = { cacheControl: REVALIDATE, keep: 'untilNextBlock' };

/**
 * Constant for this chain and version. Caches revalidate all the same, because a new devnet has another
 * document at the URL.
 */
export const byChain: CachePolicy = { cacheControl: REVALIDATE, keep: 'always' };

/** Changes only with a restart. */
export const byRestart: CachePolicy = { cacheControl: 'public, max-age=300', keep: 'always' };

/** For documents whose URL names their content. */
export const immutable: CachePolicy = { cacheControl: IMMUTABLE, keep: 'always' };

/** For large files on disk, which are deleted one day. */
export const immutableOnDisk: CachePolicy = { cacheControl: IMMUTABLE, keep: 'nothing' };

/** May change between two blocks. */
export const revalidate: CachePolicy = { cacheControl: REVALIDATE, keep: 'nothing' };

/** A fact of this node and moment, or the answer to a write. */
export const noStore: CachePolicy = { cacheControl: 'no-store', keep: 'nothing' };
