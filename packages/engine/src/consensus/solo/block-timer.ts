/** When the next block is due: as soon as something waits, but not sooner than blockTime after the last batch. */
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
  /** When the last batch was taken, whatever came of it. */
  private lastBatchAt: number;
  /** When the last block was made: refusals alone make none, and must not keep an idle chain from moving on. */
  private lastBlockAt: number;
  /** Looks again at what is due, whatever is waited for. */
  protected interrupt: () => void = () => {};
  /** Whether what waits is known already: another envelope changes nothing before the block is due. */
  private isKnown = false;
  private stopped = false;
  /** Milliseconds after which it is looked again. */
  protected readonly longestWait: number = Infinity;

  /** @param isBusy whether something waits for a block */
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

  /** When the next block is due, by `elapsed` of the clock. */
  protected dueAt(isBusy: boolean): number {
    const { blockTime, idleBlockTime } = this.times;
    return isBusy ? this.lastBatchAt + blockTime : this.lastBlockAt + idleBlockTime;
  }

  /**
   * Whether something was done before the next block instead.
   * @param _idle resolves when no block is being written
   */
  async pauseForErrands(_idle: () => Promise<void>): Promise<boolean> {
    return false;
  }

  /** Waits for something, for as long as lies between two blocks at most. */
  async atMostBlockTime(work: Promise<void>): Promise<void> {
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.clock.after(this.times.blockTime, resolve);
    });
    await Promise.race([work, late]);
    cancel();
  }

  /** Something has come to wait. */
  wake(): void {
    if (!this.isKnown) this.interrupt();
  }

  stop(): void {
    this.stopped = true;
    this.interrupt();
  }

  /** A batch is about to be taken. */
  beginBatch(): void {
    this.lastBatchAt = this.clock.elapsed();
    if (!this.isBusy()) this.lastBlockAt = this.lastBatchAt;
  }

  /** Whether it is time for a block even if there is nothing to put into it. */
  get idleBlockIsDue(): boolean {
    return this.lastBatchAt - this.lastBlockAt >= this.times.idleBlockTime;
  }

  /**
   * The batch has become a block.
   * @param _time milliseconds since 1970 that the block is dated
   */
  blockMade(_height: number, _time: number): void {
    this.lastBlockAt = this.lastBatchAt;
  }

  /** It is on disk. */
  blockWritten(_height: number): void {}

  /** The batch has become none, or one that could not be written. */
  blockFailed(_error: unknown): void {}
}
