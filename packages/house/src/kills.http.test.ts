/** Kills the house process repeatedly during startup. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { plays, until } from '@netd/protocol/testing';
import { openWorld } from './testing/house-world.ts';

/** Numbers of events once a house of seven agents is complete. */
const SETTLED = {
  AgentRegistered: 7,
  FaucetPaid: 4,
  BeaconPublished: 7,
  OperatorApplicationSubmitted: 3,
  OperatorInvitationCreated: 3,
  AuthorityInstalled: 3,
  WorkOrderCreated: 3,
};

const KILLS = plays(3, 6);

test('killed again and again while it settles in, the house is there once, and then is still', async (t) => {
  const { client, said, startHouse } = await openWorld(t, { verifiers: 3, places: 2 });
  const height = async (): Promise<number> => (await client.network()).height;
  const counts = async (): Promise<Record<string, number>> => {
    const { events } = await client.read('/v1/events', { after: '0.0', limit: 1_000 });
    const types = events.map((event): string => event.type);
    return Object.fromEntries(
      Object.keys(SETTLED).map((type) => [type, types.filter((one) => one === type).length]),
    );
  };
  for (let round = 1; round <= KILLS; round++) {
    // Kill it some blocks later each time.
    const enough = (await height()) + round;
    const { child, settled } = startHouse();
    const state = { ready: false };
    void settled.then(() => (state.ready = true));
    for (let i = 0; i < 400 && !state.ready && (await height()) < enough; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  // Then run it to the end twice; the second run must do nothing.
  let complete = 0;
  for (const again of [false, true]) {
    const { child, settled } = startHouse();
    assert.equal(await settled, 'ready');
    // Wait without a limit. Too many events are found below.
    await until(async () => {
      const found = await counts();
      return Object.entries(SETTLED).every(([type, count]) => (found[type] ?? 0) >= count);
    });
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

  assert.deepEqual(await counts(), SETTLED);
});
