/** Executes the chain of a data directory or of another node again: a door of its own, because `netd verify` needs nothing else. */
export {
  replayDatabase,
  traceDatabase,
  type TraceReport,
  traceReport,
  verifyDatabase,
  type VerifyReport,
} from '@netd/engine';
export { verifyUrl } from '@netd/sync';
