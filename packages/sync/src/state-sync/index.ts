/** Entry point of state sync for CometBFT nodes. Followers and single validators don't load it. */
export { forgetStateSync, hasState, syncState, type StateSyncDir } from './state-sync.ts';
