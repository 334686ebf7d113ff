/**
 * Limits transfers: each address has a share of the slots, and each transfer a minimum rate. If all slots are
 * taken, a stalled transfer loses its slot. Otherwise, the address with the most slots loses its newest.
 */
import { AddressShares } from '@netd/client-limits';
import { BlobError, type BlobErrorCode } from './errors.ts';

export interface TransferLimits {
  /** Slots in all and per address. */
  most: number;
  ofAddress: number;
  /** Bytes per second. */
  rate: number;
  /** Milliseconds that a transfer may lag behind the rate. */
  grace: number;
  pressedGrace: number;
}

export interface Progress {
  bytes: () => number;
  /** True while the transfer waits for the client, not for the disk. */
  isWaiting: () => boolean;
}

export interface TransferSlot {
  /** Aborts with a BlobError if the client is too slow. */
  signal: AbortSignal;
  end: () => void;
}

interface Transfer {
  share: string;
  progress: Progress;
  /** Remaining milliseconds of lag. Bytes add to it, up to the grace. */
  patience: number;
  bytes: number;
  lookedAt: number;
  abort: AbortController;
}

const LOOK_MILLISECONDS = 1_000;

export class Transfers {
  private readonly name: string;
  private readonly limits: TransferLimits;
  private readonly slow: BlobErrorCode;
  private readonly underWayNow = new Set<Transfer>();
  private readonly shares = new AddressShares();
  private timer: ReturnType<typeof setInterval> | null = null;

  constructor(name: string, slow: BlobErrorCode, limits: TransferLimits) {
    this.name = name;
    this.slow = slow;
    this.limits = limits;
  }

  get underWay(): number {
    return this.underWayNow.size;
  }

  /**
   * @param share from `addressShare`
   * @throws BlobError BUSY
   */
  begin(share: string, progress: Progress): TransferSlot {
    const { most, ofAddress, grace } = this.limits;
    if (this.shares.isFull(share, ofAddress) && !this.makeRoom(share)) {
      const message = `${share} has ${this.shares.of(share)} ${this.name} under way, and an address may have no more`;
      throw new BlobError('BUSY', 1, message);
    }
    if (this.underWay >= most && !this.makeRoom(null) && !this.takeFromLargest(share)) {
      throw new BlobError(
        'BUSY',
        1,
        `${most} ${this.name} are under way, and there may be no more`,
      );
    }
    const now = performance.now();
    const abort = new AbortController();
    const transfer: Transfer = {
      share,
      progress,
      patience: grace,
      bytes: 0,
      lookedAt: now,
      abort,
    };
    this.underWayNow.add(transfer);
    this.shares.add(share);
    this.timer ??= setInterval(() => this.look(), LOOK_MILLISECONDS).unref();
    return { signal: abort.signal, end: () => this.end(transfer) };
  }

  private end(transfer: Transfer): void {
    if (!this.underWayNow.delete(transfer)) return;
    this.shares.remove(transfer.share);
    if (this.underWay > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private look(): void {
    for (const transfer of this.underWayNow) {
      this.update(transfer);
      if (transfer.patience < 0) this.cut(transfer);
    }
  }

  private update(transfer: Transfer): void {
    const { rate, grace } = this.limits;
    const now = performance.now();
    const bytes = transfer.progress.bytes();
    const waited = transfer.progress.isWaiting() ? now - transfer.lookedAt : 0;
    const moved = ((bytes - transfer.bytes) / rate) * 1_000;
    transfer.patience = Math.min(grace, transfer.patience - waited + moved);
    transfer.bytes = bytes;
    transfer.lookedAt = now;
  }

  /**
   * Ends the transfer that lags most.
   * @returns false if none lags
   */
  private makeRoom(share: string | null): boolean {
    const { grace, pressedGrace } = this.limits;
    let slowest: Transfer | null = null;
    for (const transfer of this.underWayNow) {
      if (share !== null && transfer.share !== share) continue;
      this.update(transfer);
      if (transfer.patience < (slowest?.patience ?? grace - pressedGrace)) slowest = transfer;
    }
    if (slowest === null) return false;
    this.cut(slowest);
    return true;
  }

  /**
   * Ends a transfer of the address with the most. A few addresses must not keep others out.
   * @returns false if none has more
   */
  private takeFromLargest(share: string): boolean {
    let newest: Transfer | null = null;
    let most = this.shares.of(share) + 1;
    for (const transfer of this.underWayNow) {
      const held = this.shares.of(transfer.share);
      if (held < most || (held === most && transfer.share !== newest?.share)) continue;
      newest = transfer;
      most = held;
    }
    if (newest === null) return false;
    const message = `${newest.share} has ${most} ${this.name} under way, and its newest made way for one of an address with fewer`;
    this.end(newest);
    newest.abort.abort(new BlobError('BUSY', 1, message));
    return true;
  }

  private cut(transfer: Transfer): void {
    this.end(transfer);
    const message = `Less than ${this.limits.rate} bytes a second have been moved`;
    transfer.abort.abort(new BlobError(this.slow, null, message));
  }
}
