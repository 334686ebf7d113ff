/** What a benchmark is, and what it answers. */

/** One line of the report. */
export interface BenchmarkResult {
  name: string;
  /** What was reached: a ratio, or the unit says what. */
  value: number;
  unit: 'ratio' | 'ms' | 'MB' | 'writes' | 'connections' | 'per second';
  /** Null where a number is only reported. */
  goal: { atLeast: number } | { atMost: number } | null;
  /** The raw numbers behind it. */
  details: Record<string, number>;
}

export interface Benchmark {
  /** Seconds after which it is ended by force: several times what it takes on a quiet machine. */
  timeLimit: number;
  /** Runs only if it is named: it takes long. */
  onlyByName?: boolean;
  /** @param directory an empty scratch directory of its own */
  run: (directory: string) => Promise<BenchmarkResult[]>;
}

export function isReached({ value, goal }: BenchmarkResult): boolean {
  if (goal === null) return true;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}
