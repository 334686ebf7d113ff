export { forgetStateSync, hasState, syncState, type StateSyncDir } from './state-sync.ts';
