/** Fetches a follower's older blocks, newest first, by the hashes in their successors' headers. */
import {
  type BlockHistory,
  type BlockId,
  before,
  type Clock,
  type FollowedHistory,
  InvalidChainError,
  sleep,
  type ValidatorSetAt,
  type WholeBlock,
} from '@netd/engine';
import type { CertifiedHeader } from '@netd/documents';
import type { Peer, PeerPool } from './peer-pool.ts';
import { isCertified } from './fork.ts';
import { asOriginFault, OriginFaultError, OriginUnavailableError, readBlock } from './origin.ts';

/** Blocks per transaction. Full blocks come fewer at a time, to bound the memory. */
const MOST_BLOCKS = 32;
const TRANSITIONS_AT_ONCE = 4_000;
const BACKOFF_MILLISECONDS = 2_000;

/** If there is another origin, each failure doubles the backoff, up to this limit. */
const LONGEST_BACKOFF_MILLISECONDS = 600_000;

interface CertifiedBlock {
  followed: Peer;
  certified: CertifiedHeader;
  /** Null if the rest of the answer does not match the header. */
  history: BlockHistory | null;
}

export interface BackfillOptions {
  clock: Clock;
  history: FollowedHistory;
  validatorSetAt: ValidatorSetAt;
  origins: PeerPool;
  signal: AbortSignal;
  onProgress: (from: number) => void;
  /** Called if a certified header contradicts this chain. */
  onContradiction: (found: Peer, theirs: CertifiedHeader, reason: string) => void;
}

export class Backfill {
  private readonly options: BackfillOptions;
  /** Elapsed time until which origins that lacked a block are not asked. */
  private readonly backoff = new Map<Peer, number>();
  private readonly failureScore = new Map<Peer, number>();
  /** Origins whose certified header may prove a fork. They are asked for nothing until that is clear. */
  private readonly doubted = new Map<Peer, OriginFaultError>();
  private turn = 0;
  private window = MOST_BLOCKS;

  constructor(options: BackfillOptions) {
    this.options = options;
  }

  async run(): Promise<void> {
    const { clock, history, signal } = this.options;
    let expected = history.missing();
    while (expected !== null && !signal.aborted) {
      const blocks = await this.fetch(expected);
      if (signal.aborted) return;
      const last = blocks.at(-1);
      if (!last) {
        await sleep(clock, BACKOFF_MILLISECONDS, signal);
        continue;
      }
      const from = last.header.height;
      await this.keep(blocks, from);
      this.options.onProgress(from);
      const transitions = blocks.reduce((sum, block) => sum + block.transitions.length, 0);
      const most = TRANSITIONS_AT_ONCE / Math.max(1, transitions / blocks.length);
      this.window = Math.max(1, Math.min(MOST_BLOCKS, Math.floor(most)));
      expected = before(last);
    }
  }

  private async keep(blocks: readonly BlockHistory[], from: number): Promise<void> {
    const { clock, history, signal } = this.options;
    const source = this.sources()[0]?.origin.url;
    for (;;) {
      try {
        await history.keep(blocks, from, source);
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        await sleep(clock, BACKOFF_MILLISECONDS, signal);
      }
    }
  }

  private async fetch(expected: BlockId): Promise<BlockHistory[]> {
    const heights = Array.from(
      { length: Math.min(this.window, expected.height + 1) },
      (_, index) => expected.height - index,
    );
    const coming = heights.map((height) => this.ask(height));
    const blocks: BlockHistory[] = [];
    let next: BlockId | null = expected;
    for (const answer of coming) {
      const received = await answer;
      if (!received || !next) break;
      const block = this.verified(received, next);
      if (!block) break;
      blocks.push(block);
      next = before(block);
    }
    await Promise.all(coming);
    for (const [followed, fault] of this.doubted) this.suffer(followed, fault);
    this.doubted.clear();
    return blocks;
  }

  /** Requests a block. Waiting blocks are certified, so their size is bounded. */
  private async ask(height: number): Promise<CertifiedBlock | null> {
    const { signal, validatorSetAt } = this.options;
    const sources = this.sources();
    const followed = sources[this.turn++ % Math.max(1, sources.length)];
    if (!followed) return null;
    try {
      const text = await followed.origin.blockText(height, signal);
      if (followed.banned !== null || this.doubted.has(followed)) return null;
      const block = readBlock(height, text);
      const history = this.historyIn(block);
      if (!(history instanceof OriginFaultError)) {
        this.failureScore.set(followed, Math.max(0, this.failureScoreOf(followed) - 1));
      } else if (isCertified(block, validatorSetAt)) {
        this.doubted.set(followed, history);
      } else {
        throw history;
      }
      // Drop the unverified body, which may have any size.
      const certified = { header: block.header, certificate: block.certificate };
      return { followed, certified, history: history instanceof OriginFaultError ? null : history };
    } catch (error) {
      if (!signal.aborted) this.suffer(followed, error);
      return null;
    }
  }

  private historyIn(block: WholeBlock): BlockHistory | OriginFaultError {
    try {
      return this.options.history.historyOf(block);
    } catch (error) {
      if (error instanceof InvalidChainError) return asOriginFault(error);
      throw error;
    }
  }

  /** A certified header of another history is evidence, even if the rest of the answer is wrong. */
  private verified(
    { followed, certified, history }: CertifiedBlock,
    expected: BlockId,
  ): BlockHistory | null {
    const reason = this.options.history.contradictionIn(certified.header, expected);
    if (reason === null) return history;
    this.doubted.delete(followed);
    this.options.onContradiction(followed, certified, reason);
    return null;
  }

  private suffer(followed: Peer, error: unknown): void {
    if (error instanceof OriginFaultError) {
      if (followed.banned === null) this.options.origins.ban(followed, error.message);
    } else if (error instanceof OriginUnavailableError) {
      this.backOff(followed);
    } else {
      throw error;
    }
  }

  /** The failed blocks of one window count as one failure. */
  private backOff(followed: Peer): void {
    const now = this.options.clock.elapsed();
    if ((this.backoff.get(followed) ?? 0) > now) return;
    const failureScore = this.failureScoreOf(followed);
    this.failureScore.set(followed, failureScore + 1);
    const isAlone = this.sources().every((other) => other === followed);
    const times = isAlone ? 0 : failureScore;
    const backoff = Math.min(LONGEST_BACKOFF_MILLISECONDS, BACKOFF_MILLISECONDS * 2 ** times);
    this.backoff.set(followed, now + backoff);
  }

  private failureScoreOf(followed: Peer): number {
    return this.failureScore.get(followed) ?? 0;
  }

  private sources(): Peer[] {
    const now = this.options.clock.elapsed();
    return this.options.origins.active.filter(
      (followed) => (this.backoff.get(followed) ?? 0) <= now,
    );
  }
}
