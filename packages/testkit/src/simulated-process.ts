/**
 * A process that tests can kill, between a chain and the outside. Once a failpoint throws SimulatedCrash, nothing
 * is signed, written, called back or answered. The chain does not notice and waits forever.
 */
import {
  type BlockCommitter,
  type Clock,
  committerWithFailpoints,
  type ReachFailpoint,
} from '@netd/engine';
import type { SubmissionResult } from '@netd/engine/testing';

/** Thrown at a failpoint to kill the process. */
export class SimulatedCrash extends Error {
  override name = 'SimulatedCrash';
}

/** Creates a promise per waiter. A shared one would retain every dead process with its 16 MB state tree. */
const never = (): Promise<never> => new Promise(() => {});

export class SimulatedProcess {
  dead = false;
  private readonly at: ReachFailpoint;
  /** Disk writes that the operating system completes even after a crash. */
  private diskWork: Promise<unknown> = Promise.resolve();

  /** @param at called at every failpoint reached alive */
  constructor(at: ReachFailpoint) {
    this.at = at;
  }

  /** Wraps a committer so that a dead process gets no results. */
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

  /** Passes results on, but never settles once the process is dead. */
  async answer<Result>(result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } finally {
      if (this.dead) await never();
    }
  }

  /** Submits an envelope; unavailable once the process is dead. */
  submit(send: () => Promise<SubmissionResult>): Promise<SubmissionResult> {
    if (this.dead) return Promise.resolve({ status: 'unavailable' });
    return this.answer(send());
  }

  /** Waits until the last writes have settled. */
  async buried(): Promise<void> {
    await this.diskWork;
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Reaches a failpoint. */
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
