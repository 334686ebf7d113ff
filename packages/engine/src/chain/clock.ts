import { uptime } from 'node:os';

export interface Clock {
  /** Returns milliseconds since 1970. The operator may set this clock at any moment. */
  now(): number;
  /** Returns monotonic milliseconds. May stop while the machine sleeps. */
  elapsed(): number;
  /** Returns `elapsed` in steps of 10 ms, and includes sleep. */
  elapsedWithSleep(): number;
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  // On Linux the process timer stops while the machine sleeps; elsewhere it continues.
  elapsedWithSleep: () =>
    process.platform === 'linux' ? Math.round(uptime() * 1_000) : performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
