import type { Clock } from '../../chain/clock.ts';

export interface BlockTimes {
  blockTime: number;
  /** Milliseconds after which an idle chain makes an empty block. */
  idleBlockTime: number;
}

export class BlockTimer {
  private readonly clock: Clock;
  private readonly times: BlockTimes;
  private readonly isBusy: () => boolean;
  /** Time of the last batch, even if it made no block. */
  private lastBatchAt: number;
  /** Refused batches don't count, because they must not keep an idle chain from making a block. */
  private lastBlockAt: number;
  protected interrupt: () => void = () => {};
  /** Once true, more envelopes do not change the due time. */
  private isKnown = false;
  private stopped = false;
  protected readonly longestWait: number = Infinity;

  constructor(clock: Clock, times: BlockTimes, isBusy: () => boolean) {
    this.clock = clock;
    this.times = times;
    this.isBusy = isBusy;
    this.lastBatchAt = clock.elapsed() - times.blockTime;
    this.lastBlockAt = this.lastBatchAt;
  }

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

  protected dueAt(isBusy: boolean): number {
    const { blockTime, idleBlockTime } = this.times;
    return isBusy ? this.lastBatchAt + blockTime : this.lastBlockAt + idleBlockTime;
  }

  /**
   * Returns true if the timer did other work instead.
   * @param _idle resolves when no block is being written
   */
  async pauseForErrands(_idle: () => Promise<void>): Promise<boolean> {
    return false;
  }

  async atMostBlockTime(work: Promise<void>): Promise<void> {
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.clock.after(this.times.blockTime, resolve);
    });
    await Promise.race([work, late]);
    cancel();
  }

  wake(): void {
    if (!this.isKnown) this.interrupt();
  }

  stop(): void {
    this.stopped = true;
    this.interrupt();
  }

  beginBatch(): void {
    this.lastBatchAt = this.clock.elapsed();
    if (!this.isBusy()) this.lastBlockAt = this.lastBatchAt;
  }

  get idleBlockIsDue(): boolean {
    return this.lastBatchAt - this.lastBlockAt >= this.times.idleBlockTime;
  }

  /** @param _time milliseconds since 1970 */
  blockMade(_height: number, _time: number): void {
    this.lastBlockAt = this.lastBatchAt;
  }

  blockWritten(_height: number): void {}

  blockFailed(_error: unknown): void {}
}
