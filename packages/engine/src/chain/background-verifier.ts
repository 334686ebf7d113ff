import type { Snapshot, StoredBlock } from '../store/snapshot.ts';
import type { Store } from '../store/store.ts';
import { validateBlock } from './block-check.ts';
import type { ChainHead } from './chain.ts';
import type { Clock } from './clock.ts';

interface ChainFault {
  height: number;
  reason: string;
}

export interface VerificationStatus {
  /** −1 before the first block of the pass. */
  verifiedHeight: number;
  fault: ChainFault | null;
  fullPasses: number;
  /** The last complete pass: the height it covers by now, and when it ended. */
  lastFullPass: { height: number; endedAt: string } | null;
}

const SLICE_MILLISECONDS = 8;
const PAUSE_MILLISECONDS = 250;
/** Bounds the work to a thirtieth of a core. Waiting for the event loop counts as work. */
const PAUSES_PER_SLICE = 30;
/** A longer wait means that the machine slept, not that it is busy. */
const MAX_WAIT_MILLISECONDS = 100;
const FULL_PASS_EVERY_MILLISECONDS = 3_600_000;

export class BackgroundVerifier {
  private readonly chain: ChainHead;
  private readonly store: Store;
  private readonly clock: Clock;
  private cancel: () => void = () => {};
  private nextHeight: number;
  private previous: StoredBlock | null = null;
  private passStartedAt = 0;
  private passDone = false;
  private readonly status: VerificationStatus = {
    verifiedHeight: -1,
    fault: null,
    fullPasses: 0,
    lastFullPass: null,
  };

  constructor(chain: ChainHead, store: Store, clock: Clock) {
    this.chain = chain;
    this.store = store;
    this.clock = clock;
    this.nextHeight = chain.identity.firstHeight;
    chain.onReturn(() => this.beginAgain());
  }

  start(): void {
    this.passStartedAt = this.clock.elapsed();
    this.schedule();
  }

  stop(): void {
    this.cancel();
  }

  current(): VerificationStatus {
    return { ...this.status };
  }

  private schedule(pause = PAUSE_MILLISECONDS): void {
    const due = this.clock.elapsed() + pause;
    this.cancel = this.clock.after(pause, () => {
      const startedAt = this.clock.elapsed();
      const waited = Math.min(Math.max(0, startedAt - due), MAX_WAIT_MILLISECONDS);
      this.slice();
      const spent = this.clock.elapsed() - startedAt;
      this.schedule(Math.max(PAUSE_MILLISECONDS, PAUSES_PER_SLICE * (spent + waited)));
    });
  }

  private slice(): void {
    const until = this.clock.elapsed() + SLICE_MILLISECONDS;
    const snapshot = this.store.snapshot();
    try {
      // A follower verifies its older blocks on arrival, so a pass begins once the history is complete.
      if (snapshot.history.from > 0) return;
      let previous = this.previous;
      while (this.nextHeight <= snapshot.height && this.clock.elapsed() < until) {
        const { block, reason } = this.examine(snapshot, this.nextHeight, previous);
        if (reason !== null) this.status.fault ??= { height: this.nextHeight, reason };
        if (this.status.fault === null) this.status.verifiedHeight = this.nextHeight;
        previous = block;
        this.nextHeight++;
      }
      this.previous = previous;
      if (this.nextHeight > snapshot.height) this.endPass(snapshot.height);
    } finally {
      snapshot.close();
    }
  }

  private examine(
    snapshot: Snapshot,
    height: number,
    previous: StoredBlock | null,
  ): { block: StoredBlock | null; reason: string | null } {
    let block: StoredBlock | null = null;
    try {
      block = snapshot.blockAt(height);
      if (!block) return { block, reason: 'the block is missing' };
      if (block.header.height !== height) return { block, reason: 'the height does not follow' };
      return {
        block,
        reason: validateBlock(snapshot, block, previous, this.chain.validatorSetAt),
      };
    } catch (error) {
      return { block, reason: `the block cannot be read: ${String(error)}` };
    }
  }

  private beginAgain(): void {
    this.nextHeight = this.chain.identity.firstHeight;
    this.previous = null;
    this.passDone = false;
    this.passStartedAt = this.clock.elapsed();
    Object.assign(this.status, { verifiedHeight: -1, lastFullPass: null });
  }

  private endPass(height: number): void {
    if (height === this.chain.identity.firstHeight) return;
    if (!this.passDone) this.status.fullPasses++;
    if (!this.passDone || this.status.lastFullPass?.height !== height) {
      this.passDone = true;
      this.status.lastFullPass = { height, endedAt: new Date(this.clock.now()).toISOString() };
    } else if (this.clock.elapsed() - this.passStartedAt >= FULL_PASS_EVERY_MILLISECONDS) {
      this.passStartedAt = this.clock.elapsed();
      this.passDone = false;
      this.nextHeight = this.chain.identity.firstHeight;
      this.previous = null;
    }
  }
}
