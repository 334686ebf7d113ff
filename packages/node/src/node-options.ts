import type {
  ChainHead,
  Checkpoints,
  Clock,
  Consensus,
  ListRebuildProgress,
  Mempool,
  MempoolLimits,
  ReachFailpoint,
  Store,
  VerifierPool,
} from '@netd/engine';
import type { ChosenId } from './chain-ids.ts';
import type { DataDir } from './data-dir.ts';
import type { ForkFrom } from './fork-dir.ts';
import type { EngineBlocks, Metrics } from '@netd/server';

/** Options of every kind of node. */
export interface CommonNodeOptions {
  dataDir: string;
  /** Replaces the system clock. Blocks are then made in this thread, because a clock cannot cross threads. */
  clock?: Clock;
  /** For counters that begin before the node exists. */
  metrics?: Metrics;
  /** As in NET_FAILPOINT; for tests. */
  failpoint?: string | undefined;
  /** Called with the lock held, before the data directory is read or anything is fetched. */
  onLocked?: () => Promise<void>;
  /** Called while lists of another version are rebuilt, before the chain is opened. */
  onListRebuild?: (progress: ListRebuildProgress) => void;
  onBlockFailure?: (error: unknown, height: number) => void;
  /**
   * Called when the chain cannot go on, for example because another process wrote to the database. The node is
   * no longer ready and should be stopped. Without it the error ends the process.
   */
  onHalt?: (error: unknown) => void;
}

/** Options of a node that makes and certifies blocks. */
export interface NodeOptions extends CommonNodeOptions, ChosenId {
  open?: boolean;
  laboratory?: boolean;
  /** Starts a laboratory with another network's state. Ignored if it has already started. */
  forkFrom?: ForkFrom;
  /** Milliseconds; default 100. */
  blockTime?: number;
  /** Milliseconds; default 10,000. */
  idleBlockTime?: number;
  admission?: MempoolLimits;
}

export interface OpenContext {
  clock: Clock;
  verifier: VerifierPool;
  /** The store is closed with the node, even if its start fails. */
  openStore: (dir: DataDir) => Store;
  failpoint: ReachFailpoint;
  events: {
    onBlockFailure: (error: unknown, height: number) => void;
    onHalt: (error: unknown) => void;
  };
}

/** An open chain with its engine, ready to start. */
export interface OpenedNode<Dir extends DataDir> {
  dataDir: Dir;
  store: Store;
  chain: ChainHead;
  mempool: Mempool;
  consensus: Consensus;
  /** Milliseconds, as in /v1/network; on a follower those of its chain. */
  blockTime: number;
  idleBlockTime: number;
  /** For engines with their own blocks. */
  engineProxy?: EngineProxy;
}

/** Access to an engine's own blocks. */
export interface EngineProxy extends EngineBlocks {
  /** Called once there are checkpoints, from which peers of the engine may start. */
  attach(checkpoints: Checkpoints): void;
}
