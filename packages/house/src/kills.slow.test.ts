/** The house in a process of its own, killed again and again while it settles in, beside a node and places for blobs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { openWorld } from './testing/house-world.ts';

test('killed six times while it settles in, the house is there once, and then is still', async (t) => {
  const { client, said, startHouse } = await openWorld(t, { verifiers: 3, places: 2 });
  const height = async (): Promise<number> => (await client.network()).height;
  for (let round = 1; round <= 6; round++) {
    // Some blocks further each time: wherever it is by then.
    const until = (await height()) + round;
    const { child, settled } = startHouse();
    const state = { ready: false };
    void settled.then(() => (state.ready = true));
    for (let i = 0; i < 400 && !state.ready && (await height()) < until; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  // And twice as far as it goes, the second time with nothing to do.
  let complete = 0;
  for (const again of [false, true]) {
    const { child, settled } = startHouse();
    assert.equal(await settled, 'ready');
    let before = -1;
    while (before !== (await height())) {
      before = await height();
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    if (again) assert.equal(before, complete, 'a house that was complete has written something');
    complete = before;
    child.disconnect();
    await once(child, 'exit');
  }
  assert.deepEqual(said, []);

  const { events } = await client.read('/v1/events', { after: '0.0', limit: 1_000 });
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  assert.deepEqual(
    {
      joined: count('AgentRegistered'),
      drawn: count('FaucetPaid'),
      beacons: count('BeaconPublished'),
      applied: count('OperatorApplicationSubmitted'),
      approved: count('OperatorInvitationCreated'),
      installed: count('AuthorityInstalled'),
      offered: count('WorkOrderCreated'),
    },
    { joined: 7, drawn: 4, beacons: 7, applied: 3, approved: 3, installed: 3, offered: 3 },
  );
});
