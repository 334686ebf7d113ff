/** CPU time of a process by thread, and per intent, by the kernel's count. */
import { readdirSync, readFileSync } from 'node:fs';
import type { BenchmarkResult } from './benchmark.ts';
import { median, spread, type Yardstick } from './measure.ts';

/**
 * `producer` makes blocks, `follower` receives them, `threadPool` is libuv's (database writes), `engine` is V8's
 * garbage collection and compilation.
 */
const THREAD_KINDS = [
  'main',
  'producer',
  'follower',
  'verifiers',
  'threadPool',
  'engine',
  'other',
] as const;
type ThreadKind = (typeof THREAD_KINDS)[number];

/** Microseconds by kind of thread. */
export type CpuTime = Record<ThreadKind, number>;

/** /proc uses hundredths of a second, whatever the kernel's tick. */
const MICROSECONDS_PER_TICK = 10_000;

/** Returns the CPU time of the live threads since their start. */
export function cpuTimeOf(pid: number): CpuTime {
  const time = cpuTimeBy(() => 0);
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = statOf(pid, thread);
    if (stat === null) continue;
    // The name is in parentheses and may contain spaces.
    const end = stat.lastIndexOf(')');
    const name = stat.slice(stat.indexOf('(') + 1, end);
    time[kindOf(name, Number(thread) === pid)] += microsecondsIn(stat);
  }
  return time;
}

/** Returns microseconds of all threads of a process, ended ones included. */
export const processTimeOf = (pid: number): number =>
  microsecondsIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/** User and system time are the 12th and 13th field after the name. */
function microsecondsIn(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK;
}

/** Returns the live child processes of all threads. */
export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter((id) => id !== '')
      .map(Number),
  );

export function cpuTimeSince(before: CpuTime, after: CpuTime): CpuTime {
  return cpuTimeBy((kind) => after[kind] - before[kind]);
}

const cpuTimeBy = (of: (kind: ThreadKind) => number): CpuTime =>
  Object.fromEntries(THREAD_KINDS.map((kind) => [kind, of(kind)])) as CpuTime;

function statOf(pid: number, thread: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
  } catch {
    // It has ended.
    return null;
  }
}

function kindOf(name: string, isMain: boolean): ThreadKind {
  if (isMain) return 'main';
  if (name === 'producer' || name === 'follower') return name;
  if (name === 'verifier') return 'verifiers';
  if (name === 'libuv-worker') return 'threadPool';
  if (name === 'V8Worker') return 'engine';
  return 'other';
}

/** The cost of one turn's intents. */
export interface CpuTurn {
  cpu: CpuTime;
  intents: number;
  yardstick: Yardstick;
}

/**
 * Returns CPU time per thread and intent, in verifications.
 * @param goal null if the number is only reported
 */
export function cpuResult(
  way: string,
  goal: number | null,
  turns: readonly CpuTurn[],
): BenchmarkResult {
  const inVerifications = (kind: ThreadKind): number[] =>
    turns.map(({ cpu, intents, yardstick }) => cpu[kind] / intents / yardstick.cpuMicroseconds);
  const main = inVerifications('main');
  return {
    name: `${way}: CPU time of the main thread for one intent ÷ one verification`,
    value: median(main),
    unit: 'ratio',
    goal: goal === null ? null : { atMost: goal },
    details: {
      producer: median(inVerifications('producer')),
      verifiers: median(inVerifications('verifiers')),
      threadPool: median(inVerifications('threadPool')),
      engine: median(inVerifications('engine')),
      other: median(inVerifications('other')),
      mainMicroseconds: median(turns.map(({ cpu, intents }) => cpu.main / intents)),
      verificationMicroseconds: median(turns.map(({ yardstick }) => yardstick.cpuMicroseconds)),
      ...spread(main),
    },
  };
}
