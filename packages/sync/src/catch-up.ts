/**
 * Takes the blocks that a follower has not got from one origin: downloads and checks run ahead, each is executed in its turn, and
 * what came out goes to the disk behind that. Whether a wrong block is a lie is for the engine to judge.
 */
import {
  BlockNotWrittenError,
  type BlockReplay,
  type ConsensusParts,
  InvalidChainError,
  type PreparedBlock,
  type ReplayedBlock,
  type SourceBlock,
} from '@netd/engine';
import { BlockPrefetcher } from './block-prefetcher.ts';
import type { Peer, PeerPool } from './peer-pool.ts';
import type { FollowerConsensusOptions } from './follower-options.ts';
import { OriginFaultError, OriginUnavailableError } from './origin.ts';
import { BatchedCommit } from './batched-commit.ts';

/**
 * For a block, where another origin says that it has it too. Doubled with each failure of that other one, so that slow ones
 * alone get there as well, and none is waited for where a reliable one is there.
 */
const PATIENCE_MILLISECONDS = 2_000;
/** After a block that could not be written. */
const DISK_BACKOFF_MILLISECONDS = 2_000;

export interface CatchUpParts extends Pick<ConsensusParts, 'chain' | 'executor'> {
  blocks: BlockReplay;
  origins: PeerPool;
  /** Aborted when the engine stops. */
  signal: AbortSignal;
  /** Whether the engine stops, or has found a fork: nothing more is committed. */
  isOver: () => boolean;
  /** Told of a block that is not what follows from ours; throws where its origin is at fault. */
  judge: (followed: Peer, block: SourceBlock, error: InvalidChainError) => Promise<void>;
  pause: (milliseconds: number) => Promise<void>;
}

type CatchUpOptions = Pick<
  FollowerConsensusOptions,
  'clock' | 'trustedBlock' | 'onProgress' | 'onBlockFailure'
>;

export class CatchUp {
  private readonly parts: CatchUpParts;
  private readonly options: CatchUpOptions;
  private transitions = 0;
  /** The last height of the blocks that the disk refused together: there may be room for some of them. */
  private refusedUpTo = -1;

  constructor(parts: CatchUpParts, options: CatchUpOptions) {
    this.parts = parts;
    this.options = options;
  }

  /**
   * Takes the blocks up to `target` from an origin. Returns before where there is nothing more to take from it for now.
   * @throws OriginFaultError, OriginUnavailableError; and what may be thrown only where the follower cannot go on
   */
  async from(followed: Peer, target: number): Promise<void> {
    const { origin } = followed;
    const { chain, blocks } = this.parts;
    const left = new AbortController();
    const signal = AbortSignal.any([this.parts.signal, left.signal]);
    const downloads = new BlockPrefetcher(origin, 'none', signal);
    try {
      const ahead = blocks.prepareAhead(chain.height + 1, target, (height) =>
        this.unlessLate(followed, downloads.take(height, target)),
      );
      await this.commitAll(followed, ahead, target);
      followed.failureScore = Math.max(0, followed.failureScore - 1);
    } catch (error) {
      followed.failureScore++;
      throw error;
    } finally {
      // What is still under way is not wanted any more.
      left.abort();
    }
  }

  /** @throws OriginUnavailableError where it takes long, and another origin says that it is further than this follower too */
  private async unlessLate<Result>(followed: Peer, work: Promise<Result>): Promise<Result> {
    const { chain, origins, signal } = this.parts;
    const { clock } = this.options;
    let waited = 0;
    let cancel = (): void => {};
    const late = new Promise<never>((_, reject) => {
      const look = (): void => {
        waited += PATIENCE_MILLISECONDS;
        const ahead = origins.aheadOf(chain.height);
        const other = ahead.find(({ origin }) => origin !== followed.origin);
        if (other && waited >= PATIENCE_MILLISECONDS * 2 ** other.failureScore) {
          reject(new OriginUnavailableError('it is slower than another one may be'));
          return;
        }
        // There was no other: perhaps one is there by now.
        if (!other) void origins.refresh(signal);
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
    followed: Peer,
    ahead: AsyncGenerator<PreparedBlock>,
    target: number,
  ): Promise<void> {
    const { executor, isOver, judge, pause } = this.parts;
    const behind = new BatchedCommit(this.options.clock, (blocks) => this.write(blocks, target));
    try {
      for await (const prepared of ahead) {
        if (isOver()) return;
        const replayed = await this.replay(prepared);
        if (isOver() || behind.hasRefused) {
          if ('hash' in replayed) executor.discard(replayed.hash);
          return;
        }
        if (replayed instanceof Error) {
          // Where a predecessor was not written, whatever came out says nothing.
          if (!(await behind.end()) || isOver()) return;
          if (!(replayed instanceof InvalidChainError)) throw replayed;
          await judge(followed, prepared.block, replayed);
          return;
        }
        this.requireTrusted(prepared.height, replayed.hash);
        if (!(await behind.add(replayed, this.isAlone(prepared.height, target)))) return;
      }
    } finally {
      const unwritten = isOver() ? behind.drop() : undefined;
      if (unwritten) executor.discard(unwritten.hash);
      if (!(await behind.end())) await pause(DISK_BACKOFF_MILLISECONDS);
    }
  }

  /** What comes of a block, or what is wrong with it: its predecessor has to be looked at first. */
  private async replay(prepared: PreparedBlock): Promise<ReplayedBlock | Error> {
    try {
      return await this.parts.blocks.execute(prepared, this.parts.executor);
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
}
