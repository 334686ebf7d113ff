/** `npm run bench`: measures, prints a table, keeps bench/report.json. Names of figures as arguments choose some. */
import { availableParallelism, cpus, totalmem } from 'node:os';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedRead } from './figures/cached-read.ts';
import { everyRead } from './figures/every-read.ts';
import { httpWrites } from './figures/http-writes.ts';
import { idleLatency } from './figures/idle-latency.ts';
import { killRounds } from './figures/kill-rounds.ts';
import { memory } from './figures/memory.ts';
import { mixedWorkload } from './figures/mixed-workload.ts';
import { throughput } from './figures/throughput.ts';
import { inScratch, type Figure } from './measure.ts';

const REPORT = new URL('../report.json', import.meta.url);

interface Report {
  schema: 'NETD-BENCH/1';
  machine: object;
  /** By the name that chooses them: what was measured when. */
  groups: Record<string, { measuredAt: string; figures: Figure[] }>;
}

const chosen = process.argv.slice(2);
const wanted = (name: string): boolean => chosen.length === 0 || chosen.includes(name);

const report: Report = {
  schema: 'NETD-BENCH/1',
  machine: {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  },
  // A run of some figures leaves the others as they were measured last.
  groups: (JSON.parse(readFileSync(REPORT, 'utf8')) as Report).groups,
};

const add = (name: string, ...figures: Figure[]): void => {
  for (const figure of figures) console.log(line(figure));
  report.groups[name] = { measuredAt: new Date().toISOString(), figures };
  writeFileSync(REPORT, `${JSON.stringify(report, null, 2)}\n`);
};

await inScratch(async (directory) => {
  if (wanted('idle')) add('idle', await idleLatency(directory));
  if (wanted('read')) add('read', await cachedRead(directory));
  if (wanted('http')) add('http', await httpWrites(directory));
  if (wanted('throughput') || wanted('memory')) {
    add('throughput', ...(await throughput(directory)));
    add('memory', await memory(join(directory, 'large')));
  }
  if (wanted('mixed')) add('mixed', ...(await mixedWorkload(directory)));
  if (wanted('reads')) add('reads', ...(await everyRead(directory)));
  if (wanted('kill')) add('kill', await killRounds(directory));
});

function line({ name, value, unit, goal, better, details }: Figure): string {
  const reached = better === 'higher' ? value >= goal : value <= goal;
  const shown = unit === 'writes' ? String(value) : value.toFixed(unit === 'ratio' ? 2 : 1);
  const numbers = Object.entries(details)
    .map(([key, number]) => `${key} ${Number.isInteger(number) ? number : number.toFixed(2)}`)
    .join(', ');
  const bound = better === 'higher' ? 'at least' : 'at most';
  return `${reached ? 'reached' : 'MISSED '}  ${shown.padStart(7)} ${unit.padEnd(6)} (${bound} ${goal})  ${name}\n           ${numbers}`;
}
