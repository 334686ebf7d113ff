/** A clock whose hands a test moves. Timers fire in the order in which they fall due, and only while it moves. */
import type { Clock } from '../chain/clock.ts';

interface Timer {
  at: number;
  callback: () => void;
}

export class ManualClock implements Clock {
  private time: number;
  private readonly timers = new Set<Timer>();

  constructor(start: string | number = '2026-01-01T00:00:01.000Z') {
    this.time = new Date(start).getTime();
  }

  now(): number {
    return this.time;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.time + Math.max(0, milliseconds), callback };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Moves on; a timer that is set meanwhile may fire too. */
  advance(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const due = [...this.timers].filter(({ at }) => at <= end);
      // The sort is stable: of two timers for one instant the older goes first.
      const [next] = due.sort((a, b) => a.at - b.at);
      if (!next) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.callback();
    }
    this.time = end;
  }

  /** Puts the hands somewhere else, as an operator might: no timer notices. */
  set(time: number): void {
    const shift = time - this.time;
    this.time = time;
    for (const timer of this.timers) timer.at += shift;
  }
}
