/** A clock that tests advance or set. Timers fire in order of their due time, only while it advances. */
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

  /** Advances the clock; timers set meanwhile may fire too. */
  advance(milliseconds: number): void {
    const end = this.passed + milliseconds;
    while (this.fireNext(end));
    this.pass(end);
  }

  /**
   * Advances to the next due timer and fires it.
   * @param until latest elapsed time; later timers are left alone
   * @returns true if a timer fired
   */
  fireNext(until: number): boolean {
    let next: Timer | null = null;
    // Timers due together fire in order of creation.
    for (const timer of this.timers) {
      if (timer.at <= until && (next === null || timer.at < next.at)) next = timer;
    }
    if (!next) return false;
    this.timers.delete(next);
    this.pass(next.at);
    next.callback();
    return true;
  }

  /** Sets the time of day; no timer fires and no time elapses. */
  set(time: number): void {
    this.time = time;
  }

  private pass(until: number): void {
    const span = Math.max(0, until - this.passed);
    this.passed += span;
    this.time += span;
  }
}
