/** A test that fails, for `network.slow.test.ts`: `node --test` runs it and prints the story of its order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNetwork } from '../index.ts';

void test('fails', async (t) => {
  const network = await startNetwork({ agents: ['gilda'], house: true });
  t.after(() => network.stop());
  const gilda = await network.agent('gilda', { capabilities: ['research'] });
  const failed = new Promise((resolve) => gilda.on('failed', resolve));
  gilda.onWork({ retry: { attempts: 2, backoff: 1 } }, async (job) => {
    await job.step('read', () => job.scope.title);
    throw new Error('the handler has no idea');
  });
  const running = gilda.run();
  await failed;
  await assert.rejects(
    network.event('WorkOrderPaid', { agent: 'gilda', timeout: 1 }),
    /^Error: no WorkOrderPaid within 1 ms\nThe story of order .*\n {2}height \d+ {2}WorkOrderCreated/,
  );
  await network.event('WorkReleased', { agent: 'gilda' });
  void running;
  assert.fail('as it has to');
});
