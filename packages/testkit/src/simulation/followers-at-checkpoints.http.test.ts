import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { inCampaign } from '@netd/protocol/testing';
import { followerSimulations } from '../follower-simulations.ts';
import { tempDir } from '../temp-dir.ts';
import { simulateFollowers, type FollowersReport } from './followers.ts';

test('followers that begin at checkpoints, and are killed in the middle of it, serve what the writer certified and nothing else', async (t) => {
  const sum = await followerSimulations(t, [3, 4], { liar: false, checkpoints: true });
  assert.ok(sum(({ compared }) => compared) > 300);
  assert.ok(sum(({ restores }) => restores) > 4);
  assert.ok(sum(({ restoreCrashes }) => restoreCrashes) > 2);
  assert.equal(
    sum(({ rules }) => rules - 1),
    2,
    'each changes its rules',
  );
});

test('followers restore no uncertified state if an origin lies about states', async (t) => {
  const sum = await followerSimulations(t, [5, 8], { liar: true, checkpoints: true });
  assert.ok(sum(({ restores }) => restores) > 4);
  assert.ok(sum(({ lies }) => lies) > 5);
  assert.ok(sum(({ banned }) => banned) > 2);
});

test('the same seed makes the same life, restores included', inCampaign, async (t) => {
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
