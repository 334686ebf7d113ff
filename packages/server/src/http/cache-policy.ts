/** How long an answer stays true, who may keep it, and whether this node does. Every answer names one of these. */

export interface CachePolicy {
  /** What clients and shared caches are told (RFC 9111 section 5.2). */
  readonly cacheControl: string;
  /** What this node keeps: nothing, until the next block, or for as long as there is room. */
  readonly keep: 'nothing' | 'untilNextBlock' | 'always';
}

/** Shared caches may keep it, but ask before they use it. */
const REVALIDATE = 'public, no-cache';
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** A function of the latest block and the parameters. */
export const byHeight: CachePolicy = { cacheControl: REVALIDATE, keep: 'untilNextBlock' };

/**
 * The same on this chain and version for ever. Caches ask all the same: a devnet that is started anew has another
 * document at the URL.
 */
export const byChain: CachePolicy = { cacheControl: REVALIDATE, keep: 'always' };

/** Changes with a restart at most. */
export const byRestart: CachePolicy = { cacheControl: 'public, max-age=300', keep: 'always' };

/** For documents whose URL names their content. */
export const immutable: CachePolicy = { cacheControl: IMMUTABLE, keep: 'always' };

/** The same for what is large, kept on disk already, and gone one day. */
export const immutableOnDisk: CachePolicy = { cacheControl: IMMUTABLE, keep: 'nothing' };

/** May change between two blocks. */
export const revalidate: CachePolicy = { cacheControl: REVALIDATE, keep: 'nothing' };

/** A fact of this node and moment, or the answer to a write. */
export const noStore: CachePolicy = { cacheControl: 'no-store', keep: 'nothing' };
