/** Time as the node sees it, so that a simulation can hold the hands. */
import { uptime } from 'node:os';

export interface Clock {
  /** Milliseconds since 1970, as far as the machine knows; it may be set at any moment. */
  now(): number;
  /** Milliseconds since some moment; it cannot be set. It may stand still while the machine sleeps. */
  elapsed(): number;
  /** The same, in steps of 10 ms, with the time the machine slept. */
  elapsedWithSleep(): number;
  /** Calls back once after so many milliseconds; the result takes it back. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  // On Linux the timer of the process stops while the machine sleeps, elsewhere it goes on.
  elapsedWithSleep: () =>
    process.platform === 'linux' ? Math.round(uptime() * 1_000) : performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
