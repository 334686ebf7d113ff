/** What the server needs of a node: it answers from these parts and knows nothing of how they were put together. */
import type { Genesis } from '@netd/protocol';
import type {
  Admission,
  BackgroundVerifier,
  ChainHead,
  Checkpoints,
  EventFeed,
  Following,
  HealthIssue,
  Lab,
  Mempool,
  Store,
} from '@netd/engine';
import type { Metrics } from '../metrics.ts';

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
  /** Whether it goes no further, because the validators have certified two histories. */
  readonly halted: boolean;
  /** Why the clock dates no blocks; null where it does, or none are made here. */
  readonly clockFault: string | null;
  /** The address of the node that takes writes; null if this one does. */
  readonly writer: string | null;
  /** All nodes that take writes and answer now, in the order in which to ask them. */
  readonly writers: readonly string[];
  /** How far a follower is; null on a node that makes blocks. */
  readonly following: Following | null;
  /** What moves blocks and time on demand; null on every node but one that makes the blocks of a laboratory. */
  readonly lab: Lab | null;
  /** Polls for a new block at once. */
  poll(): void;
  /** What is wrong, in sentences for the operator. */
  faults(): string[];
  issues(): HealthIssue[];
}
