/**
 * Records each test file's time, to start the longest first and to choose files for `npm run check`. A fresh clone
 * uses `known-times.json`; slow files missing there count as long until they have run.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../node_modules/.cache/tests/times.json', import.meta.url));
const KNOWN = new URL('known-times.json', import.meta.url);
/** Limits a time's growth per run, because a busy machine is slow. */
const GROWTH = 1.5;

/** Seconds by file. */
export type Times = Readonly<Record<string, number>>;

/** `quick`: npm test; `slow`: npm run test:slow; `unit`: npm run check. */
export type RunTier = 'unit' | 'quick' | 'slow';
/** Separate times for files that two commands run differently. */
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
