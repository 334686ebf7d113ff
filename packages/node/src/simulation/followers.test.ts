import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempDir } from '../testing/temp-dir.ts';
import { simulateFollowers, type FollowersReport } from './followers.ts';

const STEPS = 45;

async function lives(
  t: TestContext,
  seeds: readonly number[],
  liar: boolean,
): Promise<(of: (report: FollowersReport) => number) => number> {
  const directory = tempDir(t);
  const reports: FollowersReport[] = [];
  for (const seed of seeds) {
    const path = join(directory, String(seed));
    reports.push(await simulateFollowers({ seed, steps: STEPS, path, liar }));
  }
  return (of) => reports.reduce((total, report) => total + of(report), 0);
}

test('whatever befalls them, followers serve what the writer certified and nothing else, and catch up', async (t) => {
  const sum = await lives(t, [3, 5, 6], false);
  // A simulation in which nothing happens proves nothing.
  assert.ok(sum(({ compared }) => compared) > 500);
  assert.ok(sum(({ followerCrashes }) => followerCrashes) > 0);
  assert.ok(sum(({ diskFailures }) => diskFailures) > 0);
  assert.ok(sum(({ partitions }) => partitions) > 5);
  assert.ok(sum(({ reordered }) => reordered) > 20);
  assert.ok(sum(({ height }) => height) > 10);
});

test('one of those whom they ask lies: nobody believes it, and nobody takes it for a fork', async (t) => {
  const sum = await lives(t, [4, 5], true);
  assert.ok(sum(({ lies }) => lies) > 5);
  assert.ok(sum(({ dropped }) => dropped) > 2);
  assert.ok(sum(({ height }) => height) > 20);
});

test('the same seed makes the same life', async (t) => {
  const directory = tempDir(t);
  const run = (name: string): Promise<FollowersReport> =>
    simulateFollowers({ seed: 42, steps: 15, path: join(directory, name), liar: true });
  assert.deepEqual(await run('first'), await run('second'));
});
