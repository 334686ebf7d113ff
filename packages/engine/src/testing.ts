/** Exports for tests of other packages. */
export { validateBlock } from './chain/block-check.ts';
export { CLOCK_BOUND_MILLISECONDS } from './chain/chain-clock.ts';
export { UnexpectedHeadError } from './chain/chain.ts';
export type { CheckpointOptions } from './chain/checkpoints.ts';
export { type Signer, statementOf } from './chain/signer.ts';
export type { SoloEngine } from './consensus/solo/open-solo-engine.ts';
export { FAILPOINTS, type Failpoint } from './failpoints.ts';
export type { SubmissionResult } from './mempool/mempool.ts';
export type { SignatureToVerify, SignatureVerdict } from './mempool/verifier-pool.ts';
export { Replay } from './replay/replay.ts';
export { derivedNames, derivedOf } from './store/derived-writes.ts';
export { requireFreeSpace } from './store/free-space.ts';
export { HistoryNotHeldError } from './store/history-range.ts';
export type { StoredBlock } from './store/snapshot.ts';
export type { BlockWrite } from './store/store.ts';
export { TABLES, type TableName } from './store/tables.ts';
export { BUCKETS } from './store/tree/tree-records.ts';
