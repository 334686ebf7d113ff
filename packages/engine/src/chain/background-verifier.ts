/** Verifies the stored chain in the background, a little at a time, and remembers how far it got. */
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
  /** Every block up to here was found good in the current pass; −1 before the first. */
  verifiedHeight: number;
  fault: ChainFault | null;
  fullPasses: number;
  /** How far the last pass that met the head has come, new blocks since then included, and when it got there. */
  lastFullPass: { height: number; endedAt: string } | null;
}

const SLICE_MILLISECONDS = 8;
const PAUSE_MILLISECONDS = 250;
/** A thirtieth of one core at most, and less while others want it: what a slice had to wait for its turn counts like work. */
const PAUSES_PER_SLICE = 30;
/** A machine that slept is no busy one. */
const MAX_WAIT_MILLISECONDS = 100;
const FULL_PASS_EVERY_MILLISECONDS = 3_600_000;

export class BackgroundVerifier {
  private readonly chain: ChainHead;
  private readonly store: Store;
  private readonly clock: Clock;
  private cancel: () => void = () => {};
  private nextHeight: number;
  /** The block below `nextHeight`, as far as it could be read. */
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
      // One large block may take longer than a slice; the pause after it keeps the share of time small all the same.
      const spent = this.clock.elapsed() - startedAt;
      this.schedule(Math.max(PAUSE_MILLISECONDS, PAUSES_PER_SLICE * (spent + waited)));
    });
  }

  private slice(): void {
    const until = this.clock.elapsed() + SLICE_MILLISECONDS;
    const snapshot = this.store.snapshot();
    try {
      // What is fetched behind a checkpoint is verified as it comes; a pass begins when all of it is here.
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

  /** What cannot even be read is at fault too. */
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

  /** Blocks that were read are no more. */
  private beginAgain(): void {
    this.nextHeight = this.chain.identity.firstHeight;
    this.previous = null;
    this.passDone = false;
    this.passStartedAt = this.clock.elapsed();
    Object.assign(this.status, { verifiedHeight: -1, lastFullPass: null });
  }

  private endPass(height: number): void {
    // A chain of nothing but its genesis has shown nothing yet.
    if (height === this.chain.identity.firstHeight) return;
    if (!this.passDone) this.status.fullPasses++;
    if (!this.passDone || this.status.lastFullPass?.height !== height) {
      this.passDone = true;
      this.status.lastFullPass = { height, endedAt: new Date(this.clock.now()).toISOString() };
    } else if (this.clock.elapsed() - this.passStartedAt >= FULL_PASS_EVERY_MILLISECONDS) {
      // New blocks are checked as they come; now and then everything is read again, because disks rot.
      this.passStartedAt = this.clock.elapsed();
      this.passDone = false;
      this.nextHeight = this.chain.identity.firstHeight;
      this.previous = null;
    }
  }
}
