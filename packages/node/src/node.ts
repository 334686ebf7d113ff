/** The daemon: a data directory, its chain, and what stands around it. HTTP is put on top by `serve`. */
import { Admission, DEFAULT_ADMISSION_LIMITS, type AdmissionLimits } from './chain/admission.ts';
import { Chain } from './chain/chain.ts';
import { Checkpoints } from './chain/checkpoints.ts';
import { systemClock, type Clock } from './chain/clock.ts';
import { EventFeed } from './chain/event-feed.ts';
import { noFailpoints, type Failpoints } from './chain/failpoints.ts';
import { SoloSigner } from './chain/signer.ts';
import { VerifierPool } from './chain/verifier-pool.ts';
import { ChainWatcher } from './chain/watcher.ts';
import { lockDataDir, openDataDir, type DataDir } from './data-dir.ts';
import { Metrics } from './metrics.ts';
import { Store } from './store/store.ts';

export interface NodeOptions {
  dataDir: string;
  chainId?: string;
  open?: boolean;
  /** Milliseconds; default 100. */
  blockTime?: number;
  /** Milliseconds; default 10,000. */
  idleBlockTime?: number;
  admission?: AdmissionLimits;
  clock?: Clock;
  failpoints?: Failpoints;
  onBlockFailure?: (error: unknown, height: number) => void;
}

export const DEFAULT_BLOCK_TIME = 100;
export const DEFAULT_IDLE_BLOCK_TIME = 10_000;

export class NetNode {
  readonly dataDir: DataDir;
  readonly store: Store;
  readonly chain: Chain;
  readonly admission: Admission;
  readonly checkpoints: Checkpoints;
  readonly events: EventFeed;
  readonly watcher: ChainWatcher;
  readonly metrics: Metrics;
  readonly blockTime: number;
  readonly idleBlockTime: number;
  readonly startedAt: number;
  private readonly verifier: VerifierPool;
  private readonly unlock: () => void;
  private state: 'running' | 'draining' | 'stopping' | 'stopped' = 'running';

  private constructor(parts: {
    dataDir: DataDir;
    store: Store;
    chain: Chain;
    admission: Admission;
    checkpoints: Checkpoints;
    events: EventFeed;
    watcher: ChainWatcher;
    metrics: Metrics;
    blockTime: number;
    idleBlockTime: number;
    startedAt: number;
    verifier: VerifierPool;
    unlock: () => void;
  }) {
    this.dataDir = parts.dataDir;
    this.store = parts.store;
    this.chain = parts.chain;
    this.admission = parts.admission;
    this.checkpoints = parts.checkpoints;
    this.events = parts.events;
    this.watcher = parts.watcher;
    this.metrics = parts.metrics;
    this.blockTime = parts.blockTime;
    this.idleBlockTime = parts.idleBlockTime;
    this.startedAt = parts.startedAt;
    this.verifier = parts.verifier;
    this.unlock = parts.unlock;
  }

  /**
   * Opens the data directory, goes on where the chain stopped, and starts making blocks.
   * @throws DataDirError, StoreError with a sentence for the operator
   */
  static async start(options: NodeOptions): Promise<NetNode> {
    const clock = options.clock ?? systemClock;
    const failpoints = options.failpoints ?? noFailpoints;
    const blockTime = options.blockTime ?? DEFAULT_BLOCK_TIME;
    const idleBlockTime = options.idleBlockTime ?? DEFAULT_IDLE_BLOCK_TIME;
    const metrics = new Metrics();
    const dataDir = openDataDir(options.dataDir, {
      ...(options.chainId === undefined ? {} : { chainId: options.chainId }),
      ...(options.open === undefined ? {} : { open: options.open }),
      now: () => clock.now(),
    });
    const unlock = lockDataDir(dataDir.path);
    const verifier = new VerifierPool();
    let store: Store | null = null;
    try {
      store = Store.open(dataDir.storePath);
      const chain = await Chain.open(
        {
          store,
          clock,
          signer: new SoloSigner(dataDir.validator.actorId, dataDir.validator.privateKey),
          failpoints,
          blockTime,
          idleBlockTime,
          onBlockFailure: (error, height) => {
            metrics.writeFailures.inc();
            options.onBlockFailure?.(error, height);
          },
        },
        dataDir.genesis,
      );
      const checkpoints = await Checkpoints.open(dataDir.checkpointsPath, store, clock, failpoints);
      const node = new NetNode({
        dataDir,
        store,
        chain,
        admission: new Admission(
          chain,
          store,
          verifier,
          options.admission ?? DEFAULT_ADMISSION_LIMITS,
        ),
        verifier,
        checkpoints,
        events: new EventFeed(chain, store),
        watcher: new ChainWatcher(chain, store, clock),
        metrics,
        blockTime,
        idleBlockTime,
        startedAt: clock.now(),
        unlock,
      });
      node.observe();
      chain.start();
      node.watcher.start();
      return node;
    } catch (error) {
      await store?.close();
      unlock();
      throw error;
    }
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
    this.watcher.stop();
    await this.chain.stop();
    await this.checkpoints.settle();
    await this.verifier.close();
    await this.store.close();
    this.unlock();
    this.state = 'stopped';
  }

  private observe(): void {
    const { metrics, chain } = this;
    metrics.height.set(chain.height);
    chain.onBlock((height, transitionCount) => {
      metrics.height.set(height);
      metrics.blocks.inc();
      metrics.transitions.inc(transitionCount);
    });
  }
}
