import { JudgeError } from './judge-error.ts';

/**
 * Steps per slice, a few milliseconds. Steps are counted, because some runtimes stop the clock while code
 * runs.
 */
const SLICE = 131_072;

export class Meter {
  /** Steps so far, equal in every language. Vectors check them. */
  steps = 0;
  private pauseAt = SLICE;
  private readonly most: number;

  constructor(most = Infinity) {
    this.most = most;
  }

  isDue(): boolean {
    if (this.steps > this.most) {
      throw new JudgeError('cost', '', `judging takes more than ${this.most} steps`);
    }
    return this.steps >= this.pauseAt;
  }

  startSlice(): void {
    this.pauseAt = this.steps + SLICE;
  }
}
