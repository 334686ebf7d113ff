/** Runs one benchmark, leading its own process group, and sends the outcome to `main.ts`. */
import type { BenchmarkResult } from './benchmark.ts';
import { endGroupWithStarter } from './process-group.ts';
import { BENCHMARKS } from './registry.ts';

export type Outcome = { results: BenchmarkResult[] } | { error: string };

endGroupWithStarter();
const [name = '', directory = ''] = process.argv.slice(2);
process.send?.(await run());

async function run(): Promise<Outcome> {
  try {
    const benchmark = BENCHMARKS[name];
    if (!benchmark) throw new Error(`there is no benchmark ${name}`);
    return { results: await benchmark.run(directory) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
