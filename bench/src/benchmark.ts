/** Benchmarks and their results. */

/** One line of the report. */
export interface BenchmarkResult {
  name: string;
  /** The measured value in `unit`. */
  value: number;
  unit: 'ratio' | 'ms' | 'MB' | 'writes' | 'connections' | 'per second';
  /** Null if the number is only reported. */
  goal: { atLeast: number } | { atMost: number } | null;
  details: Record<string, number>;
}

export interface Benchmark {
  /** Seconds before it is killed; several times its duration on a quiet machine. */
  timeLimit: number;
  /** True if it takes long and runs only when named. */
  onlyByName?: boolean;
  /** @param directory its own empty scratch directory */
  run: (directory: string) => Promise<BenchmarkResult[]>;
}

export function isReached({ value, goal }: BenchmarkResult): boolean {
  if (goal === null) return true;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}
