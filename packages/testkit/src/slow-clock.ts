/** A clock slower than the machine's, so that windows outlast tests on a busy machine. */
import { systemClock, type Clock } from '@netd/engine';

/** @param times machine milliseconds per clock millisecond; timers stay the machine's */
export function slowClock(times: number): Clock {
  const start = systemClock.now();
  const from = systemClock.elapsed();
  const elapsed = (): number => (systemClock.elapsed() - from) / times;
  return {
    now: () => start + Math.floor(elapsed()),
    elapsed,
    elapsedWithSleep: elapsed,
    after: (milliseconds, callback) => systemClock.after(milliseconds, callback),
  };
}
