/** Followers and single validators don't load this. */
export { forgetStateSync, hasState, syncState, type StateSyncDir } from './state-sync.ts';
