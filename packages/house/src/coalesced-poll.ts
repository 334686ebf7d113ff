/** Runs one poll at a time, and one more for all requests during it. */
import { pause } from '@netd/sdk/internal';

export interface CoalescedPollOptions {
  poll: () => Promise<void>;
  failed: (error: unknown) => void;
  signal: AbortSignal;
}

/** So that a burst of events causes one poll. */
const PAUSE_MILLISECONDS = 100;

export class CoalescedPoll {
  private readonly options: CoalescedPollOptions;
  private underWay: Promise<void> | null = null;
  private isStale = false;

  constructor(options: CoalescedPollOptions) {
    this.options = options;
  }

  /** @returns after a poll that began after this request */
  request(): Promise<void> {
    this.isStale = true;
    this.underWay ??= this.pollWhileStale().finally(() => {
      this.underWay = null;
    });
    return this.underWay;
  }

  private async pollWhileStale(): Promise<void> {
    const { poll, failed, signal } = this.options;
    while (this.isStale && !signal.aborted) {
      this.isStale = false;
      try {
        await poll();
      } catch (error) {
        failed(error);
      }
      await pause(PAUSE_MILLISECONDS, signal);
    }
  }
}
