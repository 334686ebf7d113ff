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
    reports.push(await simulateFollowers({ seed, steps: STEPS, path, liar, checkpoints: true }));
  }
  return (of) => reports.reduce((total, report) => total + of(report), 0);
}

test('followers that begin at checkpoints, and are killed in the middle of it, serve what the writer certified and nothing else', async (t) => {
  const sum = await lives(t, [3, 4], false);
  assert.ok(sum(({ compared }) => compared) > 300);
  assert.ok(sum(({ restores }) => restores) > 4);
  assert.ok(sum(({ restoreCrashes }) => restoreCrashes) > 2);
});

test('one of those whom they ask lies about states: nobody begins at one that was not certified', async (t) => {
  const sum = await lives(t, [5, 8], true);
  assert.ok(sum(({ restores }) => restores) > 4);
  assert.ok(sum(({ lies }) => lies) > 5);
  assert.ok(sum(({ dropped }) => dropped) > 2);
});

test('the same seed makes the same life, restores included', async (t) => {
  const directory = tempDir(t);
  const run = (name: string): Promise<FollowersReport> =>
    simulateFollowers({
      seed: 9,
      steps: 15,
      path: join(directory, name),
      liar: true,
      checkpoints: true,
    });
  assert.deepEqual(await run('first'), await run('second'));
});
