/** Few things at once, addresses in turn: who asks for much waits for itself. */
import { AddressShares } from '@netd/client-limits';

export interface QueueLimits {
  /** At once, of all and of one address. */
  most: number;
  ofAddress: number;
  /** That wait, of all and of one address. */
  waiting: number;
  waitingOfAddress: number;
  /** Milliseconds that one waits. */
  patience: number;
}

export class FairQueue {
  private readonly limits: QueueLimits;
  private running = 0;
  private waiting = 0;
  private readonly shares = new AddressShares();
  /** Those that wait, by address; whose turn is next is first. */
  private readonly queues = new Map<string, (() => void)[]>();

  constructor(limits: QueueLimits) {
    this.limits = limits;
  }

  /**
   * Does the work when there is a turn for the address.
   * @param busy what is thrown where too many wait, or it has waited for too long
   */
  async run<Result>(
    share: string,
    work: () => Promise<Result>,
    busy: () => Error,
  ): Promise<Result> {
    if (this.hasTurn(share)) this.take(share);
    else await this.turn(share, busy);
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.shares.remove(share);
      this.callNext();
    }
  }

  private hasTurn(share: string): boolean {
    return this.running < this.limits.most && this.shares.of(share) < this.limits.ofAddress;
  }

  private take(share: string): void {
    this.running += 1;
    this.shares.add(share);
  }

  /** Resolves when it is called, and has been taken for it. */
  private turn(share: string, busy: () => Error): Promise<void> {
    const { waiting, waitingOfAddress, patience } = this.limits;
    const queue = this.queues.get(share) ?? [];
    if (this.waiting >= waiting || queue.length >= waitingOfAddress) throw busy();
    const called = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.leave(share, called.resolve);
      called.reject(busy());
    }, patience);
    this.queues.set(share, queue);
    queue.push(called.resolve);
    this.waiting += 1;
    return called.promise.finally(() => clearTimeout(timer));
  }

  private leave(share: string, called: () => void): void {
    const queue = this.queues.get(share) ?? [];
    const index = queue.indexOf(called);
    if (index < 0) return;
    queue.splice(index, 1);
    this.waiting -= 1;
    if (queue.length === 0) this.queues.delete(share);
  }

  private callNext(): void {
    for (const [share, queue] of this.queues) {
      const [next] = queue;
      if (next === undefined || !this.hasTurn(share)) continue;
      this.leave(share, next);
      // The others have their turn before it is this one's again.
      if (queue.length > 0) {
        this.queues.delete(share);
        this.queues.set(share, queue);
      }
      this.take(share);
      next();
      return;
    }
  }
}
