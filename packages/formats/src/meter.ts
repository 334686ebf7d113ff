/** Runs long work in slices. */

/** Steps per slice, a few milliseconds. Counted, because some runtimes stop the clock while code runs. */
const SLICE = 131_072;

export class Meter {
  steps = 0;

  isDue(): boolean {
    return this.steps >= SLICE;
  }
}

/**
 * @param job yields when its meter is due
 * @throws the signal's reason after the slice
 */
export async function inSlices<Result>(
  job: Generator<void, Result>,
  meter: Meter,
  signal?: AbortSignal,
): Promise<Result> {
  for (;;) {
    signal?.throwIfAborted();
    const { done, value } = job.next();
    if (done) return value;
    meter.steps = 0;
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
  }
}
