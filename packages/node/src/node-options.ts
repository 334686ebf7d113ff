/** What a node is told, and what it opens its chain with. */
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

/** What every node is told, whatever makes its blocks. */
export interface CommonNodeOptions {
  dataDir: string;
  /** Instead of the system's, which cannot be told to another thread: blocks are made in this one then. */
  clock?: Clock;
  /** Where requests are counted, if that begins before there is a node. */
  metrics?: Metrics;
  /** Where the process is to die, as in NET_FAILPOINT; for tests. */
  failpoint?: string | undefined;
  /** Called when the data directory is this node's alone, before it is read and before anything is fetched. */
  onLocked?: () => Promise<void>;
  /** Called while lists of another version are rebuilt, before the chain is opened. */
  onListRebuild?: (progress: ListRebuildProgress) => void;
  onBlockFailure?: (error: unknown, height: number) => void;
  /**
   * Called when the chain cannot go on, above all where another process has written to the database: the node is no
   * longer ready and ought to be stopped. Without it the error ends the process.
   */
  onHalt?: (error: unknown) => void;
}

/** Those of a node that makes and certifies blocks. */
export interface NodeOptions extends CommonNodeOptions, ChosenId {
  open?: boolean;
  laboratory?: boolean;
  /** Of a laboratory that begins with the state of another network; where it has begun already, that is not asked again. */
  forkFrom?: ForkFrom;
  /** Milliseconds; default 100. */
  blockTime?: number;
  /** Milliseconds; default 10,000. */
  idleBlockTime?: number;
  admission?: MempoolLimits;
}

/** What a node opens its chain with. */
export interface OpenContext {
  clock: Clock;
  verifier: VerifierPool;
  /** Is closed together with the node, also where its start fails. */
  openStore: (dir: DataDir) => Store;
  failpoint: ReachFailpoint;
  events: {
    onBlockFailure: (error: unknown, height: number) => void;
    onHalt: (error: unknown) => void;
  };
}

/** A chain that is open, and what makes or takes its blocks from the start on. */
export interface OpenedNode<Dir extends DataDir> {
  dataDir: Dir;
  store: Store;
  chain: ChainHead;
  mempool: Mempool;
  consensus: Consensus;
  /** Milliseconds, as /v1/network tells them: of a follower, those of its chain. */
  blockTime: number;
  idleBlockTime: number;
  /** What others ask of an engine that has blocks of its own. */
  engineProxy?: EngineProxy;
}

/** Between an engine with blocks of its own and what asks for them. */
export interface EngineProxy extends EngineBlocks {
  /** Called once there are checkpoints: peers of the engine begin from them. */
  attach(checkpoints: Checkpoints): void;
}
