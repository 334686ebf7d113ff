/**
 * Limits concurrent work, with addresses taking turns. If all places are taken, the newest item of the
 * largest address yields to an address with fewer.
 */
import { AddressShares } from './address-share.ts';

export interface QueueLimits {
  most: number;
  ofAddress: number;
  waiting: number;
  waitingOfAddress: number;
  /** Milliseconds to wait; no limit if absent. */
  patience?: number;
}

export type NoTurn = 'address' | 'all' | 'patience';

interface Waiting {
  call: () => void;
  refuse: (why: NoTurn) => void;
}

/**
 * @param held by address, the newest at the end
 * @returns the newest item of the address that holds most; null if none holds more than `most`
 */
export function newestOfLargest<Held>(
  held: ReadonlyMap<string, readonly Held[]>,
  most: number,
): { share: string; newest: Held } | null {
  let largest: [string, readonly Held[]] | null = null;
  for (const entry of held) {
    if (entry[1].length > (largest?.[1].length ?? most)) largest = entry;
  }
  const newest = largest?.[1].at(-1);
  return largest && newest !== undefined ? { share: largest[0], newest } : null;
}

export class FairQueue {
  private readonly limits: QueueLimits;
  private running = 0;
  private waiting = 0;
  private readonly shares = new AddressShares();
  private readonly queues = new Map<string, Waiting[]>();

  constructor(limits: QueueLimits) {
    this.limits = limits;
  }

  /**
   * Waits for a turn of the address, then does the work.
   * @param busy makes the error if there is no turn
   */
  async run<Result>(
    share: string,
    work: () => Promise<Result>,
    busy: (why: NoTurn) => Error,
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
    return this.running < this.limits.most && !this.shares.isFull(share, this.limits.ofAddress);
  }

  private take(share: string): void {
    this.running += 1;
    this.shares.add(share);
  }

  private turn(share: string, busy: (why: NoTurn) => Error): Promise<void> {
    const { waiting, waitingOfAddress, patience } = this.limits;
    const mine = this.queues.get(share)?.length ?? 0;
    if (mine >= waitingOfAddress) throw busy('address');
    if (this.waiting >= waiting && !this.makeRoom(mine + 1)) throw busy('all');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { call: resolve, refuse: (why) => reject(busy(why)) };
    const queue = this.queues.get(share);
    if (queue) queue.push(one);
    else this.queues.set(share, [one]);
    this.waiting += 1;
    if (patience === undefined) return promise;
    const timer = setTimeout(() => {
      this.leave(share, one);
      one.refuse('patience');
    }, patience);
    return promise.finally(() => clearTimeout(timer));
  }

  /**
   * Refuses the newest item of the largest address with more than `most`.
   * @returns false if there is none
   */
  private makeRoom(most: number): boolean {
    const found = newestOfLargest(this.queues, most);
    if (!found) return false;
    this.leave(found.share, found.newest);
    found.newest.refuse('all');
    return true;
  }

  private leave(share: string, one: Waiting): void {
    const queue = this.queues.get(share) ?? [];
    const index = queue.indexOf(one);
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
      if (queue.length > 0) {
        this.queues.delete(share);
        this.queues.set(share, queue);
      }
      this.take(share);
      next.call();
      return;
    }
  }
}
