/**
 * Envelopes that wait for a block, in order of arrival. Each holds a reservation from arrival to answer, and
 * is refused unparsed without one.
 */
import type { RuleError, Submission } from '@netd/ledger';
import type { Receipt } from '@netd/protocol';

export interface MempoolLimits {
  /** An envelope takes one per `RESERVATION_BYTES`, rounded up. */
  total: number;
  perAddress: number;
}

/** Bounds the memory: 20,000 reservations are 328 MB. */
const RESERVATION_BYTES = 16_384;

export const DEFAULT_MEMPOOL_LIMITS: MempoolLimits = { total: 20_000, perAddress: 5_000 };

export type UnavailableCause = 'clock' | 'no-quorum' | 'stopping';

export type SubmissionResult =
  | { status: 'committed'; receipt: Receipt }
  | { status: 'refused'; refusal: RuleError; receipt: Receipt | null }
  | { status: 'unavailable'; cause?: UnavailableCause }
  | { status: 'failed'; error: unknown };

export interface PendingEnvelope {
  submission: Submission;
  settle: (result: SubmissionResult) => void;
}

export interface Reservation {
  /** Waits until all earlier envelopes are ready or gone. */
  submit(submission: Submission): Promise<SubmissionResult>;
  release(): void;
}

interface QueuedReservation extends Reservation {
  number: number;
  pending: PendingEnvelope | null;
}

export class Mempool {
  onReady: () => void = () => {};
  private readonly limits: MempoolLimits;
  private reserved = 0;
  private reservedSize = 0;
  private readonly reservedByAddress = new Map<string, number>();
  private readonly queue = new Set<QueuedReservation>();
  private ready: PendingEnvelope[] = [];
  private reservationCount = 0;
  private readonly awaiting: { number: number; resolve: () => void }[] = [];
  private closed = false;

  constructor(limits: MempoolLimits) {
    this.limits = limits;
  }

  get reservedCount(): number {
    return this.reserved;
  }

  get admittedCount(): number {
    return this.reserved - this.queue.size;
  }

  get readyCount(): number {
    return this.ready.length;
  }

  /** Returns null if the total or the address's share would be exceeded. */
  reserve(address: string, bytes: number): Reservation | null {
    const size = Math.max(1, Math.ceil(bytes / RESERVATION_BYTES));
    const mine = this.reservedByAddress.get(address) ?? 0;
    const { total, perAddress } = this.limits;
    if (this.reservedSize + size > total || mine + size > perAddress) return null;
    this.reserved++;
    this.reservedSize += size;
    this.reservedByAddress.set(address, mine + size);
    const reservation: QueuedReservation = {
      number: ++this.reservationCount,
      pending: null,
      submit: (submission) =>
        new Promise((settle) => {
          reservation.pending = { submission, settle };
          this.advance();
        }),
      release: () => {
        this.reserved--;
        this.reservedSize -= size;
        const left = (this.reservedByAddress.get(address) ?? size) - size;
        if (left > 0) this.reservedByAddress.set(address, left);
        else this.reservedByAddress.delete(address);
        if (this.queue.delete(reservation)) this.advance();
      },
    };
    this.queue.add(reservation);
    return reservation;
  }

  /** Resolves once every current reservation is ready or gone; null if all are. */
  arriving(): Promise<void> | null {
    if (!this.isAwaited) return null;
    return new Promise((resolve) => this.awaiting.push({ number: this.reservationCount, resolve }));
  }

  get isAwaited(): boolean {
    return this.queue.size > 0;
  }

  /** Submits without limits. */
  submit(submission: Submission): Promise<SubmissionResult> {
    return new Promise((settle) => this.add(submission, settle));
  }

  add(submission: Submission, settle: PendingEnvelope['settle']): void {
    this.makeReady([{ submission, settle }]);
  }

  take({ count, bytes }: { count: number; bytes: number }): PendingEnvelope[] {
    let taken = 0;
    let room = bytes;
    for (const { submission } of this.ready) {
      room -= Buffer.byteLength(submission.encoded.text);
      if (taken === count || room < 0) break;
      taken++;
    }
    return this.ready.splice(0, taken);
  }

  close(): void {
    this.closed = true;
  }

  private advance(): void {
    const advancing: PendingEnvelope[] = [];
    for (const reservation of this.queue) {
      if (!reservation.pending) break;
      this.queue.delete(reservation);
      advancing.push(reservation.pending);
    }
    if (advancing.length > 0) this.makeReady(advancing);
    const [first] = this.queue;
    const firstNumber = first?.number ?? Infinity;
    while (this.awaiting[0] && this.awaiting[0].number < firstNumber) {
      this.awaiting.shift()?.resolve();
    }
  }

  private makeReady(envelopes: PendingEnvelope[]): void {
    if (this.closed) {
      for (const { settle } of envelopes) settle({ status: 'unavailable', cause: 'stopping' });
      return;
    }
    for (const pending of envelopes) this.ready.push(pending);
    this.onReady();
  }
}
