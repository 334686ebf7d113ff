/** Runs jobs in parallel, prints a line per check and file, and summarizes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import type { JobEnd, JobSite } from './job.ts';
import type { TestEvent } from './reporter.ts';
import type { Times } from './times.ts';

const REPORTER = new URL('reporter.ts', import.meta.url).href;
/** Compiled sources, shared by test processes. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/tests', import.meta.url));
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SLOWEST = 5;
const OUTPUT_LINES = 80;

export interface Job {
  name: string;
  command: readonly [string, ...string[]];
  /** Node test files that this job runs. */
  files?: readonly string[];
  /** Seconds. */
  limit: number;
  /** Nothing else starts until it has ended. */
  isFirst?: boolean;
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Cases left to the campaign. */
  left: number;
}

const NONE: Counts = { passed: 0, failed: 0, skipped: 0, left: 0 };
/** Why `inCampaign` of `@netd/protocol/testing` skips a test. */
const LEFT = 'npm run test:campaign runs it';

/** Result of a file, or of a whole check. */
interface Result extends Counts {
  name: string;
  seconds: number;
}

export class Run {
  private readonly site: JobSite;
  private readonly slots: number;
  private readonly env: NodeJS.ProcessEnv;
  private readonly startedAt = performance.now();
  private results: Result[] = [];
  private readonly costs: { name: string; cpuSeconds: number }[] = [];
  /** Complete, to be printed at the end. */
  private readonly failures = new Map<Job, string[]>();
  /** Failures that passed when repeated. */
  private readonly chances: string[] = [];

  /**
   * @param options.slots parallel jobs
   * @param options.isCampaign true to run every case and play
   */
  constructor(site: JobSite, { slots, isCampaign }: { slots: number; isCampaign: boolean }) {
    this.site = site;
    this.slots = slots;
    this.env = {
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      NETD_TEST_CAMPAIGN: isCampaign ? '1' : '0',
    };
  }

  get isGreen(): boolean {
    return this.failures.size === 0;
  }

  /** Runs jobs in order, as slots become free. */
  async all(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs.filter(({ isFirst }) => isFirst)) await this.one(job);
    const rest = jobs.filter(({ isFirst }) => !isFirst).values();
    const slot = async (): Promise<void> => {
      // The slots share the iterator.
      for (const job of rest) await this.one(job);
    };
    await Promise.all(Array.from({ length: this.slots }, slot));
  }

  /**
   * Repeats failed jobs one by one, unless there are too many. A job that passes now is reported in full, but no
   * longer fails the run.
   */
  async again(atMost: number): Promise<void> {
    const failed = [...this.failures];
    if (failed.length === 0 || failed.length > atMost) return;
    const names = new Set(failed.flatMap(([{ name, files = [] }]) => [name, ...files]));
    this.results = this.results.filter(({ name }) => !names.has(name));
    console.log(`\nOnce more: ${failed.map(([{ name }]) => name).join(', ')}`);
    for (const [job, reports] of failed) {
      await this.one(job);
      if (!this.failures.has(job)) this.chances.push(...reports);
    }
  }

  private async one(job: Job): Promise<void> {
    const { name, command, files, limit } = job;
    const [program, ...args] = command;
    const events = join(this.site.folder, `${name.replaceAll(/[^\w.-]/g, '_')}.events`);
    const flags = files
      ? [`--test-reporter=${REPORTER}`, `--test-reporter-destination=${events}`]
      : [];
    const end = await this.site.run([program, ...flags, ...args], {
      env: this.env,
      limit,
    });
    const { cpuSeconds } = end;
    const reports: string[] = [];
    const more = (files?.length ?? 1) - 1;
    if (cpuSeconds !== null)
      this.costs.push({ name: more > 0 ? `${name} and ${more} more` : name, cpuSeconds });
    const results = files
      ? this.testsOf(job, eventsIn(events), end, reports)
      : [programResult(name, end)];
    const failed = results.some((result) => result.failed > 0);
    const why = whyItEnded(job, end, failed);
    if (why) {
      const output = end.output.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n');
      reports.push(`${styleText('red', `✖ ${name}`)} ${why}\n${output}`);
    }
    for (const result of results) this.told(result, why !== '' && !files);
    if (reports.length > 0) this.failures.set(job, reports);
    else this.failures.delete(job);
  }

  /** Returns each file's results; failures include the names of their suites. */
  private testsOf(
    { files = [], name }: Job,
    events: TestEvent[],
    end: JobEnd,
    reports: string[],
  ): Result[] {
    const isBatch = files.length > 1;
    const results: Result[] = [];
    let counts = { ...NONE };
    const path: string[] = [];
    for (const event of events) {
      if (event.type === 'done') continue;
      if (event.type === 'late') {
        reports.push(`${styleText('red', `✖ ${name}`)}\n${indent(event.why)}`);
        continue;
      }
      path.length = event.nesting;
      path.push(event.name);
      if (event.type === 'start') continue;
      const isFile = isBatch && event.nesting === 0;
      const isLeft = event.outcome === 'skipped' && event.why === LEFT;
      if (!event.isSuite || isLeft || (event.outcome === 'failed' && event.why))
        counts[isLeft ? 'left' : event.outcome]++;
      if (event.outcome === 'failed' && event.why) {
        const where = isBatch ? path : [name, ...path];
        reports.push(
          `${styleText('red', `✖ ${where.join(' › ')}`)}\n  ${event.at}\n${indent(event.why)}`,
        );
      }
      if (isFile) {
        results.push({ name: event.name, seconds: event.milliseconds / 1_000, ...counts });
        counts = { ...NONE };
      }
    }
    if (!isBatch) results.push({ name, seconds: end.seconds, ...counts });
    if (!events.some(({ type }) => type === 'done') && !end.isOutOfTime) {
      reports.push(
        `${styleText('red', `✖ ${name}`)} ended before its tests did\n${stillRunning(events)}`,
      );
    }
    // A file that failed to load, or whose hook failed, may have no results.
    for (const file of files) {
      if (
        results.some(
          (result) =>
            result.name === file &&
            result.passed + result.failed + result.skipped + result.left > 0,
        )
      )
        continue;
      reports.push(`${styleText('red', `✖ ${file}`)} ran no test\n${stillRunning(events)}`);
    }
    return results;
  }

  private told(result: Result, isBroken: boolean): void {
    const { name, seconds, passed, failed, skipped, left } = result;
    this.results.push(result);
    const isBad = failed > 0 || isBroken;
    const sign = isBad ? styleText('red', '✖') : styleText('green', '✔');
    const tests = [
      passed && `${passed} passed`,
      failed && `${failed} failed`,
      skipped && `${skipped} skipped`,
      left && `${left} left to the campaign`,
    ];
    console.log(
      `${sign} ${seconds.toFixed(1).padStart(6)} s  ${name}  ${tests.filter(Boolean).join(', ')}`,
    );
  }

  /** Returns the seconds of these files. */
  timesOf(files: readonly string[]): Times {
    const taken = this.results.filter(({ name }) => files.includes(name));
    return Object.fromEntries(taken.map(({ name, seconds }) => [name, seconds]));
  }

  /** Ends this process with all failures so far. */
  end(why: string, code: number): never {
    this.site.close();
    this.tellFailures();
    console.error(`\n${why}`);
    process.exit(code);
  }

  /**
   * Ends this process at a signal.
   * @returns a function that takes the listeners back
   */
  endAtSignals(prefix = ''): () => void {
    const end = (signal: NodeJS.Signals): void => this.end(`${prefix}Stopped by ${signal}.`, 130);
    for (const signal of SIGNALS) process.once(signal, end);
    return () => {
      for (const signal of SIGNALS) process.removeListener(signal, end);
    };
  }

  /** Prints all failures so far. */
  tellFailures(): void {
    if (!this.isGreen)
      console.log(`\nWhat failed:\n\n${[...this.failures.values()].flat().join('\n\n')}`);
  }

  /** Prints the slowest files (which may only have waited), the costliest, failures, and totals. */
  summarize(): void {
    const byTime = this.results.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    console.log('\nThe slowest:');
    for (const { name, seconds } of byTime)
      console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${name}`);
    const all = this.costs.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
    if (all > 0) console.log(`\nMost CPU time, of ${all.toFixed(0)} s in all:`);
    const byCost = this.costs.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds).slice(0, SLOWEST);
    for (const { name, cpuSeconds } of byCost)
      console.log(`  ${cpuSeconds.toFixed(1).padStart(6)} s  ${name}`);
    if (this.chances.length > 0) {
      console.log(
        `\nFailed, and passed when run again. A test that fails by chance is a defect: mend it now.\n\n${this.chances.join('\n\n')}`,
      );
    }
    this.tellFailures();
    const sum = (what: keyof Counts): number =>
      this.results.reduce((total, result) => total + result[what], 0);
    const failed = Math.max(sum('failed'), [...this.failures.values()].flat().length);
    const minutes = (performance.now() - this.startedAt) / 60_000;
    const counts = [`${sum('passed')} passed`, `${failed} failed`, `${sum('skipped')} skipped`];
    if (sum('left') > 0) counts.push(`${sum('left')} left to the campaign`);
    if (this.chances.length > 0) counts.push(`${this.chances.length} failed by chance`);
    console.log(`\nIn ${minutes.toFixed(1)} minutes:\n${counts.join(', ')}`);
  }
}

/** Returns why a job failed apart from its tests; empty if it did not. */
function whyItEnded(
  { limit, files }: Job,
  { code, isOutOfTime, left }: JobEnd,
  failed: boolean,
): string {
  if (isOutOfTime) return `was ended after ${limit} s`;
  if (left.length > 0) return `left behind:\n${left.join('\n')}`;
  if (code === 0 || (files && failed)) return '';
  return `ended with ${code ?? 'a signal'}`;
}

/** Checks count no tests; pytest reports its number. */
function programResult(name: string, { seconds, output }: JobEnd): Result {
  const told = (what: string): number =>
    Number(new RegExp(`\\b(\\d+) ${what}\\b[^\\n]* in [\\d.]+s`).exec(output)?.[1] ?? 0);
  return {
    name,
    seconds,
    passed: told('passed'),
    failed: told('failed'),
    skipped: told('skipped'),
    left: 0,
  };
}

function eventsIn(file: string): TestEvent[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  // An incomplete last line was cut off with the process.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as TestEvent);
}

/** Returns the tests that were running when their process ended. */
function stillRunning(events: readonly TestEvent[]): string {
  const running: string[] = [];
  for (const event of events) {
    if (event.type === 'done' || event.type === 'late') continue;
    running.length = event.nesting;
    if (event.type === 'start') running.push(event.name);
  }
  return running.length > 0 ? `  It was in: ${running.join(' › ')}` : '';
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ');
