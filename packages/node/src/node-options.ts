import type {
  ChainHead,
  Checkpoints,
  Clock,
  Consensus,
  ConvertProgress,
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

export interface CommonNodeOptions {
  dataDir: string;
  clock?: Clock;
  metrics?: Metrics;
  /** For tests; has the form of NET_FAILPOINT. */
  failpoint?: string | undefined;
  /** Called when the lock is held, before anything is read or fetched. */
  onLocked?: () => Promise<void>;
  /** Ends a start that is in progress; finished steps stay for the next one. */
  signal?: AbortSignal;
  /** Called while outdated lists are rebuilt. */
  onListRebuild?: (progress: ListRebuildProgress) => void;
  /** Called while a database of an older format is converted. */
  onConversion?: ((progress: ConvertProgress) => void) | undefined;
  onBlockFailure?: (error: unknown, height: number) => void;
  /** Called if the node should be stopped. If undefined, the error ends the process. */
  onHalt?: (error: unknown) => void;
}

export interface NodeOptions extends CommonNodeOptions, ChosenId {
  open?: boolean;
  laboratory?: boolean;
  /** For a new laboratory; an existing one ignores it. */
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
  openStore: (dir: DataDir) => Store;
  failpoint: ReachFailpoint;
  events: {
    onBlockFailure: (error: unknown, height: number) => void;
    onHalt: (error: unknown) => void;
  };
}

export interface OpenedNode<Dir extends DataDir> {
  dataDir: Dir;
  store: Store;
  chain: ChainHead;
  mempool: Mempool;
  consensus: Consensus;
  /** Milliseconds, as in /v1/network. A follower has the value of its chain, not of its options. */
  blockTime: number;
  idleBlockTime: number;
  engineProxy?: EngineProxy;
}

export interface EngineProxy extends EngineBlocks {
  /** Offers the checkpoints to peers of the engine. */
  attach(checkpoints: Checkpoints): void;
}
