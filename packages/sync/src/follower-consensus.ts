/**
 * The engine of a follower: takes blocks from nodes that it does not believe, replays each through the executor, and
 * commits what came out as it was told and certified. It certifies nothing itself. Where the validators of the chain
 * contradict themselves it keeps the evidence and halts, rather than choose.
 */
import {
  BlockReplay,
  type Consensus,
  type ConsensusParts,
  type EngineStatus,
  type Following,
  type InvalidChainError,
  type SourceBlock,
  UntrueEventsError,
} from '@netd/engine';
import { Backfill } from './backfill.ts';
import { BlockSubscription } from './block-subscription.ts';
import { CatchUp } from './catch-up.ts';
import { PeerPool, type Peer } from './peer-pool.ts';
import { hasItsTransitions, isCertified, storedBlock } from './fork.ts';
import { ForkWatch } from './fork-watch.ts';
import { Origin, OriginFaultError, OriginUnavailableError } from './origin.ts';
import type { FollowerConsensusOptions } from './follower-options.ts';
import { httpTransport } from './transport.ts';

/** Empty blocks have no events that could tell of them. */
const ASK_EVERY_MILLISECONDS = 2_000;
/** Heights that a follower may be behind and still say that it is there. */
const MOST_BEHIND = 4;

type FollowerParts = Pick<ConsensusParts, 'chain' | 'executor'>;

export class FollowerConsensus implements Consensus {
  private readonly parts: FollowerParts;
  private readonly options: FollowerConsensusOptions;
  private readonly origins: PeerPool;
  private readonly catchUp: CatchUp;
  private readonly news: BlockSubscription;
  private readonly backfill: Backfill;
  private readonly end = new AbortController();
  private loop: Promise<unknown> = Promise.resolve();
  private readonly comparisons = new Set<Promise<void>>();
  private readonly fork: ForkWatch;
  private wake: () => void = () => {};
  /** Whether the origins are to be asked how far they are: not again because one of them has answered. */
  private isDue = true;

  constructor(parts: FollowerParts, options: FollowerConsensusOptions) {
    const { clock, verifier, store, originTimeout, transport = httpTransport } = options;
    this.parts = parts;
    this.options = options;
    this.origins = new PeerPool(
      options.origins.map((url) => new Origin(url, originTimeout, transport)),
      clock,
      options.onBan,
    );
    this.catchUp = new CatchUp(
      {
        ...parts,
        blocks: new BlockReplay({ state: store, verifier }),
        origins: this.origins,
        signal: this.end.signal,
        isOver: () => this.isOver,
        judge: (followed, block, error) => this.judge(followed, block, error),
        pause: (milliseconds) => this.pause(milliseconds),
      },
      options,
    );
    this.news = new BlockSubscription(clock, this.end.signal, transport);
    this.news.onNews = () => this.poll();
    this.origins.onAnswer = () => {
      this.wake();
      options.onAnswer?.();
    };
    // Of liars alone blocks are taken all the same: every one of them is verified.
    if (options.liars.size < options.origins.length) {
      for (const followed of this.origins.all) {
        followed.banned = options.liars.get(followed.origin.url) ?? null;
      }
    }
    const { validatorSetAt } = parts.chain;
    this.fork = new ForkWatch({ ...options, validatorSetAt, signal: this.end.signal });
    this.backfill = new Backfill({
      ...options,
      validatorSetAt,
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

  poll(): void {
    this.isDue = true;
    this.wake();
  }

  get status(): EngineStatus & { following: Following } {
    const { fault } = this.fork;
    return {
      issues: fault === null ? this.origins.issues() : [{ kind: 'fork', text: fault }],
      // From then on the evidence of a fork can be read.
      halted: this.fork.isKept,
      clockFault: null,
      writer: this.options.origins[0] ?? null,
      writers: this.origins.reachable,
      following: this.following,
    };
  }

  private get isCurrent(): boolean {
    if (this.isOver) return false;
    const near = this.parts.chain.height + MOST_BEHIND;
    const isNear = this.origins.active.some(({ head }) => head !== null && head.height <= near);
    return isNear && this.origins.aheadOf(near).every(({ failureScore }) => failureScore > 0);
  }

  private get following(): Following {
    const { active, furthest, standing, lastHeard } = this.origins;
    const behind = furthest && Math.max(0, furthest.head.height - this.parts.chain.height);
    const hasHeardAll = active.every(({ head, isCompared }) => head !== null && !isCompared);
    return { behind, lastHeard, isCurrent: this.isCurrent, hasHeardAll, origins: standing };
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
      for (const followed of this.origins.active) this.compareHead(followed);
      const { furthest } = this.origins;
      if (furthest) this.news.listenTo(furthest.origin.url);
      const [source] = this.origins.aheadOf(this.parts.chain.height);
      if (source) {
        await this.asking(source, () => this.catchUp.from(source, source.head.height));
        this.isDue = true;
      } else {
        await this.pause(ASK_EVERY_MILLISECONDS);
      }
    }
  }

  /** An origin that is behind, or has gone back, must have been where we are. */
  private compareHead(followed: Peer): void {
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
   * Compares the history of an origin with ours, without waiting for it: each of its blocks may take as long as an answer may.
   * @param fault what it is charged with where there are no two certified histories
   */
  private compareHistory(followed: Peer, height: number, fault: string): void {
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
  private async asking(followed: Peer, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.end.signal.aborted) return;
      const isTheirs = error instanceof OriginFaultError || error instanceof OriginUnavailableError;
      if (!isTheirs) throw error;
      this.origins.fail(followed, error);
    }
  }

  /**
   * A block is not what follows from ours: does its origin lie, or do the validators?
   * @throws OriginFaultError where it is the origin, OriginUnavailableError where that has to be found out
   */
  private async judge(followed: Peer, block: SourceBlock, error: InvalidChainError): Promise<void> {
    const { height, message } = error;
    const { chain } = this.parts;
    const { validatorSetAt } = chain;
    if (error instanceof UntrueEventsError) {
      throw new OriginFaultError(`block ${height}: ${message}`);
    }
    if (block.header.previousBlockHash !== chain.head.blockHash) {
      this.compareHistory(followed, chain.height, `block ${height}: ${message}`);
      throw new OriginUnavailableError('its history is another one, and has to be compared');
    }
    if (isCertified(block, validatorSetAt) && hasItsTransitions(block)) {
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
