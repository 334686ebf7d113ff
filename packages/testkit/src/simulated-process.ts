/**
 * A process that a test can kill: it stands between a chain and the world. From the moment a failpoint throws
 * SimulatedCrash nothing is signed, written, called back or answered any more, as if the process were gone; the chain
 * itself knows nothing of it and waits for ever.
 */
import {
  type Clock,
  type NodeParts,
  withFailpoints,
  type WritingParts,
  writingWithFailpoints,
} from '@netd/engine';
import type { Failpoint, ReachFailpoint, SubmissionResult } from '@netd/engine/testing';

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

  wrap(parts: NodeParts): NodeParts {
    const { signer } = withFailpoints(parts, this.reached);
    return { ...this.wrapWriting(parts), signer };
  }

  /** The same for a node that certifies nothing. */
  wrapWriting(parts: WritingParts): WritingParts {
    const { committer } = parts;
    const commitBlocks: typeof committer.commitBlocks = (blocks) => {
      const work = committer.commitBlocks(blocks);
      this.diskWork = work.catch(() => {});
      return work;
    };
    const failing = writingWithFailpoints({ ...parts, committer: { commitBlocks } }, this.reached);
    return {
      ...failing,
      committer: { commitBlocks: (blocks) => this.answer(failing.committer.commitBlocks(blocks)) },
    };
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

  /** What the process says to somebody outside: nothing, once it is dead. */
  async answer<Result>(result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } finally {
      if (this.dead) await never();
    }
  }

  /** An envelope that somebody sends to it. */
  submit(send: () => Promise<SubmissionResult>): Promise<SubmissionResult> {
    if (this.dead) return Promise.resolve({ status: 'unavailable' });
    return this.answer(send());
  }

  /** Waits until its last writes are done with, one way or the other. */
  async buried(): Promise<void> {
    await this.diskWork;
    await new Promise((resolve) => setImmediate(resolve));
  }

  private readonly reached = (name: Failpoint, height: number): void => {
    if (this.dead) throw new SimulatedCrash();
    try {
      this.at(name, height);
    } catch (error) {
      if (error instanceof SimulatedCrash) this.dead = true;
      throw error;
    }
  };
}
