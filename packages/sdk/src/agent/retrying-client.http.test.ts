/** A node that goes away is said to be, by the emitter of the agent, and so is its return. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent } from './agent.ts';
import { once, stage } from './testing/staged.ts';

const staged = stage();

test('offline says for how long and when it is tried again, online that it goes on', async (t) => {
  const { world } = staged;
  const agent = await Agent.open('ada', world.options());
  t.after(() => agent.stop());
  agent.memory.set('seen', 1);
  const first = once(agent, 'offline');
  await world.stopNode();
  const committed = agent.memory.commit();
  const { url, forMilliseconds, nextTryIn, reason } = await first;
  assert.deepEqual([url, forMilliseconds], [world.node.url, 0]);
  assert.ok(nextTryIn >= 500 && reason.length > 0);
  const later = await once(agent, 'offline');
  assert.ok(later.forMilliseconds > 0 && later.nextTryIn > nextTryIn);
  await assert.rejects(agent.act('faucet', { amount: 1 }, { id: 'late', timeout: 100 }), {
    code: 'CALL_TIMEOUT',
    message: /act, 100 ms; http:.* does not answer/,
  });
  const back = once(agent, 'online');
  await world.restartNode();
  assert.ok((await back).forMilliseconds > 0);
  await committed;
  assert.equal(agent.memory.generation, 1);
});
