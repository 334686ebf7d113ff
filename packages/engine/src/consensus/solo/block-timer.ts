/** Decides when the next block is due: as soon as something waits, but at least blockTime after the last batch. */
import type { Clock } from '../../chain/clock.ts';

export interface BlockTimes {
  /** Milliseconds between two blocks while something waits. */
  blockTime: number;
  /** Milliseconds after which an idle chain makes an empty block. */
  idleBlockTime: number;
}

export class BlockTimer {
  private readonly clock: Clock;
  private readonly times: BlockTimes;
  private readonly isBusy: () => boolean;
  /** When the last batch was taken, even if it made no block. */
  private lastBatchAt: number;
  /** When the last block was made. Refusals alone make no block, and must not keep an idle chain from making one. */
  private lastBlockAt: number;
  /** Ends the current wait, so that what is due is checked again. */
  protected interrupt: () => void = () => {};
  /** True if pending envelopes are already known. More of them do not change when the block is due. */
  private isKnown = false;
  private stopped = false;
  /** Longest time between two checks, in milliseconds. */
  protected readonly longestWait: number = Infinity;

  /** @param isBusy returns true if something waits for a block */
  constructor(clock: Clock, times: BlockTimes, isBusy: () => boolean) {
    this.clock = clock;
    this.times = times;
    this.isBusy = isBusy;
    this.lastBatchAt = clock.elapsed() - times.blockTime;
    this.lastBlockAt = this.lastBatchAt;
  }

  /** Resolves when a block is due, or at once after `stop`. */
  async untilDue(): Promise<void> {
    while (!this.stopped) {
      const busy = this.isBusy();
      const now = this.clock.elapsed();
      const due = this.dueAt(busy);
      if (due <= now) return;
      this.isKnown = busy;
      await new Promise<void>((resolve) => {
        const cancel = this.clock.after(Math.min(due - now, this.longestWait), resolve);
        this.interrupt = () => {
          cancel();
          resolve();
        };
      });
      this.interrupt = () => {};
    }
  }

  /** Returns when the next block is due, in elapsed time of the clock. */
  protected dueAt(isBusy: boolean): number {
    const { blockTime, idleBlockTime } = this.times;
    return isBusy ? this.lastBatchAt + blockTime : this.lastBlockAt + idleBlockTime;
  }

  /**
   * Returns true if it did other work instead of the next block.
   * @param _idle resolves when no block is being written
   */
  async pauseForErrands(_idle: () => Promise<void>): Promise<boolean> {
    return false;
  }

  /** Waits for work, but no longer than blockTime. */
  async atMostBlockTime(work: Promise<void>): Promise<void> {
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.clock.after(this.times.blockTime, resolve);
    });
    await Promise.race([work, late]);
    cancel();
  }

  /** Call when something begins to wait for a block. */
  wake(): void {
    if (!this.isKnown) this.interrupt();
  }

  stop(): void {
    this.stopped = true;
    this.interrupt();
  }

  /** Call when a batch is about to be taken. */
  beginBatch(): void {
    this.lastBatchAt = this.clock.elapsed();
    if (!this.isBusy()) this.lastBlockAt = this.lastBatchAt;
  }

  /** True if a block is due even if it is empty. */
  get idleBlockIsDue(): boolean {
    return this.lastBatchAt - this.lastBlockAt >= this.times.idleBlockTime;
  }

  /**
   * The batch became a block.
   * @param _time of the block, milliseconds since 1970
   */
  blockMade(_height: number, _time: number): void {
    this.lastBlockAt = this.lastBatchAt;
  }

  blockWritten(_height: number): void {}

  /** The batch became no block, or one that could not be written. */
  blockFailed(_error: unknown): void {}
}
