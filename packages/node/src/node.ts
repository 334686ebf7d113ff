/** The daemon: a data directory, its chain, and what stands around it. HTTP is put on top by `serve`. */
import { resolve } from 'node:path';
import { timestampToMs } from '@netd/protocol';
import { BackgroundVerifier } from './chain/background-verifier.ts';
import type { BlockCommitter, BlockListener, Chain } from './chain/chain.ts';
import { checkpointFiles, Checkpoints, type CheckpointFiles } from './chain/checkpoints.ts';
import { systemClock, type Clock } from './chain/clock.ts';
import type { ChainClock } from './chain/chain-clock.ts';
import { EventFeed } from './chain/event-feed.ts';
import { SoloSigner, type Signer } from './chain/signer.ts';
import type { Consensus } from './consensus/consensus.ts';
import { openSoloChain } from './consensus/solo/open-solo-chain.ts';
import { asDataDirError } from './data-dir-error.ts';
import { openDataDir, type DataDir } from './data-dir.ts';
import { lockDataDir } from './data-dir-lock.ts';
import type { BlockExecutor } from './executor/block-executor.ts';
import { Admission } from './mempool/admission.ts';
import { DEFAULT_MEMPOOL_LIMITS, type Mempool, type MempoolLimits } from './mempool/mempool.ts';
import { VerifierPool } from './mempool/verifier-pool.ts';
import { Metrics } from './metrics.ts';
import { WHAT_TO_DO } from './store/database-file.ts';
import { StoreError } from './store/store-error.ts';
import { Store } from './store/store.ts';

export interface NodeOptions {
  dataDir: string;
  chainId?: string;
  open?: boolean;
  /** Milliseconds; default 100. */
  blockTime?: number;
  /** Milliseconds; default 10,000. */
  idleBlockTime?: number;
  admission?: MempoolLimits;
  clock?: Clock;
  /** Puts something around the parts that touch the world, for tests. */
  wrapParts?: ((parts: NodeParts) => NodeParts) | undefined;
  onBlockFailure?: (error: unknown, height: number) => void;
  /** Told in a sentence when the clock dates no more blocks, and with null when it does again. */
  onClockFault?: (fault: string | null) => void;
  /**
   * Called when the chain cannot go on, above all where another process has written to the database: the node is no
   * longer ready and ought to be stopped. Without it the error ends the process.
   */
  onHalt?: (error: unknown) => void;
}

/** The parts of a node that sign, write, and tell. */
export interface NodeParts {
  signer: Signer;
  committer: BlockCommitter;
  checkpointFiles: CheckpointFiles;
  /** The first to hear of a block, after those who waited for it. */
  blockListener: BlockListener;
}

export const DEFAULT_BLOCK_TIME = 100;
export const DEFAULT_IDLE_BLOCK_TIME = 10_000;

interface Opened {
  dataDir: DataDir;
  store: Store;
  chain: Chain;
  chainClock: ChainClock;
  executor: BlockExecutor;
  mempool: Mempool;
  consensus: Consensus;
  verifier: VerifierPool;
  checkpoints: Checkpoints;
  metrics: Metrics;
  clock: Clock;
  blockTime: number;
  idleBlockTime: number;
  unlock: () => void;
}

export class NetNode {
  readonly dataDir: DataDir;
  readonly store: Store;
  readonly chain: Chain;
  readonly executor: BlockExecutor;
  readonly mempool: Mempool;
  readonly admission: Admission;
  readonly checkpoints: Checkpoints;
  readonly events: EventFeed;
  readonly backgroundVerifier: BackgroundVerifier;
  readonly metrics: Metrics;
  readonly blockTime: number;
  readonly idleBlockTime: number;
  readonly startedAt: number;
  private readonly chainClock: ChainClock;
  private readonly consensus: Consensus;
  private readonly verifier: VerifierPool;
  private readonly unlock: () => void;
  private state: 'running' | 'draining' | 'stopping' | 'stopped' = 'running';

  private constructor(parts: Opened) {
    const { chain, store, clock } = parts;
    this.dataDir = parts.dataDir;
    this.store = store;
    this.chain = chain;
    this.executor = parts.executor;
    this.mempool = parts.mempool;
    this.admission = new Admission(parts);
    this.checkpoints = parts.checkpoints;
    this.events = new EventFeed(chain, store);
    this.backgroundVerifier = new BackgroundVerifier(chain, store, clock);
    this.metrics = parts.metrics;
    this.blockTime = parts.blockTime;
    this.idleBlockTime = parts.idleBlockTime;
    this.startedAt = clock.now();
    this.chainClock = parts.chainClock;
    this.consensus = parts.consensus;
    this.verifier = parts.verifier;
    this.unlock = parts.unlock;
  }

  /**
   * Opens the data directory, goes on where the chain stopped, and starts making blocks.
   * @throws DataDirError, StoreError with a sentence for the operator
   */
  static async start(options: NodeOptions): Promise<NetNode> {
    const clock = options.clock ?? systemClock;
    const blockTime = options.blockTime ?? DEFAULT_BLOCK_TIME;
    const idleBlockTime = options.idleBlockTime ?? DEFAULT_IDLE_BLOCK_TIME;
    const metrics = new Metrics();
    const unlock = lockDataDir(options.dataDir);
    let node: NetNode | null = null;
    let store: Store | null = null;
    try {
      const dataDir = openDataDir(options.dataDir, {
        ...(options.chainId === undefined ? {} : { chainId: options.chainId }),
        ...(options.open === undefined ? {} : { open: options.open }),
        now: () => clock.now(),
      });
      store = Store.open(dataDir.storePath);
      const wrapParts = options.wrapParts ?? ((parts) => parts);
      const parts = wrapParts({
        signer: new SoloSigner(dataDir.validator.actorId, dataDir.validator.privateKey),
        committer: store,
        checkpointFiles,
        blockListener: (height, transitionCount) => metrics.countBlock(height, transitionCount),
      });
      const opened = await openSoloChain({
        store,
        genesis: dataDir.genesis,
        signer: parts.signer,
        committer: parts.committer,
        mempoolLimits: options.admission ?? DEFAULT_MEMPOOL_LIMITS,
        clock,
        blockTime,
        idleBlockTime,
        onBlockFailure: (error, height) => {
          metrics.writeFailures += 1;
          options.onBlockFailure?.(error, height);
        },
        onClockFault: (fault) => {
          metrics.clockFault = fault === null ? 0 : 1;
          options.onClockFault?.(fault);
        },
        onHalt: (error) => {
          node?.drain();
          if (options.onHalt) options.onHalt(error);
          else endProcess(error);
        },
      });
      opened.chain.onBlock(parts.blockListener);
      metrics.height = opened.chain.height;
      const checkpoints = await Checkpoints.open({
        directory: dataDir.checkpointsPath,
        store,
        clock,
        files: parts.checkpointFiles,
        onDamage: () => {
          metrics.checkpointFaults += 1;
        },
      });
      node = new NetNode({
        ...opened,
        dataDir,
        store,
        verifier: new VerifierPool(),
        checkpoints,
        metrics,
        clock,
        blockTime,
        idleBlockTime,
        unlock,
      });
    } catch (error) {
      await store?.close();
      unlock();
      throw startError(options.dataDir, error);
    }
    node.sayHowTheClockStarts(options);
    node.consensus.start();
    node.backgroundVerifier.start();
    return node;
  }

  /** Before the first block: a clock that is behind stops block time, one that is far ahead is only said. */
  private sayHowTheClockStarts({ onClockFault }: Pick<NodeOptions, 'onClockFault'>): void {
    const { height, timestamp } = this.chain.head;
    const lastBlockTime = timestampToMs(timestamp);
    this.chainClock.read(lastBlockTime);
    // The first block of a chain is of the time its genesis names, which may be long ago.
    const notice = height === 0 ? null : this.chainClock.resume(lastBlockTime);
    if (notice !== null) onClockFault?.(notice);
  }

  /** What keeps this node from being well, in sentences for its operator; empty where nothing does. */
  faults(): string[] {
    const { fault } = this.backgroundVerifier.current();
    const clock = this.chainClock.read(timestampToMs(this.chain.head.timestamp));
    const notice = this.chainClock.notice();
    return [
      ...(fault === null
        ? []
        : [`block ${fault.height} on disk is not as certified: ${fault.reason}`]),
      ...(clock.fault === null ? [] : [clock.fault]),
      ...(notice === null ? [] : [notice]),
      ...(this.checkpoints.fault === null ? [] : [this.checkpoints.fault]),
    ];
  }

  get ready(): boolean {
    return this.state === 'running';
  }

  /** Takes no further requests; those that are in go on. */
  drain(): void {
    if (this.state === 'running') this.state = 'draining';
  }

  /** Commits what waits, then closes everything. */
  async stop(): Promise<void> {
    if (this.state === 'stopping' || this.state === 'stopped') return;
    this.state = 'stopping';
    this.backgroundVerifier.stop();
    await this.consensus.stop();
    await this.checkpoints.settle();
    await this.verifier.close();
    await this.store.close();
    this.unlock();
    this.state = 'stopped';
  }
}

/** What the disk or the database is to blame for, as a sentence for the operator. */
function startError(dataDir: string, error: unknown): unknown {
  const { name, code, message } = error as NodeJS.ErrnoException;
  // The database numbers its errors; a stored text that is not JSON is not what was written.
  if (name === 'SyntaxError' || typeof code === 'number') {
    return new StoreError(
      `the database in ${resolve(dataDir)} cannot be read (${message}): ${WHAT_TO_DO}`,
      { cause: error },
    );
  }
  return asDataDirError(resolve(dataDir), error);
}

/** As an exception that nobody catches does. */
function endProcess(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
