/** Runs one poll at a time. Requests that arrive during a poll share the next one. */
import { pause } from '@netd/sdk/internal';

export interface CoalescedPollOptions {
  poll: () => Promise<void>;
  failed: (error: unknown) => void;
  signal: AbortSignal;
}

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
