/**
 * How long each test file took, from one run to the next: the longest start first, so that none of them is alone at the end, and
 * `npm run check` knows which ones it has time for. A fresh clone begins with `known-times.json`, which names those that take
 * more than a moment on a quiet machine; a file that is not named there counts as quick until it has been run.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../node_modules/.cache/tests/times.json', import.meta.url));
const KNOWN = new URL('known-times.json', import.meta.url);
/** A machine with other work makes everything slow: a time grows by no more than this from run to run. */
const GROWTH = 1.5;

/** Seconds by file. */
export type Times = Readonly<Record<string, number>>;

/** `quick` is what anyone must see pass, `slow` the rest, `unit` what `npm run check` has time for. */
export type RunTier = 'unit' | 'quick' | 'slow';
/** Files that two commands run take different times in them. */
export type Tier = RunTier | 'campaign';

type Kept = Partial<Record<Tier, Times>>;

export function readTimes(tier: Tier): Times {
  return { ...read(KNOWN)[tier], ...read(FILE)[tier] };
}

function read(file: string | URL): Kept {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept;
  } catch {
    return {};
  }
}

export function keepTimes(tier: Tier, measured: Times): void {
  const kept = read(FILE);
  const times: Record<string, number> = { ...readTimes(tier) };
  for (const [file, seconds] of Object.entries(measured)) {
    times[file] = Math.min(seconds, (times[file] ?? seconds) * GROWTH);
  }
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify({ ...kept, [tier]: times }, null, 1)}\n`);
}
