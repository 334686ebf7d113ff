/** `npm run bench`: measures, prints a table, writes bench/report.json. Names of figures as arguments choose some. */
import { availableParallelism, cpus, totalmem } from 'node:os';
import { writeFileSync } from 'node:fs';
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

const chosen = process.argv.slice(2);
const wanted = (name: string): boolean => chosen.length === 0 || chosen.includes(name);

const figures: Figure[] = [];
const add = (...measured: Figure[]): void => {
  for (const figure of measured) {
    figures.push(figure);
    console.log(line(figure));
  }
};

await inScratch(async (directory) => {
  if (wanted('idle')) add(await idleLatency(directory));
  if (wanted('read')) add(await cachedRead(directory));
  if (wanted('http')) add(await httpWrites(directory));
  if (wanted('throughput') || wanted('memory')) {
    add(...(await throughput(directory)));
    add(await memory(join(directory, 'large')));
  }
  if (wanted('mixed')) add(...(await mixedWorkload(directory)));
  if (wanted('reads')) add(...(await everyRead(directory)));
  if (wanted('kill')) add(await killRounds(directory));
});

if (chosen.length === 0) {
  const report = {
    schema: 'NETD-BENCH/1',
    measuredAt: new Date().toISOString(),
    machine: {
      cores: availableParallelism(),
      cpu: cpus()[0]?.model ?? 'unknown',
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    figures,
  };
  writeFileSync(new URL('../report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`);
}

function line({ name, value, unit, goal, better, details }: Figure): string {
  const reached = better === 'higher' ? value >= goal : value <= goal;
  const shown = unit === 'writes' ? String(value) : value.toFixed(unit === 'ratio' ? 2 : 1);
  const numbers = Object.entries(details)
    .map(([key, number]) => `${key} ${Number.isInteger(number) ? number : number.toFixed(2)}`)
    .join(', ');
  const bound = better === 'higher' ? 'at least' : 'at most';
  return `${reached ? 'reached' : 'MISSED '}  ${shown.padStart(7)} ${unit.padEnd(6)} (${bound} ${goal})  ${name}\n           ${numbers}`;
}
