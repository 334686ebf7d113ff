/** Follows a chain through its origins. If the validators contradict themselves, keeps the evidence and halts. */
import { blockHash } from '@netd/protocol';
import type { Consensus, EngineStatus, FollowedChain, Following, Verdict } from '@netd/engine';
import { Backfill } from './backfill.ts';
import { BlockSubscription } from './block-subscription.ts';
import { CatchUp } from './catch-up.ts';
import { PeerPool, type Peer } from './peer-pool.ts';
import { storedBlock } from './fork.ts';
import { ForkWatch } from './fork-watch.ts';
import { Origin, OriginFaultError, OriginUnavailableError } from './origin.ts';
import type { PeerFeedOptions } from './follower-options.ts';
import { httpTransport } from './transport.ts';

/** Empty blocks cause no events, so polling is needed. */
const ASK_EVERY_MILLISECONDS = 2_000;
/** A follower counts as current if it is behind by this many blocks at most. */
const MOST_BEHIND = 4;

export class PeerFeed implements Consensus {
  private readonly followed: FollowedChain;
  private readonly options: PeerFeedOptions;
  private readonly origins: PeerPool;
  private readonly catchUp: CatchUp;
  private readonly news: BlockSubscription;
  private readonly backfill: Backfill;
  private readonly end = new AbortController();
  private loop: Promise<unknown> = Promise.resolve();
  private readonly comparisons = new Set<Promise<void>>();
  private readonly fork: ForkWatch;
  private wake: () => void = () => {};
  private isDue = true;

  constructor(followed: FollowedChain, options: PeerFeedOptions) {
    const { clock, transport = httpTransport } = options;
    this.followed = followed;
    this.options = options;
    this.origins = new PeerPool(
      options.origins.map((url) => this.originAt(url)),
      clock,
      options.onBan,
    );
    this.catchUp = new CatchUp({
      followed,
      clock,
      origins: this.origins,
      signal: this.end.signal,
      isOver: () => this.isOver,
      act: (peer, verdict) => this.act(peer, verdict),
    });
    this.news = new BlockSubscription(clock, this.end.signal, transport);
    this.news.onNews = () => this.poll();
    this.origins.onAnswer = () => {
      this.wake();
      options.onAnswer();
    };
    // If all have lied, ask them anyway: every block is verified.
    if (options.liars.size < options.origins.length) {
      for (const peer of this.origins.all) {
        peer.banned = options.liars.get(peer.origin.url) ?? null;
      }
    }
    const { validatorSetAt } = followed.chain;
    this.fork = new ForkWatch({ ...options, validatorSetAt, signal: this.end.signal });
    this.backfill = new Backfill({
      clock,
      history: followed.history,
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

  setOrigins(origins: readonly string[]): void {
    this.origins.setOrigins(origins.map((url) => this.originAt(url)));
    this.poll();
  }

  private originAt(url: string): Origin {
    const { originTimeout, transport = httpTransport } = this.options;
    return new Origin(url, originTimeout, transport);
  }

  get status(): EngineStatus & { following: Following } {
    const { fault } = this.fork;
    return {
      issues: fault === null ? this.origins.issues() : [{ kind: 'fork', text: fault }],
      halted: this.fork.isKept,
      clockFault: null,
      writer: this.origins.all[0]?.origin.url ?? null,
      writers: this.origins.reachable,
      validators: null,
      following: this.following,
    };
  }

  private get isCurrent(): boolean {
    if (this.isOver) return false;
    const near = this.followed.chain.height + MOST_BEHIND;
    const isNear = this.origins.active.some(({ head }) => head !== null && head.height <= near);
    return isNear && this.origins.aheadOf(near).every(({ failureScore }) => failureScore > 0);
  }

  private get following(): Following {
    const { active, furthest, standing, lastHeard } = this.origins;
    const behind = furthest && Math.max(0, furthest.head.height - this.followed.chain.height);
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
      for (const peer of this.origins.active) this.compareHead(peer);
      const { furthest } = this.origins;
      if (furthest) this.news.listenTo(furthest.origin.url);
      const [source] = this.origins.aheadOf(this.followed.chain.height);
      if (source) {
        await this.asking(source, () => this.catchUp.from(source, source.head.height));
        this.isDue = true;
      } else {
        await this.pause(ASK_EVERY_MILLISECONDS);
      }
    }
  }

  /** An origin at or below our height must have our block there. */
  private compareHead(peer: Peer): void {
    const { head } = peer;
    const { chain } = this.followed;
    if (!head || head.height > chain.height) return;
    if (head.height < this.options.store.history().from) return;
    const ours = storedBlock(this.options.store, head.height);
    if (ours && blockHash(ours.header) === head.blockHash) return;
    this.compareHistory(
      peer,
      head.height,
      `it says that block ${head.height} is ${head.blockHash}, and serves another one`,
    );
  }

  /**
   * Compares histories in the background, because each block may take as long as an answer may.
   * @param fault the charge if there are not two certified histories
   */
  private compareHistory(peer: Peer, height: number, fault: string): void {
    if (peer.isCompared) return;
    peer.isCompared = true;
    const work = this.asking(peer, async () => {
      if (!(await this.fork.compare(peer.origin, height))) throw new OriginFaultError(fault);
    });
    const comparison = this.orHalt(work).finally(() => {
      peer.isCompared = false;
      this.comparisons.delete(comparison);
      this.wake();
    });
    this.comparisons.add(comparison);
  }

  private async asking(peer: Peer, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.end.signal.aborted) return;
      const isTheirs = error instanceof OriginFaultError || error instanceof OriginUnavailableError;
      if (!isTheirs) throw error;
      this.origins.fail(peer, error);
    }
  }

  /**
   * Acts on a block that does not follow from ours.
   * @throws OriginFaultError if its origin lies, OriginUnavailableError if that must be found out first
   */
  private async act(peer: Peer, verdict: Verdict): Promise<void> {
    const { reason } = verdict;
    switch (verdict.is) {
      case 'lie':
        throw new OriginFaultError(reason);
      case 'other-history':
        this.compareHistory(peer, this.followed.chain.height, reason);
        throw new OriginUnavailableError('its history is another one, and has to be compared');
      case 'fork':
        await this.fork.found(peer.origin, { ours: null, theirs: verdict.block, reason });
    }
  }

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
