/**
 * The machine's clock, which tests can move ahead. Skipped time counts as elapsed, so a move is no clock
 * fault.
 */
import { systemClock, type Clock } from './clock.ts';

export class LabClock implements Clock {
  private readonly clock: Clock;
  private ahead = 0;

  /** @param notBefore time of the last block, milliseconds since 1970; the clock starts no earlier */
  constructor(notBefore: number, clock: Clock = systemClock) {
    this.clock = clock;
    this.ahead = Math.max(0, notBefore - clock.now());
  }

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

  returnTo(offset: number): void {
    this.ahead = offset;
  }

  advance(milliseconds: number): void {
    if (milliseconds < 0) throw new RangeError('time never runs back');
    this.ahead += milliseconds;
  }

  /**
   * Moves the clock to a block's time, because many blocks in a row outrun the clock.
   * @param time milliseconds since 1970
   */
  catchUp(time: number): void {
    this.ahead += Math.max(0, time - this.now());
  }
}
