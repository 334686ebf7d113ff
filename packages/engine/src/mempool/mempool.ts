/**
 * Envelopes that wait for a block, in order of arrival, bounded in total and by address. An envelope holds a
 * reservation from the arrival of its body to its answer. Without one it is refused before it is parsed.
 * Verifications may end in any order; arrival order is kept.
 */
import type { RuleError, Submission } from '@netd/ledger';
import type { Receipt } from '@netd/protocol';

export interface MempoolLimits {
  /** Total reservations. An envelope takes one per `RESERVATION_BYTES`, rounded up. */
  total: number;
  /** Reservations of one address. */
  perAddress: number;
}

/** Bounds the memory: 20,000 reservations are 328 MB. */
const RESERVATION_BYTES = 16_384;

export const DEFAULT_MEMPOOL_LIMITS: MempoolLimits = { total: 20_000, perAddress: 5_000 };

/** The clock dates no blocks, the validators decide none, or the node is stopping. */
export type UnavailableCause = 'clock' | 'no-quorum' | 'stopping';

export type SubmissionResult =
  | { status: 'committed'; receipt: Receipt }
  | { status: 'refused'; refusal: RuleError; receipt: Receipt | null }
  /** Not committed, or with `no-quorum` not yet. Without a cause, the disk refused the block. */
  | { status: 'unavailable'; cause?: UnavailableCause }
  /** Not committed: a rule failed unexpectedly. */
  | { status: 'failed'; error: unknown };

/** An envelope that is ready for a block, with its sender's callback. */
export interface PendingEnvelope {
  submission: Submission;
  settle: (result: SubmissionResult) => void;
}

export interface Reservation {
  /** Makes the envelope ready for a block once all earlier ones are ready or gone. */
  submit(submission: Submission): Promise<SubmissionResult>;
  /** Releases the reservation, after the sender has been answered. */
  release(): void;
}

interface QueuedReservation extends Reservation {
  /** Sequence number, from 1. */
  number: number;
  pending: PendingEnvelope | null;
}

export class Mempool {
  /** Called when an envelope becomes ready. */
  onReady: () => void = () => {};
  private readonly limits: MempoolLimits;
  private reserved = 0;
  private reservedSize = 0;
  private readonly reservedByAddress = new Map<string, number>();
  /** Reservations in order of arrival, from the first whose envelope is not ready. */
  private readonly queue = new Set<QueuedReservation>();
  private ready: PendingEnvelope[] = [];
  private reservationCount = 0;
  /** Callers of `arriving`, by the last reservation that they wait for, ascending. */
  private readonly awaiting: { number: number; resolve: () => void }[] = [];
  private closed = false;

  constructor(limits: MempoolLimits) {
    this.limits = limits;
  }

  /** Envelopes with a reservation: arrived and not answered. */
  get reservedCount(): number {
    return this.reserved;
  }

  /** Of these, the ones that are ready for a block or in one being made. */
  get admittedCount(): number {
    return this.reserved - this.queue.size;
  }

  /** Envelopes that are ready and not taken for a block yet. */
  get readyCount(): number {
    return this.ready.length;
  }

  /** Reserves room for one envelope. Returns null if the total or the address's share would be exceeded. */
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

  /** True if there is a reservation that is not ready. */
  get isAwaited(): boolean {
    return this.queue.size > 0;
  }

  /** Adds a verified submission, ignoring the limits. */
  submit(submission: Submission): Promise<SubmissionResult> {
    return new Promise((settle) => this.add(submission, settle));
  }

  /** Does the same with a callback. */
  add(submission: Submission, settle: PendingEnvelope['settle']): void {
    this.makeReady([{ submission, settle }]);
  }

  /** Takes the oldest envelopes that fit into the next block. */
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

  /** Refuses later envelopes. Ready ones can still be taken. */
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
