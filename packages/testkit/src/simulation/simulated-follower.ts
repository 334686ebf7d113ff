/** A real follower and database on a simulated process, disk, clock and network. */
import { rmSync } from 'node:fs';
import {
  type BlockExecutor,
  type ChainHead,
  checkpointFiles,
  type Clock,
  DEFAULT_MEMPOOL_LIMITS,
  EngineHost,
  filesWithFailpoints,
  LocalEngine,
  Mempool,
  type RestoreProgress,
  Store,
  type VerifierPool,
} from '@netd/engine';
import type { BlockWrite, Failpoint } from '@netd/engine/testing';
import {
  FollowError,
  type FollowerNews,
  openFollowedChain,
  openFollowerEngine,
  restoreState,
  type Transport,
} from '@netd/sync';
import { keepTrustedBlock, openFollowerDir, type FollowerDir } from '@netd/node';
import type { FollowerEngine } from '@netd/sync/testing';
import { SimulatedCrash, SimulatedProcess } from '../simulated-process.ts';
import type { NetworkNode, SimulatedAnswer, SimulatedNetwork } from './simulated-network.ts';
import { answerFrom } from './simulated-node.ts';
import { SimulatedState } from './simulated-state.ts';

/** Milliseconds, several times the slowest delay. */
const ORIGIN_TIMEOUT = 15_000;

export interface SimulatedFollowerOptions {
  url: string;
  origins: readonly string[];
  /** Its own directory. */
  path: string;
  clock: Clock;
  network: SimulatedNetwork;
  verifier: VerifierPool;
  /** Called at every failpoint; its exception is thrown there. */
  at: (name: Failpoint, height: number) => void;
  /** Called after a block reaches the disk; its exception becomes the disk's answer. */
  afterCommit: () => void;
  onBlock: (height: number) => void;
  /** True to begin at a checkpoint whenever it has no state. */
  restores: boolean;
  /** Returns true to drop its checkpoints at this start. */
  losesCheckpoints: () => boolean;
  /** Called during a restore; its exception is thrown there. */
  onRestore: (progress: RestoreProgress) => void;
  onBan: (url: string, reason: string) => void;
  /** Called when the follower breaks a promise: it halted, reported a fork, or could not start. */
  onFault: (what: string) => void;
}

/** The parts that serve readers, execute blocks and receive them. */
interface FollowedChain {
  chain: ChainHead;
  executor: BlockExecutor;
  host: EngineHost<FollowerNews>;
}

export class SimulatedFollower implements NetworkNode {
  readonly url: string;
  readonly origins: readonly string[];
  /** Blocks that the disk refused. */
  refusedBlocks = 0;
  /** Pending writes, for waits for quiet. */
  writing = 0;
  /** Error of its clock in milliseconds. */
  clockError = 0;
  private readonly options: SimulatedFollowerOptions;
  private process = new SimulatedProcess(() => {});
  private store: Store | null = null;
  private opened: FollowedChain | null = null;
  private isStarting = false;
  private checkpoints: SimulatedState | null = null;
  /** The waits of a running restore that only the clock can end. */
  private waiting: Waiting | null = null;

  constructor(options: SimulatedFollowerOptions) {
    this.options = options;
    this.url = options.url;
    this.origins = options.origins;
  }

  get isUp(): boolean {
    return this.opened !== null && !this.process.dead;
  }

  /** True if it needs a start. */
  get isDown(): boolean {
    return !this.isStarting && this.opened === null;
  }

  /** True if its process has crashed and needs cleanup. */
  get isCrashed(): boolean {
    return !this.isDown && this.process.dead;
  }

  get isRestoring(): boolean {
    return this.waiting !== null;
  }

  /** True while it works without the clock: writing a block, or a restore's files and tables. */
  get isBusy(): boolean {
    return this.writing > 0 || this.waiting?.count === 0;
  }

  get chain(): FollowedChain & { store: Store } {
    if (!this.opened || !this.store) throw new Error(`${this.url} is not open`);
    return { ...this.opened, store: this.store };
  }

  /** Starts; it is up once its origins have answered. */
  start(): void {
    const process = new SimulatedProcess((name, height) => this.options.at(name, height));
    this.process = process;
    this.isStarting = true;
    void this.open(process);
  }

  /** Kills the process at once, as kill -9 does. */
  async kill(): Promise<void> {
    this.process.dead = true;
    this.isStarting = false;
    this.opened = null;
    this.options.network.close(this.url);
    await this.process.buried();
    this.waiting = null;
    await this.checkpoints?.end();
    this.checkpoints = null;
    await this.closeStore();
  }

  /** Stops it cleanly. */
  async stop(): Promise<void> {
    await this.opened?.host.stop();
    await this.kill();
  }

  answer(path: string): SimulatedAnswer | null {
    const { store, chain } = this.chain;
    const validatorSet = chain.validatorSetAt(0);
    return answerFrom({ store, url: this.url, validatorSet }, path);
  }

  async state(path: string): Promise<SimulatedAnswer | null> {
    try {
      const answer = (await this.checkpoints?.answer(path)) ?? null;
      return this.isUp ? answer : null;
    } catch (error) {
      // It crashed, or its disk refused.
      if (error instanceof SimulatedCrash) return null;
      throw error;
    }
  }

  /** Deletes a stopped follower's data. */
  wipe(): void {
    rmSync(this.options.path, { recursive: true, force: true });
  }

  private async open(process: SimulatedProcess): Promise<void> {
    try {
      this.opened = await this.openChain(process);
      this.isStarting = false;
    } catch (error) {
      if (process.dead) return;
      // The operator retries.
      if (!(error instanceof FollowError)) this.options.onFault(`cannot start: ${String(error)}`);
      await this.closeStore();
      this.isStarting = false;
    }
  }

  private async openChain(process: SimulatedProcess): Promise<FollowedChain> {
    const { options } = this;
    const { clock, verifier, network } = options;
    const isDead = (): boolean => process.dead;
    const transport = network.transportOf(this.url, isDead);
    const follow = {
      dataDir: options.path,
      origins: this.origins,
      originTimeout: ORIGIN_TIMEOUT,
      transport,
    };
    const dataDir = await openFollowerDir(options.path, follow);
    const liars = await this.restored(process, dataDir, transport);
    const store = Store.open(dataDir.storePath, { scratch: true });
    this.store = store;
    const initialise = store.initialise.bind(store);
    store.initialise = (...given) => this.write(initialise(...given));
    const commitHistory = store.commitHistory.bind(store);
    store.commitHistory = async (...given) => {
      await this.write(commitHistory(...given));
      options.afterCommit();
    };
    const committer = process.committer({
      commitBlocks: (blocks) => this.writeBlocks(store, blocks),
    });
    const skewed: Clock = {
      now: () => clock.now() + this.clockError,
      elapsed: () => clock.elapsed(),
      elapsedWithSleep: () => clock.elapsedWithSleep(),
      after: (milliseconds, callback) => clock.after(milliseconds, callback),
    };
    const own = process.clock(skewed);
    const { genesis, forkPath } = dataDir;
    const followed = {
      store,
      verifier,
      clock: own,
      genesis,
      origins: this.origins,
      originTimeout: ORIGIN_TIMEOUT,
      transport,
      trustedBlock: dataDir.anchor.block,
      forkPath,
    };
    const { chain, fork } = await openFollowedChain({
      ...followed,
      onTrustedBlock: () => keepTrustedBlock(dataDir),
    });
    const engine = Promise.withResolvers<FollowerEngine>();
    const link = new LocalEngine<FollowerNews>({ head: chain.head }, async (side) => {
      const opened = await openFollowerEngine({ ...followed, committer, liars, fork }, side);
      engine.resolve(opened);
      return opened;
    });
    const mempool = new Mempool(DEFAULT_MEMPOOL_LIMITS);
    const host = new EngineHost<FollowerNews>({ chain, mempool, store }, link, {
      onBlockFailure: () => {
        if (!isDead()) this.refusedBlocks++;
      },
      onHalt: (error) => {
        if (!isDead()) options.onFault(`halts: ${String(error)}`);
      },
      onNews: (news) => {
        if (news.is === 'ban') options.onBan(news.url, news.reason);
        if (news.is !== 'fork') return;
        const { height, reason } = news.evidence;
        options.onFault(`reports a fork at ${height}: ${reason}`);
      },
    });
    const files = filesWithFailpoints(checkpointFiles, process.reach);
    const { checkpointsPath: directory } = dataDir;
    this.checkpoints = await SimulatedState.open(
      { directory, store, clock: own, files },
      options.losesCheckpoints(),
    );
    chain.onBlock((height) => {
      process.reach('block.answered', height);
      options.onBlock(height);
    });
    await host.open();
    const { executor } = await engine.promise;
    host.start();
    return { chain, executor, host };
  }

  /** @returns origins that lied about a state */
  private async restored(
    process: SimulatedProcess,
    dataDir: FollowerDir,
    transport: Transport,
  ): Promise<ReadonlyMap<string, string>> {
    const { options } = this;
    const waiting = new Waiting();
    this.waiting = waiting;
    try {
      const liars = await restoreState(dataDir, {
        clock: waiting.clock(process.clock(options.clock)),
        from: options.restores ? 'checkpoint' : 'genesis',
        originTimeout: ORIGIN_TIMEOUT,
        transport: waiting.transport(transport),
        onProgress: (progress) => {
          if (process.dead) throw new SimulatedCrash();
          try {
            options.onRestore(progress);
          } catch (error) {
            process.dead = true;
            throw error;
          }
        },
        // A slow origin is asked again once there is a state.
        onBan: () => {},
        onFallback: () => {},
      });
      for (const [url, reason] of liars) options.onBan(url, reason);
      return liars;
    } finally {
      if (this.waiting === waiting) this.waiting = null;
    }
  }

  private async writeBlocks(store: Store, blocks: readonly BlockWrite[]): Promise<void> {
    await this.write(store.commitBlocks(blocks));
    this.options.afterCommit();
  }

  private async write(work: Promise<void>): Promise<void> {
    this.writing++;
    try {
      await work;
    } finally {
      this.writing--;
    }
  }

  private async closeStore(): Promise<void> {
    const { store } = this;
    this.store = null;
    await store?.close();
  }
}

/** Counts awaited answers and alarms. At zero, the restore is working on its disk. */
class Waiting {
  count = 0;

  transport(transport: Transport): Transport {
    return {
      ask: async (url, options) => {
        this.count++;
        try {
          return await transport.ask(url, options);
        } finally {
          this.count--;
        }
      },
    };
  }

  clock(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      elapsedWithSleep: () => clock.elapsedWithSleep(),
      after: (milliseconds, callback) => {
        this.count++;
        let isOver = false;
        const end = (): void => {
          if (!isOver) this.count--;
          isOver = true;
        };
        const cancel = clock.after(milliseconds, () => {
          end();
          callback();
        });
        return () => {
          end();
          cancel();
        };
      },
    };
  }
}
