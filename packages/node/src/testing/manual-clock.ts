/** A clock whose hands a test moves, or sets as an operator might. Timers fire in the order in which they fall due, and only while it moves. */
import type { Clock } from '../chain/clock.ts';

interface Timer {
  at: number;
  callback: () => void;
}

export class ManualClock implements Clock {
  private time: number;
  private passed = 0;
  private readonly timers = new Set<Timer>();

  constructor(start: string | number = '2026-01-01T00:00:01.000Z') {
    this.time = new Date(start).getTime();
  }

  now(): number {
    return this.time;
  }

  elapsed(): number {
    return this.passed;
  }

  elapsedWithSleep(): number {
    return this.passed;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.passed + Math.max(0, milliseconds), callback };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Moves on; a timer that is set meanwhile may fire too. */
  advance(milliseconds: number): void {
    const end = this.passed + milliseconds;
    for (;;) {
      const due = [...this.timers].filter(({ at }) => at <= end);
      // The sort is stable: of two timers for one instant the older goes first.
      const [next] = due.sort((a, b) => a.at - b.at);
      if (!next) break;
      this.timers.delete(next);
      this.pass(next.at);
      next.callback();
    }
    this.pass(end);
  }

  /** Puts the hands somewhere else: no timer notices, and no time passes. */
  set(time: number): void {
    this.time = time;
  }

  private pass(until: number): void {
    const span = Math.max(0, until - this.passed);
    this.passed += span;
    this.time += span;
  }
}
