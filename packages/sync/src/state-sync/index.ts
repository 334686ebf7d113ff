/** The door to what a node of CometBFT begins with: followers and single validators do not load it. */
export { forgetStateSync, hasState, syncState, type StateSyncDir } from './state-sync.ts';
