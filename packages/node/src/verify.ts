/** Verifies a data directory or another node from genesis: a door of its own, because `netd verify` needs nothing else. */
export { verifyDatabase, type VerifyReport } from '@netd/engine';
export { verifyUrl } from '@netd/sync';
