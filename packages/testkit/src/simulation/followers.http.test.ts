import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { inCampaign } from '@netd/protocol/testing';
import { followerSimulations } from '../follower-simulations.ts';
import { tempDir } from '../temp-dir.ts';
import { simulateFollowers, type FollowersReport } from './followers.ts';

test('whatever befalls them, followers serve what the writer certified and nothing else, and catch up', async (t) => {
  const sum = await followerSimulations(t, [3, 5, 6], { liar: false });
  // A simulation in which nothing happens proves nothing.
  assert.ok(sum(({ compared }) => compared) > 500);
  assert.ok(sum(({ followerCrashes }) => followerCrashes) > 0);
  assert.ok(sum(({ diskFailures }) => diskFailures) > 0);
  assert.ok(sum(({ partitions }) => partitions) > 5);
  assert.ok(sum(({ reordered }) => reordered) > 20);
  assert.ok(sum(({ height }) => height) > 10);
  assert.equal(
    sum(({ rules }) => rules - 1),
    3,
    'each changes its rules',
  );
});

test('followers believe no lying origin, and report no fork', async (t) => {
  const sum = await followerSimulations(t, [4, 5], { liar: true });
  assert.ok(sum(({ lies }) => lies) > 5);
  assert.ok(sum(({ banned }) => banned) > 2);
  assert.ok(sum(({ height }) => height) > 20);
});

test('the same seed makes the same life', inCampaign, async (t) => {
  const directory = tempDir(t);
  const run = (name: string): Promise<FollowersReport> =>
    simulateFollowers({ seed: 42, steps: 15, path: join(directory, name), liar: true });
  assert.deepEqual(await run('first'), await run('second'));
});
