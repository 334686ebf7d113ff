/** A follower whose process, disk, clock and network are simulated; the follower itself, its database and what it serves are real. */
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

/** Milliseconds for an answer: several times the slowest one that arrives. */
const ORIGIN_TIMEOUT = 15_000;

export interface SimulatedFollowerOptions {
  url: string;
  origins: readonly string[];
  /** A directory of its own. */
  path: string;
  clock: Clock;
  network: SimulatedNetwork;
  verifier: VerifierPool;
  /** Called at every failpoint; what it throws happens there. */
  at: (name: Failpoint, height: number) => void;
  /** Called when a block has just gone to disk: what it throws is the disk's answer. */
  afterCommit: () => void;
  onBlock: (height: number) => void;
  /** Whether it begins at a checkpoint each time that it has nothing. */
  restores: boolean;
  /** Whether the checkpoints that it made are gone at this start. */
  losesCheckpoints: () => boolean;
  /** Called in the middle of a restore; what it throws happens there. */
  onRestore: (progress: RestoreProgress) => void;
  onBan: (url: string, reason: string) => void;
  /** A promise that the follower itself has broken: it halted, saw a fork, or could not start. */
  onFault: (what: string) => void;
}

/** What of it readers see, what executes its blocks, and what takes them. */
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
  /** Writes under way: a wait for quiet waits for them. */
  writing = 0;
  /** How far its clock stands wrong. */
  clockError = 0;
  private readonly options: SimulatedFollowerOptions;
  private process = new SimulatedProcess(() => {});
  private store: Store | null = null;
  private opened: FollowedChain | null = null;
  private isStarting = false;
  private checkpoints: SimulatedState | null = null;
  /** Of a restore under way: what it waits for that only the clock brings. */
  private waiting: Waiting | null = null;

  constructor(options: SimulatedFollowerOptions) {
    this.options = options;
    this.url = options.url;
    this.origins = options.origins;
  }

  get isUp(): boolean {
    return this.opened !== null && !this.process.dead;
  }

  /** Whether it has to be started (again). */
  get isDown(): boolean {
    return !this.isStarting && this.opened === null;
  }

  /** Whether its process has died by itself, and has to be cleared away. */
  get isCrashed(): boolean {
    return !this.isDown && this.process.dead;
  }

  get isRestoring(): boolean {
    return this.waiting !== null;
  }

  /** Whether it does what the clock need not move for: writes a block, or files and tables of a restore. */
  get isBusy(): boolean {
    return this.writing > 0 || this.waiting?.count === 0;
  }

  get chain(): FollowedChain & { store: Store } {
    if (!this.opened || !this.store) throw new Error(`${this.url} is not open`);
    return { ...this.opened, store: this.store };
  }

  /** Begins; it is up once its origins have answered what it needs from them. */
  start(): void {
    const process = new SimulatedProcess((name, height) => this.options.at(name, height));
    this.process = process;
    this.isStarting = true;
    void this.open(process);
  }

  /** As kill -9 does, at once. */
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

  /** As its operator ends it. */
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
      // It died, or its disk refused.
      if (error instanceof SimulatedCrash) return null;
      throw error;
    }
  }

  /** Its operator, who has stopped it, throws the follower away. */
  wipe(): void {
    rmSync(this.options.path, { recursive: true, force: true });
  }

  private async open(process: SimulatedProcess): Promise<void> {
    try {
      this.opened = await this.openChain(process);
      this.isStarting = false;
    } catch (error) {
      if (process.dead) return;
      // Its operator tries again.
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

  /** @returns who has lied about a state */
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
        // One that is only slow is asked again, once there is a state.
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

/** Counts the answers and the alarms that are waited for: with neither, it is at work on its disk. */
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
