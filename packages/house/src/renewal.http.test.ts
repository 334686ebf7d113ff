/** On an idle network, the house must renew its beacons. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plays } from '@netd/protocol/testing';
import type { PresenceSpan } from './staff.ts';
import { askEcho, openWorld } from './testing/house-world.ts';

const BLOCK_MILLISECONDS = 50;
/** Beacons are renewed every 30 heights. The rest is time for a busy machine. */
const presence: PresenceSpan = { lifetime: 240, margin: 210 };
const SPANS = plays(1, 2);

test('over spans of a beacon everybody of the house is found, verifies and answers', async (t) => {
  const world = await openWorld(t, {
    verifiers: 2,
    presence,
    blockTime: BLOCK_MILLISECONDS,
    idleBlockTime: BLOCK_MILLISECONDS,
  });
  const { client, said } = world;
  assert.equal(await world.startHouse().settled, 'ready');

  const names = [
    'house-blobs-1',
    'house-echo',
    'house-requester',
    'house-verifier-1',
    'house-verifier-2',
  ];
  const from = (await client.network()).height;
  for (let height = from; height < from + SPANS * presence.lifetime;) {
    const { beacons } = await client.read('/v1/discovery', { limit: 50 });
    assert.deepEqual(beacons.map(({ agentId }) => agentId).toSorted(), names, `at ${height}`);
    const { actual } = await client.read('/v1/validation');
    assert.equal(actual.activeVerifiers, 2);
    await new Promise((resolve) => setTimeout(resolve, 10 * BLOCK_MILLISECONDS));
    ({ height } = await client.network());
  }
  for (const agentId of names) {
    const { beaconSequence } = await client.read('/v1/agents/{agentId}', { agentId });
    assert.ok(beaconSequence > SPANS, `${agentId} has published ${beaconSequence}`);
  }
  assert.equal(await askEcho(t, world, 'still there?'), 'You said: still there?');
  assert.deepEqual(said, []);
});
