/** In seconds. A write takes at least a block time, and most clients give up after ten seconds. */
export const DURATION_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

export class DurationHistogram {
  counts: readonly number[] = DURATION_BOUNDS.map(() => 0);
  count = 0;
  /** In seconds. */
  sum = 0;

  observe(seconds: number): void {
    this.count++;
    this.sum += seconds;
    this.counts = DURATION_BOUNDS.map(
      (bound, index) => (this.counts[index] ?? 0) + (seconds <= bound ? 1 : 0),
    );
  }
}
