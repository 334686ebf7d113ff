/** What the server needs of a node: it answers from these parts and knows nothing of how they were put together. */
import type { Genesis } from '@netd/protocol';
import type {
  Admission,
  BackgroundVerifier,
  ChainHead,
  Checkpoints,
  EngineStatus,
  EventFeed,
  HealthIssue,
  Lab,
  Mempool,
  Store,
} from '@netd/engine';
import type { Metrics } from '../metrics.ts';

/** Blocks that an engine has beside ours. */
export interface EngineBlocks {
  /**
   * What light clients of the engine want of one of its heights, in its own words; null where it has no such height.
   * @throws EngineAwayError where it does not answer
   */
  lightBlock(height: number): Promise<EngineLightBlock | null>;
}

export interface EngineLightBlock {
  engineHeight: number;
  signedHeader: object;
  validators: object[];
  consensusParams: object;
}

/** The engine does not answer: it starts, or is started again. */
export class EngineAwayError extends Error {
  override name = 'EngineAwayError';
}

export interface ServedNode {
  readonly dataDir: { readonly genesis: Genesis };
  readonly store: Store;
  readonly chain: ChainHead;
  readonly mempool: Mempool;
  readonly admission: Admission;
  readonly checkpoints: Checkpoints;
  readonly events: EventFeed;
  readonly backgroundVerifier: BackgroundVerifier;
  readonly metrics: Metrics;
  /** Milliseconds, as /v1/network tells them. */
  readonly blockTime: number;
  readonly idleBlockTime: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether it takes requests. */
  readonly ready: boolean;
  /** What its engine says of itself. */
  readonly status: EngineStatus;
  /** What moves blocks and time on demand; null on every node but one that makes the blocks of a laboratory. */
  readonly lab: Lab | null;
  /** Null where no engine has blocks of its own. */
  readonly engineBlocks: EngineBlocks | null;
  /** Polls for a new block at once. */
  poll(): void;
  /** What is wrong, in sentences for the operator. */
  faults(): string[];
  issues(): HealthIssue[];
}
