/**
 * A process that a test can kill: it stands between a chain and the world. From the moment a failpoint throws
 * SimulatedCrash nothing is signed, written, called back or answered any more, as if the process were gone; the chain
 * itself knows nothing of it and waits for ever.
 */
import {
  type BlockCommitter,
  type Clock,
  committerWithFailpoints,
  type ReachFailpoint,
} from '@netd/engine';
import type { SubmissionResult } from '@netd/engine/testing';

/** Thrown at a failpoint: the process is dead from there on. */
export class SimulatedCrash extends Error {
  override name = 'SimulatedCrash';
}

/**
 * A promise of its own for each who waits: one for all would keep every dead process, its state tree of 16 MB included, for as
 * long as the program runs.
 */
const never = (): Promise<never> => new Promise(() => {});

export class SimulatedProcess {
  dead = false;
  private readonly at: ReachFailpoint;
  /** What the operating system finishes even if the process has died meanwhile. */
  private diskWork: Promise<unknown> = Promise.resolve();

  /** @param at called at every failpoint that is reached alive */
  constructor(at: ReachFailpoint) {
    this.at = at;
  }

  /** What writes blocks: nothing is reported of a write once the process is dead. */
  committer(disk: BlockCommitter): BlockCommitter {
    const failing = committerWithFailpoints(
      {
        commitBlocks: (blocks) => {
          const work = disk.commitBlocks(blocks);
          this.diskWork = work.catch(() => {});
          return work;
        },
      },
      this.reach,
    );
    return { commitBlocks: (blocks) => this.answer(failing.commitBlocks(blocks)) };
  }

  clock(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      elapsedWithSleep: () => clock.elapsedWithSleep(),
      after: (milliseconds, callback) =>
        clock.after(milliseconds, () => {
          if (!this.dead) callback();
        }),
    };
  }

  /** What the process says to others: nothing, once it is dead. */
  async answer<Result>(result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } finally {
      if (this.dead) await never();
    }
  }

  /** An envelope that is sent to it. */
  submit(send: () => Promise<SubmissionResult>): Promise<SubmissionResult> {
    if (this.dead) return Promise.resolve({ status: 'unavailable' });
    return this.answer(send());
  }

  /** Waits until its last writes are done with, one way or the other. */
  async buried(): Promise<void> {
    await this.diskWork;
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** For the parts that reach failpoints. */
  readonly reach: ReachFailpoint = (name, height) => {
    if (this.dead) throw new SimulatedCrash();
    try {
      this.at(name, height);
    } catch (error) {
      if (error instanceof SimulatedCrash) this.dead = true;
      throw error;
    }
  };
}
