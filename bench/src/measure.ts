/** Clocks, medians, memory, and the yardstick: one core's Ed25519 verifications per second. */
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

export function seconds(since: number): number {
  return (performance.now() - since) / 1_000;
}

export interface Yardstick {
  /** Verifications per second of wall-clock time on one core. */
  perSecond: number;
  /** CPU time of one verification, in microseconds. */
  cpuMicroseconds: number;
  /** CPU ÷ wall-clock time. Below 1 the core was shared, and ratios are less reliable. */
  coreShare: number;
}

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
/** The size of a beacon intent. */
const MESSAGE = randomBytes(560);
const SIGNATURE = sign(null, MESSAGE, privateKey);
const YARDSTICK_MILLISECONDS = 400;

function measureYardstick(): Yardstick {
  const cpuBefore = process.threadCpuUsage();
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < YARDSTICK_MILLISECONDS) {
    for (let i = 0; i < 50; i++) verify(null, MESSAGE, publicKey, SIGNATURE);
    count += 50;
  }
  const elapsed = seconds(startedAt);
  const { user, system } = process.threadCpuUsage(cpuBefore);
  return {
    perSecond: count / elapsed,
    cpuMicroseconds: (user + system) / count,
    coreShare: (user + system) / 1_000_000 / elapsed,
  };
}

/** Runs alternating turns with the yardstick before and after each, so that a bad moment affects both. */
export class YardstickTurns {
  private last: Yardstick | null = null;

  async take<Result>(
    turn: () => Promise<Result>,
  ): Promise<{ result: Result; yardstick: Yardstick }> {
    const before = this.last ?? measureYardstick();
    const result = await turn();
    const after = measureYardstick();
    this.last = after;
    const mean = (field: keyof Yardstick): number => (before[field] + after[field]) / 2;
    return {
      result,
      yardstick: {
        perSecond: mean('perSecond'),
        cpuMicroseconds: mean('cpuMicroseconds'),
        coreShare: mean('coreShare'),
      },
    };
  }
}

/** Returns the details of the yardstick. */
export function yardstickDetails(yardsticks: readonly Yardstick[]): Record<string, number> {
  return {
    verificationsPerSecond: median(yardsticks.map(({ perSecond }) => perSecond)),
    shareOfCoreLeft: median(yardsticks.map(({ coreShare }) => coreShare)),
  };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the smallest value not exceeded by the given share of all; NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Returns details of how far the turns vary. */
export function spread(values: readonly number[]): Record<string, number> {
  return { lowest: Math.min(...values), highest: Math.max(...values), turns: values.length };
}

/** Returns a process's memory in MB, by the kernel's count. */
export function memoryOf(pid: number): { anonymous: number; resident: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1_024;
  return { anonymous: field('RssAnon'), resident: field('VmRSS') };
}
