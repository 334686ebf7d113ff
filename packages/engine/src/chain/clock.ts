import { uptime } from 'node:os';

export interface Clock {
  /** Milliseconds since 1970; may be set at any moment. */
  now(): number;
  /** Milliseconds since an arbitrary moment; cannot be set. May stop while the machine sleeps. */
  elapsed(): number;
  /** As `elapsed`, in steps of 10 ms, including sleep. */
  elapsedWithSleep(): number;
  /** Returns a function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  // On Linux the process timer stops while the machine sleeps; elsewhere it goes on.
  elapsedWithSleep: () =>
    process.platform === 'linux' ? Math.round(uptime() * 1_000) : performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
