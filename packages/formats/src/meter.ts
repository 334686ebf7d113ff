/** Long work in slices: other work of the thread goes on between them. */

/** Steps of a slice: a few milliseconds. Counted, not timed, since some runtimes stop the clock while code runs. */
const SLICE = 131_072;

/** Counts the steps of one job. */
export class Meter {
  /** Steps since the last pause. */
  steps = 0;

  /** True if the job should pause now. */
  isDue(): boolean {
    return this.steps >= SLICE;
  }
}

/**
 * Runs a job that yields when its meter is due.
 * @throws the reason of the signal, once it has aborted and the slice is over
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
