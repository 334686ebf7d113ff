/** The house measures its own jurors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@netd/protocol/testing';
import { openWorld } from './testing/house-world.ts';

test('verifiers of the house accept right results of its probe, and reject wrong ones', async (t) => {
  const { client, said, startHouse } = await openWorld(t, {
    verifiers: 3,
    probe: true,
    idleBlockTime: 100,
  });
  assert.equal(await startHouse().settled, 'ready');
  const jurors = async () => (await client.read('/v1/validation')).jurors;
  await until(async () => (await jurors()).length === 3);
  for (const { agreed, wrong, silent } of await jurors()) {
    assert.ok(agreed > 0, said.join('; '));
    assert.deepEqual([wrong, silent], [0, 0]);
  }
});
