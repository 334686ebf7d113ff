/**
 * What waits for a block, in order of arrival, bounded in total and by address. An envelope has its reservation from the
 * moment its whole body is there to its answer: one without a reservation is refused before it is parsed, and verifications
 * may end in any order without one overtaking another.
 */
import type { RuleError, Submission } from '@netd/ledger';
import type { Receipt } from '@netd/protocol';

export interface MempoolLimits {
  /** Reservations, all together: an envelope takes one for each `RESERVATION_BYTES` that it begins. */
  total: number;
  /** Reservations of one address. */
  perAddress: number;
}

/** So that the largest envelopes do not take more memory than there is: 20,000 reservations are 328 MB. */
const RESERVATION_BYTES = 16_384;

export const DEFAULT_MEMPOOL_LIMITS: MempoolLimits = { total: 20_000, perAddress: 5_000 };

/** The clock of the node dates no blocks, the validators decide none, or the node makes no more of them. */
export type UnavailableCause = 'clock' | 'no-quorum' | 'stopping';

/** How a submitted envelope ended. */
export type SubmissionResult =
  | { status: 'committed'; receipt: Receipt }
  | { status: 'refused'; refusal: RuleError; receipt: Receipt | null }
  /** Not committed, or with `no-quorum` not yet: the disk refused the block, unless it was for another cause. */
  | { status: 'unavailable'; cause?: UnavailableCause }
  /** Not committed: a rule failed in a way it should not. */
  | { status: 'failed'; error: unknown };

/** An envelope that is ready for a block, and how its sender hears of it. */
export interface PendingEnvelope {
  submission: Submission;
  settle: (result: SubmissionResult) => void;
}

/** The reservation of one envelope, from its arrival on. */
export interface Reservation {
  /** Makes the envelope ready for a block, as soon as all that came before it are ready or gone. */
  submit(submission: Submission): Promise<SubmissionResult>;
  /** Gives the reservation back: the sender has been answered. */
  release(): void;
}

interface QueuedReservation extends Reservation {
  /** How many had taken a reservation when it was taken, this one included. */
  number: number;
  pending: PendingEnvelope | null;
}

export class Mempool {
  /** Called whenever something has become ready. */
  onReady: () => void = () => {};
  private readonly limits: MempoolLimits;
  private reserved = 0;
  private reservedSize = 0;
  private readonly reservedByAddress = new Map<string, number>();
  /** Reservations in order of arrival, from the first whose envelope is not ready yet. */
  private readonly queue = new Set<QueuedReservation>();
  private ready: PendingEnvelope[] = [];
  private reservationCount = 0;
  /** Those who wait until all reservations up to a number are ready or gone, the lowest first. */
  private readonly awaiting: { number: number; resolve: () => void }[] = [];
  private closed = false;

  constructor(limits: MempoolLimits) {
    this.limits = limits;
  }

  /** Envelopes that have a reservation: they arrived and have not been answered. */
  get reservedCount(): number {
    return this.reserved;
  }

  /** Of these, the envelopes that are ready for a block or in one that is being made. */
  get admittedCount(): number {
    return this.reserved - this.queue.size;
  }

  /** Envelopes that are ready for a block and have not been taken for one. */
  get readyCount(): number {
    return this.ready.length;
  }

  /** Room for one envelope of so many bytes, or null where too much of it is taken, or of what one address may take. */
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

  /** Resolves once every reservation made by now is ready for a block or gone; null where all of them are. */
  arriving(): Promise<void> | null {
    if (!this.isAwaited) return null;
    return new Promise((resolve) => this.awaiting.push({ number: this.reservationCount, resolve }));
  }

  /** Whether there is a reservation that is not ready yet. */
  get isAwaited(): boolean {
    return this.queue.size > 0;
  }

  /** Takes a submission as if it had just arrived and been verified, whatever the limits. */
  submit(submission: Submission): Promise<SubmissionResult> {
    return new Promise((settle) => this.add(submission, settle));
  }

  /** The same, by a callback in place of a promise. */
  add(submission: Submission, settle: PendingEnvelope['settle']): void {
    this.makeReady([{ submission, settle }]);
  }

  /** Takes out what goes into the next block: the oldest, as many as there is room for. */
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

  /** Lets nothing in from now on; what is ready stays to be taken. */
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
