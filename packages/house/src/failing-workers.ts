/** Workers whose deliveries fail one after the other: after some, the next job waits, longer each time. */

/** Failures in a row that cost nothing. */
const FREE = 3;
const FIRST_PAUSE = 60_000;
const LONGEST_PAUSE = 3_600_000;
const MAX_KNOWN = 10_000;

export class FailingWorkers {
  private readonly failures = new Map<string, number>();

  failed(workerId: string): void {
    const count = (this.failures.get(workerId) ?? 0) + 1;
    this.failures.delete(workerId);
    this.failures.set(workerId, count);
    const [oldest] = this.failures.keys();
    if (this.failures.size > MAX_KNOWN && oldest !== undefined) this.failures.delete(oldest);
  }

  succeeded(workerId: string): void {
    this.failures.delete(workerId);
  }

  /** @returns milliseconds until there is another job of the kind that this worker has just taken */
  pauseAfter(workerId: string): number {
    const beyond = (this.failures.get(workerId) ?? 0) - FREE;
    return beyond < 0 ? 0 : Math.min(FIRST_PAUSE * 2 ** Math.min(beyond, 16), LONGEST_PAUSE);
  }
}
