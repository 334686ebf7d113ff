/** `npm run bench [-- <benchmark>…]`: measures, prints a table, and updates bench/report.json. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isReached, type BenchmarkResult } from './benchmark.ts';
import { seconds } from './measure.ts';
import { ProcessGroup } from './process-group.ts';
import { BENCHMARKS } from './registry.ts';
import type { Outcome } from './run-benchmark.ts';

const REPORT = new URL('../report.json', import.meta.url);
const RUN_BENCHMARK = fileURLToPath(new URL('run-benchmark.ts', import.meta.url));

interface Report {
  schema: 'NETD-BENCH/2';
  machine: object;
  /** By benchmark name. */
  benchmarks: Record<string, ReportEntry>;
}

interface ReportEntry {
  measuredAt: string;
  seconds: number;
  /** Runnable processes in the minute before; above zero the machine was busy. */
  loadBefore: number;
  results: BenchmarkResult[];
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}.`,
  );
  process.exit(2);
}
const names = Object.keys(BENCHMARKS).filter((name) =>
  chosen.length > 0 ? chosen.includes(name) : BENCHMARKS[name]?.onlyByName !== true,
);

const scratch = mkdtempSync(join(tmpdir(), 'netd-bench-'));
let running: ProcessGroup<Outcome> | null = null;
process.once('exit', () => {
  running?.end();
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(130));
}

for (const name of names) {
  const directory = join(scratch, name);
  mkdirSync(directory);
  const [loadBefore = 0] = loadavg();
  const startedAt = performance.now();
  console.log(`${name} …`);
  const outcome = await run(name, directory);
  rmSync(directory, { recursive: true, force: true });
  if ('error' in outcome) {
    console.error(`FAILED   ${name}: ${outcome.error}`);
    process.exitCode = 1;
    continue;
  }
  for (const result of outcome.results) console.log(lineOf(result));
  keep(name, {
    measuredAt: new Date().toISOString(),
    seconds: Math.round(seconds(startedAt)),
    loadBefore,
    results: outcome.results,
  });
}

async function run(name: string, directory: string): Promise<Outcome> {
  running = new ProcessGroup(RUN_BENCHMARK, [name, directory], directory);
  try {
    return await running.message(BENCHMARKS[name]?.timeLimit ?? 0);
  } catch (error) {
    return { error: String(error) };
  } finally {
    running = null;
  }
}

/** Keeps the last results of benchmarks that did not run. */
function keep(name: string, entry: ReportEntry): void {
  const { benchmarks } = existsSync(REPORT)
    ? (JSON.parse(readFileSync(REPORT, 'utf8')) as Report)
    : { benchmarks: {} as Report['benchmarks'] };
  const report: Report = {
    schema: 'NETD-BENCH/2',
    machine: {
      cores: availableParallelism(),
      cpu: cpus()[0]?.model ?? 'unknown',
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    benchmarks: Object.fromEntries(
      Object.keys(BENCHMARKS).flatMap((key) => {
        const kept = key === name ? entry : benchmarks[key];
        return kept ? [[key, kept]] : [];
      }),
    ),
  };
  writeFileSync(REPORT, `${JSON.stringify(report, rounded, 2)}\n`);
}

/** Rounds to four digits, more than the precision. */
function rounded(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Number(value.toPrecision(4));
}

function lineOf(result: BenchmarkResult): string {
  const { name, value, unit, goal, details } = result;
  const verdict = goal === null ? 'measured' : isReached(result) ? 'reached ' : 'MISSED  ';
  const bound =
    goal === null
      ? ''
      : 'atLeast' in goal
        ? ` (at least ${goal.atLeast})`
        : ` (at most ${goal.atMost})`;
  const numbers = Object.entries(details).map(([key, number]) => `${key} ${shown(number)}`);
  return `${verdict} ${shown(value).padStart(7)} ${unit}${bound}  ${name}\n           ${numbers.join(', ')}`;
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1);
}
