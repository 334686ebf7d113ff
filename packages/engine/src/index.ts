export {
  ApiError,
  type ApiErrorData,
  refuseMissingHistory,
  toApiError,
} from './chain/api-error.ts';
export { explainRefusal } from './chain/explain-refusal.ts';
export { BackgroundVerifier, type VerificationStatus } from './chain/background-verifier.ts';
export {
  type BlockCommitter,
  BlockNotWrittenError,
  type CertifyGenesis,
  Chain,
  type ChainHead,
} from './chain/chain.ts';
export {
  Checkpoints,
  checkpointFiles,
  checkpointsIn,
  type ForkPointFiles,
} from './chain/checkpoints.ts';
export { CLOCK_BOUND_MILLISECONDS } from './chain/chain-clock.ts';
export { type Clock, systemClock } from './chain/clock.ts';
export { EventFeed, matches, watchedSubjects } from './chain/event-feed.ts';
export { proveState } from './chain/proofs.ts';
export { setChangesAfter } from './chain/set-changes.ts';
export { SoloSigner } from './chain/signer.ts';
export { abortOf, sleep } from './chain/sleep.ts';
export type {
  Consensus,
  ConsensusParts,
  EngineStatus,
  Following,
  ValidatorFigures,
  ValidatorVotes,
} from './consensus/consensus.ts';
export {
  FollowedChain,
  type FollowedChainParts,
  type FollowProgress,
  type Verdict,
} from './consensus/follower/followed-chain.ts';
export { before, type FollowedHistory } from './consensus/follower/followed-history.ts';
export {
  type BlockId,
  historyOfExpected,
  type WholeBlock,
} from './consensus/follower/historical-block.ts';
export { EngineHost } from './consensus/host/engine-host.ts';
export {
  type EngineLink,
  EngineThread,
  LocalEngine,
  type ThreadData,
} from './consensus/host/engine-link.ts';
export {
  type EngineSide,
  LOOK_MILLISECONDS,
  type OpenedEngine,
  runThread,
} from './consensus/host/run-engine.ts';
export { type Lab, type LabCommand, type LabMode, LAB_MODES } from './consensus/lab.ts';
export type { BlockTimes } from './consensus/solo/block-timer.ts';
export {
  type LastSigned,
  SigningRecord,
  blockHashIn,
  readLastSigned,
  requireLastSigned,
  writeLastSigned,
} from './consensus/solo/last-signed.ts';
export { openCertifiedChain, openSoloEngine } from './consensus/solo/open-solo-engine.ts';
export { producerThread } from './consensus/solo/producer-thread.ts';
export { DataDirError, asDataDirError } from './data-dir-error.ts';
export { type Gate, awaitLeaving, makeGate, shutGate, throughGate } from './database-gate.ts';
export {
  isDraft,
  replaceFile,
  syncDirectory,
  syncFile,
  writeDurably,
  writeOnce,
} from './durable-file.ts';
export { BlockExecutor } from './executor/block-executor.ts';
export { identityOf, type ValidatorSetAt } from './executor/chain-identity.ts';
export { certificateFault } from './chain/certificate-check.ts';
export { genesisBlock } from './executor/genesis-block.ts';
export { type Tip, tipOf } from './executor/tip.ts';
export {
  type ReachFailpoint,
  committerWithFailpoints,
  failpointFromPlan,
  filesWithFailpoints,
  signerWithFailpoints,
} from './failpoints.ts';
export {
  HEALTH_ISSUES,
  HEALTH_ISSUE_KINDS,
  type HealthIssue,
  type HealthIssueKind,
  HealthWatch,
  keepsReadersAway,
  takesWrites,
} from './health-issue.ts';
export { ADMISSION_TABLE, type Newcomers, requireAdmissible } from './mempool/admission-table.ts';
export { NewcomerLimits, type NewcomerRates } from './mempool/newcomer-limits.ts';
export { Admission, type CommittedEnvelope, parseEnvelope } from './mempool/admission.ts';
export { DEFAULT_MEMPOOL_LIMITS, Mempool, type MempoolLimits } from './mempool/mempool.ts';
export { loadSignatureCheck } from './mempool/signature-check.ts';
export { HALF_THE_CORES, VerifierPool } from './mempool/verifier-pool.ts';
export {
  BlockReplay,
  InvalidChainError,
  type PreparedBlock,
  type ReadEnvelope,
  type ReplayedBlock,
  type SourceBlock,
} from './replay/block-replay.ts';
export { StateFilesError } from './replay/chunked-state.ts';
export { PastState, type TracedTransition, type TriedAction } from './replay/past-state.ts';
export { type ChainPlace, traceDatabase, replayDatabase } from './replay/trace.ts';
export { type TraceReport, traceReport } from './replay/trace-report.ts';
export {
  type BlockSource,
  type PutForkBase,
  SourceUnavailableError,
} from './replay/block-source.ts';
export {
  type VerifyOptions,
  type VerifyReport,
  verifyDatabase,
  verifySource,
} from './replay/verify.ts';
export { isIntact, validateCheckpoint } from './restore/checkpoint-manifest.ts';
export { convert, type ConvertProgress, wayOf } from './restore/convert.ts';
export { CHUNK_ENTRIES, ChunkFiles, type RestorePoint } from './restore/chunk-files.ts';
export {
  buildForkBase,
  FORK_POINT,
  forkBaseFrom,
  forkPointFault,
  forkPointIn,
  hasDatabase,
  putForkState,
} from './restore/fork-point.ts';
export {
  ChunkLostError,
  DRAFT_ENTRIES,
  placeDatabase,
  rebuild,
  type RestoreProgress,
} from './restore/rebuild.ts';
export { WrongStateError } from './restore/state-rebuild.ts';
export { isPrepared, swap, swapBack, sweepConversion } from './restore/swap.ts';
export {
  clearPlace,
  DATABASE_ENTRIES,
  isOurDocument,
  removeEntry,
  removeWritten,
  UPGRADE,
  UPGRADE_ENTRIES,
  type WrittenEntries,
} from './written-entries.ts';
export { WHAT_TO_DO } from './store/database-file.ts';
export type { BlockHistory } from './store/history-writes.ts';
export { ReadBudgetError, Snapshot, type StoredEvent } from './store/snapshot.ts';
export {
  type ListRebuildProgress,
  rebuildLists,
  type RebuildListsOptions,
} from './store/rebuild-lists.ts';
export { StoreError } from './store/store-error.ts';
export { LEAST_FREE_BYTES, requireFreeSpace } from './store/free-space.ts';
export { Store, type StoreFacts, storeOptionsOf } from './store/store.ts';
export { STORE_FORMAT, heightOf, position } from './store/tables.ts';
export { EMPTY_SOURCE, StateTree } from './store/tree/state-tree.ts';
export { WorkerThread } from './worker-thread.ts';
