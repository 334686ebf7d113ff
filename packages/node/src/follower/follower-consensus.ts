/**
 * The engine of a follower: takes blocks from nodes that it does not believe, replays each through the executor, and
 * commits what came out as it was told and certified. It certifies nothing itself. Where the validators of the chain
 * contradict themselves it keeps the evidence and halts, rather than choose.
 */
import type { Genesis } from '@netd/protocol';
import { BlockNotWrittenError } from '../chain/chain.ts';
import type { Clock } from '../chain/clock.ts';
import type { ConsensusParts, Following } from '../consensus/consensus.ts';
import {
  BlockReplay,
  InvalidChainError,
  type PreparedBlock,
  type ReplayedBlock,
  type SourceBlock,
  UntrueEventsError,
} from '../verify/block-replay.ts';
import type { ForkEvidence } from '../documents/chain/fork-evidence.ts';
import type { VerifierPool } from '../mempool/verifier-pool.ts';
import type { Store } from '../store/store.ts';
import { Backfill } from './backfill.ts';
import { BlockNews } from './block-news.ts';
import { DownloadsAhead } from './downloads-ahead.ts';
import { FollowedOrigins, type FollowedOrigin } from './followed-origins.ts';
import { hasItsTransitions, isCertified, storedBlock } from './fork.ts';
import { ForkWatch } from './fork-watch.ts';
import { Origin, OriginFaultError, OriginUnavailableError } from './origin.ts';
import { httpTransport, type Transport } from './transport.ts';
import type { FollowingConsensus } from './seen-follower.ts';
import type { AnchorBlock } from './trust-anchor.ts';
import { WriteBehind } from './write-behind.ts';

/** Empty blocks have no events that could tell of them. */
const ASK_EVERY_MILLISECONDS = 2_000;
/**
 * For a block, where another origin says that it has it too. Doubled with each setback of that other one, so that slow ones
 * alone get there as well, and nobody is waited for where a reliable one is there.
 */
const PATIENCE_MILLISECONDS = 2_000;
/** Heights that a copy may be behind and still say that it is there. */
const MOST_BEHIND = 4;
/** After a block that could not be written. */
const DISK_REST_MILLISECONDS = 2_000;

/** How far a follower is, whenever that changes. */
export interface FollowProgress {
  height: number;
  /** The height that its origins say. */
  target: number;
  /** Transitions since the start. */
  transitions: number;
}

export interface FollowerEvents {
  onProgress: (progress: FollowProgress) => void;
  /** Told the height from which on all blocks are here, whenever it falls. */
  onHistory: (from: number) => void;
  /** Told when an origin is not asked any more, and why. */
  onDrop: (url: string, reason: string) => void;
  onFork: (evidence: ForkEvidence) => void;
  /** Told when an origin has answered or failed: what this says of itself may be otherwise now. */
  onAnswer?: () => void;
  onBlockFailure: (error: unknown, height: number) => void;
  onHalt: (error: unknown) => void;
}

export interface FollowerConsensusOptions extends FollowerEvents {
  store: Store;
  clock: Clock;
  verifier: VerifierPool;
  genesis: Genesis;
  origins: readonly string[];
  /** Those of them that have lied already, and how. */
  liars: ReadonlyMap<string, string>;
  /** A block that the chain must have. */
  trustedBlock: AnchorBlock | undefined;
  /** Milliseconds for one answer of an origin. */
  originTimeout?: number | undefined;
  /** Default: HTTP. */
  transport?: Transport | undefined;
  /** Where evidence of a fork is kept. */
  forkPath: string;
  /** What is there from before. */
  fork: ForkEvidence | null;
}

type FollowerParts = Pick<ConsensusParts, 'chain' | 'executor'>;

export class FollowerConsensus implements FollowingConsensus {
  readonly writer: string | null;
  private readonly parts: FollowerParts;
  private readonly options: FollowerConsensusOptions;
  private readonly origins: FollowedOrigins;
  private readonly blocks: BlockReplay;
  private readonly news: BlockNews;
  private readonly backfill: Backfill;
  private readonly end = new AbortController();
  private loop: Promise<unknown> = Promise.resolve();
  private readonly comparisons = new Set<Promise<void>>();
  private readonly fork: ForkWatch;
  private transitions = 0;
  /** The last height of the blocks that the disk refused together: there may be room for some of them. */
  private refusedUpTo = -1;
  private wake: () => void = () => {};
  /** Whether the origins are to be asked how far they are: not again because one of them has answered. */
  private isDue = true;

  constructor(parts: FollowerParts, options: FollowerConsensusOptions) {
    const { clock, verifier, store, originTimeout, transport = httpTransport } = options;
    this.parts = parts;
    this.options = options;
    this.writer = options.origins[0] ?? null;
    this.origins = new FollowedOrigins(
      options.origins.map((url) => new Origin(url, originTimeout, transport)),
      clock,
      options.onDrop,
    );
    this.blocks = new BlockReplay({ identity: parts.chain.identity, state: store, verifier });
    this.news = new BlockNews(clock, this.end.signal, transport);
    this.news.onNews = () => this.lookNow();
    this.origins.onAnswer = () => {
      this.wake();
      options.onAnswer?.();
    };
    // Of liars alone blocks are taken all the same: every one of them is verified.
    if (options.liars.size < options.origins.length) {
      for (const followed of this.origins.all) {
        followed.dropped = options.liars.get(followed.origin.url) ?? null;
      }
    }
    const { validatorSet } = parts.chain.identity;
    this.fork = new ForkWatch({ ...options, validatorSet, signal: this.end.signal });
    this.backfill = new Backfill({
      ...options,
      validatorSet,
      origins: this.origins,
      signal: this.end.signal,
      onProgress: options.onHistory,
      onContradiction: ({ origin }, theirs, reason) =>
        void this.fork.found(origin, { ours: null, theirs, reason }),
    });
  }

  start(): void {
    this.loop = Promise.all([this.run(), this.backfill.run()].map((work) => this.orHalt(work)));
  }

  private async orHalt(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.options.onHalt(error);
    }
  }

  async stop(): Promise<void> {
    this.end.abort();
    this.wake();
    await this.loop;
    await Promise.all(this.comparisons);
  }

  /** From when on the evidence of a fork can be read. */
  get halted(): boolean {
    return this.fork.isKept;
  }

  lookNow(): void {
    this.isDue = true;
    this.wake();
  }

  faults(): string[] {
    const { fault } = this.fork;
    return fault === null ? this.origins.faults() : [fault];
  }

  get isCurrent(): boolean {
    if (this.isOver) return false;
    const near = this.parts.chain.height + MOST_BEHIND;
    const isNear = this.origins.awake.some(({ head }) => head !== null && head.height <= near);
    return isNear && this.origins.aheadOf(near).every(({ setbacks }) => setbacks > 0);
  }

  get writers(): readonly string[] {
    return this.origins.awake.map(({ origin }) => origin.url);
  }

  get following(): Following {
    const { furthest, standing } = this.origins;
    const behind = furthest && Math.max(0, furthest.head.height - this.parts.chain.height);
    return { behind, origins: standing };
  }

  private get isOver(): boolean {
    return this.end.signal.aborted || this.fork.isFound;
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      if (this.isDue) {
        this.isDue = false;
        await this.origins.refresh(this.end.signal);
      }
      for (const followed of this.origins.awake) this.compareHead(followed);
      const { furthest } = this.origins;
      if (furthest) this.news.listenTo(furthest.origin.url);
      const [source] = this.origins.aheadOf(this.parts.chain.height);
      if (source) {
        await this.asking(source, () => this.catchUp(source, source.head.height));
        this.isDue = true;
      } else {
        await this.pause(ASK_EVERY_MILLISECONDS);
      }
    }
  }

  /** An origin that is behind, or has gone back, must have been where we are. */
  private compareHead(followed: FollowedOrigin): void {
    const { head } = followed;
    const { chain } = this.parts;
    if (!head || head.height > chain.height) return;
    // What is not here yet cannot be compared; its hash links will tell.
    if (head.height < this.options.store.history().from) return;
    const ours = storedBlock(this.options.store, head.height);
    if (ours?.certificate.blockHash === head.blockHash) return;
    this.compareHistory(
      followed,
      head.height,
      `it says that block ${head.height} is ${head.blockHash}, and serves another one`,
    );
  }

  /**
   * Lays the history of an origin beside ours. Nobody waits for it: an origin may take as long as it may for each of its blocks.
   * @param fault what it has done where there are no two certified histories
   */
  private compareHistory(followed: FollowedOrigin, height: number, fault: string): void {
    if (followed.isCompared) return;
    followed.isCompared = true;
    const work = this.asking(followed, async () => {
      if (!(await this.fork.compare(followed.origin, height))) throw new OriginFaultError(fault);
    });
    const comparison = this.orHalt(work).finally(() => {
      followed.isCompared = false;
      this.comparisons.delete(comparison);
      this.wake();
    });
    this.comparisons.add(comparison);
  }

  /** Whatever goes wrong with an origin is charged to it; the rest is ours. */
  private async asking(followed: FollowedOrigin, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.end.signal.aborted) return;
      const isTheirs = error instanceof OriginFaultError || error instanceof OriginUnavailableError;
      if (!isTheirs) throw error;
      this.origins.fail(followed, error);
    }
  }

  private async catchUp(followed: FollowedOrigin, target: number): Promise<void> {
    const { origin } = followed;
    const { chain } = this.parts;
    const left = new AbortController();
    const signal = AbortSignal.any([this.end.signal, left.signal]);
    const downloads = new DownloadsAhead(origin, 'none', signal);
    try {
      const ahead = this.blocks.prepareAhead(chain.height + 1, target, (height) =>
        this.unlessLate(followed, downloads.take(height, target)),
      );
      await this.commitAll(followed, ahead, target);
      followed.setbacks = Math.max(0, followed.setbacks - 1);
    } catch (error) {
      followed.setbacks++;
      throw error;
    } finally {
      // What is still under way is not wanted any more.
      left.abort();
    }
  }

  /** @throws OriginUnavailableError where it takes long, and another origin says that it is further than this copy too */
  private async unlessLate<Result>(
    followed: FollowedOrigin,
    work: Promise<Result>,
  ): Promise<Result> {
    const { clock } = this.options;
    let waited = 0;
    let cancel = (): void => {};
    const late = new Promise<never>((_, reject) => {
      const look = (): void => {
        waited += PATIENCE_MILLISECONDS;
        const ahead = this.origins.aheadOf(this.parts.chain.height);
        const other = ahead.find(({ origin }) => origin !== followed.origin);
        if (other && waited >= PATIENCE_MILLISECONDS * 2 ** other.setbacks) {
          reject(new OriginUnavailableError('it is slower than another one may be'));
          return;
        }
        // Nobody else was there: perhaps somebody is by now.
        if (!other) void this.origins.refresh(this.end.signal);
        cancel = clock.after(PATIENCE_MILLISECONDS, look);
      };
      cancel = clock.after(PATIENCE_MILLISECONDS, look);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      cancel();
    }
  }

  /** Blocks are executed while their predecessors go to the disk. */
  private async commitAll(
    followed: FollowedOrigin,
    ahead: AsyncGenerator<PreparedBlock>,
    target: number,
  ): Promise<void> {
    const { executor } = this.parts;
    const behind = new WriteBehind(this.options.clock, (blocks) => this.write(blocks, target));
    try {
      for await (const prepared of ahead) {
        if (this.isOver) return;
        const replayed = await this.replay(prepared);
        if (this.isOver || behind.hasRefused) {
          if ('hash' in replayed) executor.discard(replayed.hash);
          return;
        }
        if (replayed instanceof Error) {
          // Where a predecessor was not written, whatever came out says nothing.
          if (!(await behind.end()) || this.isOver) return;
          if (!(replayed instanceof InvalidChainError)) throw replayed;
          await this.judge(followed, prepared.block, replayed);
          return;
        }
        this.requireTrusted(prepared.height, replayed.hash);
        if (!(await behind.add(replayed, this.isAlone(prepared.height, target)))) return;
      }
    } finally {
      const unwritten = this.isOver ? behind.drop() : undefined;
      if (unwritten) executor.discard(unwritten.hash);
      if (!(await behind.end())) await this.pause(DISK_REST_MILLISECONDS);
    }
  }

  /** What comes of a block, or what is wrong with it: its predecessor has to be looked at first. */
  private async replay(prepared: PreparedBlock): Promise<ReplayedBlock | Error> {
    try {
      return await this.blocks.execute(prepared, this.parts.executor);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** @throws OriginFaultError where the operator trusts another one; the candidate is gone then */
  private requireTrusted(height: number, hash: string): void {
    const { trustedBlock } = this.options;
    if (trustedBlock?.height !== height || trustedBlock.blockHash === hash) return;
    this.parts.executor.discard(hash);
    throw new OriginFaultError(`block ${height} is not the one that is trusted`);
  }

  /** Whether a block is written without those after it: there is none, or the disk has refused it together with others. */
  private isAlone(height: number, target: number): boolean {
    return height === target || height <= this.refusedUpTo;
  }

  /** @returns whether they are on disk; what stands on them has fallen with them otherwise */
  private async write(blocks: readonly ReplayedBlock[], target: number): Promise<boolean> {
    const { chain, executor } = this.parts;
    const writes = blocks.map(({ write }) => write);
    try {
      await chain.commitAll(writes, () => {
        for (const { hash } of blocks) executor.commit(hash);
      });
    } catch (error) {
      const [first] = blocks;
      if (first) executor.discard(first.hash);
      if (!first || !(error instanceof BlockNotWrittenError)) throw error;
      const { height } = first.write.header;
      this.refusedUpTo = height + blocks.length - 1;
      this.options.onBlockFailure(error.cause, height);
      return false;
    }
    for (const { height, transitionCount } of writes.map(({ header }) => header)) {
      this.transitions += transitionCount;
      this.options.onProgress({ height, target, transitions: this.transitions });
    }
    return true;
  }

  /**
   * A block is not what follows from ours: does its origin lie, or do the validators?
   * @throws OriginFaultError where it is the origin, OriginUnavailableError where that has to be found out
   */
  private async judge(
    followed: FollowedOrigin,
    block: SourceBlock,
    error: InvalidChainError,
  ): Promise<void> {
    const { height, message } = error;
    const { chain } = this.parts;
    const { validatorSet } = chain.identity;
    if (error instanceof UntrueEventsError) {
      throw new OriginFaultError(`block ${height}: ${message}`);
    }
    if (block.header.previousBlockHash !== chain.head.blockHash) {
      this.compareHistory(followed, chain.height, `block ${height}: ${message}`);
      throw new OriginUnavailableError('its history is another one, and has to be compared');
    }
    if (isCertified(block, validatorSet) && hasItsTransitions(block)) {
      await this.fork.found(followed.origin, {
        ours: null,
        theirs: block,
        reason: `a certified block is wrong: ${message}`,
      });
      return;
    }
    throw new OriginFaultError(`block ${height}: ${message}`);
  }

  /** Until there may be news, and no longer than that. */
  private async pause(milliseconds: number): Promise<void> {
    if (this.end.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const cancel = this.options.clock.after(milliseconds, () => {
        this.isDue = true;
        resolve();
      });
      this.wake = () => {
        cancel();
        resolve();
      };
    });
    this.wake = () => {};
  }
}
