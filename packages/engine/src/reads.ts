/** This entry point loads no database. */
export { ApiError } from './chain/api-error.ts';
export { type EventFilter, matches } from './chain/event-feed.ts';
export { dryExecution } from './executor/dry-execution.ts';
export { ADMISSION_TABLE, type AdmissionFacts } from './mempool/admission-table.ts';
export { tipOf } from './executor/tip.ts';
export type { Snapshot, StoredBlock, StoredEvent } from './store/snapshot.ts';
export { position } from './store/tables.ts';
