/**
 * Few things at once, addresses in turn: who asks for much waits for itself. Where all places are taken, the newest of the address
 * that has most makes way for one of an address with fewer.
 */
import { AddressShares } from './address-share.ts';

export interface QueueLimits {
  /** At once, of all and of one address. */
  most: number;
  ofAddress: number;
  /** That wait, of all and of one address. */
  waiting: number;
  waitingOfAddress: number;
  /** Milliseconds that one waits; as long as it takes without. */
  patience?: number;
}

/** Why there is no turn: the address has all that it may, all places are taken, or it has waited for too long. */
export type NoTurn = 'address' | 'all' | 'patience';

interface Waiting {
  call: () => void;
  refuse: (why: NoTurn) => void;
}

/**
 * Whose turn it is to make room for an address with fewer.
 * @param held what each address has, the newest at the end
 * @param most what the address with fewer would have
 * @returns the address that has most, if that is more, and its newest; null where there is none
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
  /** Those that wait, by address; whose turn is next is first. */
  private readonly queues = new Map<string, Waiting[]>();

  constructor(limits: QueueLimits) {
    this.limits = limits;
  }

  /**
   * Does the work when there is a turn for the address.
   * @param busy makes what is thrown where there is none
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

  /** Resolves when it is called, and has been taken for it. */
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

  /** Refuses the newest of the address that has most, and more than `most`. @returns false where there is none */
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
      // The others have their turn before it is this one's again.
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
