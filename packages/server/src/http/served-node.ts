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

export interface EngineBlocks {
  /**
   * Returns the block in the engine's form, for its light clients; null if the engine lacks the height.
   * @throws EngineAwayError if it does not answer
   */
  lightBlock(height: number): Promise<EngineLightBlock | null>;
  /**
   * Returns the engine's own figures in Prometheus' text format.
   * @throws Error if it does not answer
   */
  metrics(): Promise<string>;
}

export interface EngineLightBlock {
  engineHeight: number;
  signedHeader: object;
  validators: object[];
  consensusParams: object;
}

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
  /** In milliseconds. */
  readonly blockTime: number;
  readonly idleBlockTime: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly ready: boolean;
  readonly status: EngineStatus;
  /** Null unless this node makes a laboratory's blocks. */
  readonly lab: Lab | null;
  /** Null if the consensus engine has no blocks of its own. */
  readonly engineBlocks: EngineBlocks | null;
  poll(): void;
  /** Returns when the chain here was last backed up or verified, in milliseconds since 1970; null if never. */
  lastDone(task: 'backup' | 'verify'): number | null;
  faults(): string[];
  issues(): HealthIssue[];
}
