/** Runs jobs side by side, prints a line for each check and each file, and sums up at the end. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import type { JobEnd, JobSite } from './job.ts';
import type { TestEvent } from './reporter.ts';
import type { Times } from './times.ts';

const REPORTER = new URL('reporter.ts', import.meta.url).href;
/** Every process of tests loads much the same sources: they are compiled once. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/tests', import.meta.url));
const SLOWEST = 5;
const OUTPUT_LINES = 80;

export interface Job {
  name: string;
  command: readonly [string, ...string[]];
  /** Test files of Node's runner, run by this job. */
  files?: readonly string[];
  /** Seconds. */
  limit: number;
  /** Nothing else starts before it has ended. */
  isFirst?: boolean;
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Cases that only a campaign runs. */
  left: number;
}

const NONE: Counts = { passed: 0, failed: 0, skipped: 0, left: 0 };
/** Why `inCampaign` of `@netd/protocol/testing` skips a test. */
const LEFT = 'npm run test:campaign runs it';

/** What one file, or a check as a whole, came to. */
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
  /** In full, for the end: what scrolled by hours ago helps nobody. */
  private readonly failures = new Map<Job, string[]>();
  /** What failed, and passed when it was run again. */
  private readonly chances: string[] = [];

  /**
   * @param options.slots jobs that run at the same time
   * @param options.isCampaign whether each case and play is run
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

  /** In their order, as far as there are slots. */
  async all(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs.filter(({ isFirst }) => isFirst)) await this.one(job);
    const rest = jobs.filter(({ isFirst }) => !isFirst).values();
    const slot = async (): Promise<void> => {
      // The iterator is shared: each slot takes what comes next.
      for (const job of rest) await this.one(job);
    };
    await Promise.all(Array.from({ length: this.slots }, slot));
  }

  /**
   * Runs what has failed once more, one after the other, unless it is more than a few jobs. What passes now failed by
   * chance: it is reported as that, in full, and fails the run no more.
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

  /** The results of each file; failures are kept with the names of the suites they stand in. */
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
    // The suite of a file that failed to load, or of which a hook failed, may have come to nothing.
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

  /** How long each of these took. */
  timesOf(files: readonly string[]): Times {
    const taken = this.results.filter(({ name }) => files.includes(name));
    return Object.fromEntries(taken.map(({ name, seconds }) => [name, seconds]));
  }

  /** What has failed so far, in full. */
  tellFailures(): void {
    if (!this.isGreen)
      console.log(`\nWhat failed:\n\n${[...this.failures.values()].flat().join('\n\n')}`);
  }

  /** The slowest, which may have waited for others only, and the dearest; what failed; and one line with the sums. */
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

/** Why a job failed beyond what its tests say; empty where it did not. */
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

/** A check counts as no test; pytest says how many it ran. */
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
  // What comes after the last line break was cut off with the process.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as TestEvent);
}

/** The tests that had begun when their process ended. */
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
