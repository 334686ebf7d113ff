import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '../temp-dir.ts';
import { simulate, type SimulationReport } from './simulation.ts';

const SEEDS = [1, 2, 3];
const STEPS = 90;

test('whatever crashes and fails, nothing acknowledged is lost and nothing is executed twice', async (t) => {
  const directory = tempDir(t);
  const reports: SimulationReport[] = [];
  for (const seed of SEEDS) {
    reports.push(await simulate({ seed, steps: STEPS, path: join(directory, String(seed)) }));
  }
  const sum = (of: (report: SimulationReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  // A simulation in which nothing happens proves nothing.
  assert.ok(sum(({ crashes }) => crashes) > 10);
  assert.ok(sum(({ diskFailures }) => diskFailures) > 10);
  assert.ok(sum(({ clockFaults }) => clockFaults) > 10);
  assert.ok(sum(({ duplicates }) => duplicates) > 10);
  assert.ok(sum(({ reordered }) => reordered) > 50);
  assert.ok(sum(({ pipelined }) => pipelined) > 10);
  assert.ok(sum(({ transitions }) => transitions) > 150);
});

test('the same seed makes the same blocks', async (t) => {
  const directory = tempDir(t);
  const run = (name: string): Promise<SimulationReport> =>
    simulate({ seed: 42, steps: 30, path: join(directory, name) });
  assert.deepEqual(await run('first'), await run('second'));
});
