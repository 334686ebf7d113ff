/** Failures in a row that cause no pause. */
const FREE = 3;
const FIRST_PAUSE = 60_000;
const LONGEST_PAUSE = 3_600_000;
const MAX_KNOWN = 10_000;

export interface OrderEvent {
  type: string;
  data: Record<string, unknown>;
}

export class FailingWorkers {
  private readonly failures = new Map<string, number>();
  /**
   * The order of the last event if that was WorkReleased, otherwise null. Its reopening is not the worker's
   * fault.
   */
  private released: unknown = null;

  /** Counts only faults of the worker, so cancelled, unjudged and released orders are ignored. */
  heard({ type, data }: OrderEvent): void {
    const { orderId, workerId, reason } = data;
    const wasReleased = this.released === orderId;
    this.released = type === 'WorkReleased' ? orderId : null;
    if (typeof workerId !== 'string') return;
    if (type === 'WorkOrderPaid') this.succeeded(workerId);
    const isFault =
      (type === 'WorkOrderReopened' && !wasReleased) ||
      (type === 'WorkOrderRejected' && reason === 'VERIFICATION_REJECTED');
    if (isFault) this.failed(workerId);
  }

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

  /** @returns milliseconds to wait before the next job of the kind that this worker has just accepted */
  backoff(workerId: string): number {
    const beyond = (this.failures.get(workerId) ?? 0) - FREE;
    return beyond < 0 ? 0 : Math.min(FIRST_PAUSE * 2 ** Math.min(beyond, 16), LONGEST_PAUSE);
  }
}
