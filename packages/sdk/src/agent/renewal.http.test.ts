/** The beacon of an agent that runs never ends, however quick the blocks are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inCampaign } from '@netd/protocol/testing';
import { Agent } from './agent.ts';
import { LONGEST_LOOK, nextLook } from './beacon.ts';
import { World } from './testing/world.ts';

/** More than the longest that one beacon can last. */
const HEIGHTS = 5_050;

// A build watches the house renew its beacons, which are shorter there.
test(
  'over more than a span of a beacon the agent is found at every look',
  inCampaign,
  async (t) => {
    const world = await World.start(t, { idleBlockTime: 1 });
    const agent = await Agent.open('steady', world.options({ memory: false }));
    t.after(() => agent.stop());
    const run = agent.run();
    let height = 0;
    do {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { beacons } = await world.client.read('/v1/discovery');
      ({ height } = await world.client.network());
      assert.deepEqual(
        beacons.map(({ agentId }) => agentId),
        ['steady'],
        `at ${height}`,
      );
    } while (height < HEIGHTS);
    const { beaconSequence } = await world.client.read('/v1/agents/{agentId}', {
      agentId: 'steady',
    });
    // It is left alone until it is due.
    assert.ok(beaconSequence <= 3, `published ${beaconSequence} times`);
    await agent.stop();
    await run;
  },
);

test('it is looked at when it may be due, and thrice within what is left then', () => {
  assert.equal(nextLook(4_900, 100), 390_000);
  assert.equal(nextLook(1_001, 100), 33_300);
  assert.equal(nextLook(4_900, 1_000), LONGEST_LOOK);
});
