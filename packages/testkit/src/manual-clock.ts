/** A clock whose hands a test moves, or sets as an operator might. Timers fire in the order in which they fall due, and only while it moves. */
import type { Clock } from '@netd/engine';

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
    while (this.fireNext(end));
    this.pass(end);
  }

  /**
   * Moves on to the timer that is due first, and fires it.
   * @param until elapsed time; what is due later is left alone
   * @returns whether there was one
   */
  fireNext(until: number): boolean {
    let next: Timer | null = null;
    // Of two timers for one instant the older goes first.
    for (const timer of this.timers) {
      if (timer.at <= until && (next === null || timer.at < next.at)) next = timer;
    }
    if (!next) return false;
    this.timers.delete(next);
    this.pass(next.at);
    next.callback();
    return true;
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
