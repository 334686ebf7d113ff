/** A clock that is slower than the machine's, so that a busy machine does not end what is to last through a test. */
import { systemClock, type Clock } from '@netd/engine';

/** @param times how many milliseconds of the machine are one of the clock; timers are the machine's own */
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
