/** Clocks, scratch directories, and the yardstick: Ed25519 verifications per second of one core. */
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** One line of the report. */
export interface Figure {
  name: string;
  /** What was reached: a ratio, or the unit says what. */
  value: number;
  unit: 'ratio' | 'ms' | 'MB' | 'writes';
  /** The goal, and whether the value should be at least or at most that. */
  goal: number;
  better: 'higher' | 'lower';
  /** The raw numbers behind it. */
  details: Record<string, number>;
}

export function seconds(since: number): number {
  return (performance.now() - since) / 1_000;
}

/** Verifications per second of one core, over messages of the size of a beacon intent. */
function verificationsPerSecond(milliseconds = 700): number {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const message = randomBytes(560);
  const signature = sign(null, message, privateKey);
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < milliseconds) {
    for (let i = 0; i < 50; i++) verify(null, message, publicKey, signature);
    count += 50;
  }
  return count / seconds(startedAt);
}

/** Runs something between two measurements of the yardstick and answers both, so that a noisy machine shows. */
export async function besideYardstick(
  work: () => Promise<number>,
): Promise<{ rate: number; yardstick: number }> {
  const before = verificationsPerSecond();
  const rate = await work();
  const after = verificationsPerSecond();
  return { rate, yardstick: (before + after) / 2 };
}

/** Collects everything that is unreachable now, instead of in the middle of a measurement. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

export async function inScratch<Result>(
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'netd-bench-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Memory of a process in MB, by the kernel's own account. */
export function memoryOf(pid: number): { anonymous: number; resident: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1_024;
  return { anonymous: field('RssAnon'), resident: field('VmRSS') };
}
