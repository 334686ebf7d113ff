/** Waits that end early at an event, a local change or the agent's stop. */
import { NetSdkError } from '@netd/protocol';

export class Poller {
  private readonly shared: { wakes: number; waiting: Set<() => void> };
  private readonly stops = new Set<() => void>();
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal, shared = { wakes: 0, waiting: new Set<() => void>() }) {
    this.signal = signal;
    this.shared = shared;
    signal.addEventListener('abort', () => {
      for (const stop of this.stops) stop();
    });
  }

  /** Returns a poller with the same wakes, for one call. Its waits end with the signal. */
  until(signal: AbortSignal): Poller {
    return new Poller(signal, this.shared);
  }

  /**
   * Calls `stop` once the agent stops. Replaces listeners of the signal, because Node warns of a leak above
   * ten.
   */
  onStop(stop: () => void): () => void {
    this.stops.add(stop);
    return () => this.stops.delete(stop);
  }

  /** Runs a call of the agent's owner. */
  async live<Result>(call: () => Promise<Result>): Promise<Result> {
    this.signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof NetSdkError)) this.signal.throwIfAborted();
      throw error;
    }
  }

  /** Count of wakes. Read it before a poll and pass it to `wait`, so that no wake is missed. */
  get wakes(): number {
    return this.shared.wakes;
  }

  wake(): void {
    this.shared.wakes++;
    for (const resume of this.shared.waiting) resume();
  }

  /**
   * Waits for a wake or the time. Returns at once if the agent has stopped.
   * @param since `wakes` before the poll
   */
  async wait(milliseconds: number, since: number): Promise<void> {
    if (this.signal.aborted || this.wakes !== since) return;
    await new Promise<void>((resolve) => {
      const resume = (): void => {
        clearTimeout(timer);
        this.shared.waiting.delete(resume);
        forget();
        resolve();
      };
      const timer = setTimeout(resume, Math.min(milliseconds, 2_147_483_647));
      const forget = this.onStop(resume);
      this.shared.waiting.add(resume);
    });
  }

  /** Null while the agent runs without a bound. */
  private turn: { left: number; nextAt: number } | null = null;

  /** Lets each loop return once it would wait, and at most `jobs` handlers begin. */
  beginTick(jobs: number): void {
    this.turn = { left: jobs, nextAt: Infinity };
  }

  get ticks(): boolean {
    return this.turn !== null;
  }

  /** The first time at which a loop of the tick wants to continue. */
  get nextAt(): number {
    return this.turn?.nextAt ?? Infinity;
  }

  /** True if a tick may begin no further handler. */
  get isSpent(): boolean {
    return this.turn !== null && this.turn.left <= 0;
  }

  /** Counts a job or message whose handler begins. Returns false if it must wait for the next tick. */
  take(): boolean {
    if (this.isSpent) return false;
    if (this.turn) this.turn.left--;
    return true;
  }

  /**
   * Waits as `wait` does, and returns true. In a tick without a wake, notes the time for the next tick instead,
   * and returns false: the loop must return.
   */
  async rest(milliseconds: number, since: number): Promise<boolean> {
    if (this.turn && this.wakes === since) {
      this.turn.nextAt = Math.min(this.turn.nextAt, Date.now() + milliseconds);
      return false;
    }
    await this.wait(milliseconds, since);
    return true;
  }

  async pause(milliseconds: number): Promise<void> {
    this.signal.throwIfAborted();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => done(), milliseconds);
      const done = (): void => {
        clearTimeout(timer);
        forget();
        resolve();
      };
      const forget = this.onStop(done);
    });
    this.signal.throwIfAborted();
  }
}

/** Waits for work that cannot be cancelled, or for the agent's stop. */
export async function unlessStopped<Result>(
  poller: Poller,
  work: Promise<Result>,
): Promise<Result> {
  poller.signal.throwIfAborted();
  let forget = (): unknown => undefined;
  const stopped = new Promise<never>((_, reject) => {
    forget = poller.onStop(() => reject(poller.signal.reason as Error));
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    forget();
  }
}

const FIRST_PAUSE = 500;
export const LONGEST_PAUSE = 30_000;

/** Returns 0.5, 1, 2, … up to 30 seconds, in milliseconds. */
export function backoff(attempt: number): number {
  return Math.min(FIRST_PAUSE * 2 ** Math.min(attempt, 16), LONGEST_PAUSE);
}
