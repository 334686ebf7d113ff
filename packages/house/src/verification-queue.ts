/**
 * Schedules the judging in two lanes. The quick lane uses only the house's stores. The slow lane also asks
 * strangers, one order per requester at a time, so that their slow origins delay no other requester.
 */
import type { SearchScope } from './verdict.ts';

export interface Drawn {
  orderId: string;
  requesterId: string;
  /** True if the funding is below the policy's minimum. Such orders are judged last. */
  isCheap: boolean;
  deadline: number;
}

interface Waiting extends Drawn {
  since: number;
  tries: number;
  notBefore: number;
}

export interface QueueOptions {
  /**
   * Judges an order and votes.
   * @returns false if there is no verdict yet
   */
  judge: (orderId: string, search: SearchScope) => Promise<boolean>;
  /** Called once if judging keeps failing. Attempts continue. */
  failed: (orderId: string, error: unknown) => void;
  signal: AbortSignal;
}

const QUICK = 2;
const SLOW = 16;
/** Attempts before a missing blob counts as lost. Until then its worker may still be storing it. */
const PATIENT_TRIES = 4;
const TOLD_TRIES = 7;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 10_000;

export class VerificationQueue {
  private readonly options: QueueOptions;
  private readonly waiting = new Map<string, Waiting>();
  private readonly running = new Map<string, Waiting>();
  /** Attempts per requester since the queue was last empty. */
  private readonly served = new Map<string, number>();
  /** Orders added while they are being judged, because they may need further votes. */
  private readonly again = new Map<string, Drawn>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: QueueOptions) {
    this.options = options;
    options.signal.addEventListener('abort', () => clearTimeout(this.timer), { once: true });
  }

  add(drawn: Drawn): void {
    const { orderId } = drawn;
    if (this.waiting.has(orderId)) return;
    if (this.running.has(orderId)) {
      this.again.set(orderId, drawn);
      return;
    }
    const now = Date.now();
    this.waiting.set(orderId, { ...drawn, since: now, tries: 0, notBefore: now });
    this.next();
  }

  private next(): void {
    clearTimeout(this.timer);
    if (this.options.signal.aborted) return;
    const now = Date.now();
    for (;;) {
      const chosen = this.choose(now);
      if (!chosen) break;
      this.waiting.delete(chosen.orderId);
      this.running.set(chosen.orderId, chosen);
      this.served.set(chosen.requesterId, this.turnsOf(chosen) + 1);
      void this.run(chosen);
    }
    if (this.waiting.size === 0 && this.running.size === 0) this.served.clear();
    const later = [...this.waiting.values()].map(({ notBefore }) => notBefore - now);
    const soonest = Math.min(...later.filter((wait) => wait > 0));
    if (Number.isFinite(soonest)) this.timer = setTimeout(() => this.next(), soonest);
  }

  private choose(now: number): Waiting | null {
    const running = [...this.running.values()];
    const slow = running.filter(isSlow);
    const busy = new Set(slow.map(({ requesterId }) => requesterId));
    let best: Waiting | null = null;
    for (const one of this.waiting.values()) {
      const hasRoom = isSlow(one)
        ? slow.length < SLOW && !busy.has(one.requesterId)
        : running.length - slow.length < QUICK;
      if (hasRoom && one.notBefore <= now && (best === null || this.isBefore(one, best)))
        best = one;
    }
    return best;
  }

  /** Sorts cheap orders last, then by fewest attempts for the requester, then by age. */
  private isBefore(a: Waiting, b: Waiting): boolean {
    if (a.isCheap !== b.isCheap) return b.isCheap;
    const turns = this.turnsOf(a) - this.turnsOf(b);
    return turns === 0 ? a.since < b.since : turns < 0;
  }

  private turnsOf({ requesterId }: Waiting): number {
    return this.served.get(requesterId) ?? 0;
  }

  private async run(one: Waiting): Promise<void> {
    const { judge, failed } = this.options;
    const { orderId, since, deadline, tries } = one;
    const now = Date.now();
    const isAbsenceFinal = tries >= PATIENT_TRIES || now - since > (deadline - since) / 2;
    let isDone = false;
    try {
      isDone = await judge(orderId, { everywhere: tries > 0, isAbsenceFinal });
    } catch (error) {
      if (tries === TOLD_TRIES) failed(orderId, error);
    }
    this.running.delete(orderId);
    const again = this.again.get(orderId);
    this.again.delete(orderId);
    if (isDone && again) this.add(again);
    if (!isDone) {
      const pause = tries === 0 ? 0 : Math.min(FIRST_PAUSE * 2 ** (tries - 1), LONGEST_PAUSE);
      this.waiting.set(orderId, { ...one, tries: tries + 1, notBefore: Date.now() + pause });
    }
    this.next();
  }
}

const isSlow = ({ tries }: Waiting): boolean => tries > 0;
