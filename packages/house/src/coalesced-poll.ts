/** Runs a poll on request: never two at once, and one more for all requests that came while one ran. */
import { pause } from '@netd/sdk/internal';

export interface CoalescedPollOptions {
  poll: () => Promise<void>;
  failed: (error: unknown) => void;
  signal: AbortSignal;
}

/** Between two polls, so that a burst of events causes one. */
const PAUSE_MILLISECONDS = 100;

export class CoalescedPoll {
  private readonly options: CoalescedPollOptions;
  private underWay: Promise<void> | null = null;
  private isStale = false;

  constructor(options: CoalescedPollOptions) {
    this.options = options;
  }

  /** @returns once a poll that began after this request has ended */
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
