/**
 * The clock of a laboratory: that of the machine, moved ahead as often as a test asks for it. What passes by itself still
 * passes, and the time that was jumped over counts as passed, so that a move is no fault of the clock.
 */
import { systemClock, type Clock } from './clock.ts';

export class LabClock implements Clock {
  private readonly clock: Clock;
  private ahead = 0;

  /** @param notBefore milliseconds since 1970 of the last block: a chain that was moved ahead goes on from there */
  constructor(notBefore: number, clock: Clock = systemClock) {
    this.clock = clock;
    this.ahead = Math.max(0, notBefore - clock.now());
  }

  /** Milliseconds by which it is ahead of the machine's. */
  get offset(): number {
    return this.ahead;
  }

  now(): number {
    return this.clock.now() + this.ahead;
  }

  elapsed(): number {
    return this.clock.elapsed();
  }

  elapsedWithSleep(): number {
    return this.clock.elapsedWithSleep() + this.ahead;
  }

  after(milliseconds: number, callback: () => void): () => void {
    return this.clock.after(milliseconds, callback);
  }

  /** Goes back to an offset that it had, together with the blocks that were made since. */
  returnTo(offset: number): void {
    this.ahead = offset;
  }

  /** @param milliseconds 0 or more: time never runs back */
  advance(milliseconds: number): void {
    if (milliseconds < 0) throw new RangeError('time never runs back');
    this.ahead += milliseconds;
  }

  /**
   * Moves ahead to the time of a block. Each block is later than the one before it, so many blocks in a row outrun the clock.
   * @param time milliseconds since 1970
   */
  catchUp(time: number): void {
    this.ahead += Math.max(0, time - this.now());
  }
}
