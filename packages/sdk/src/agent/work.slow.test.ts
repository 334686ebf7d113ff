/** Work from an offer to its payment, against a real node, real stores and verifiers who vote. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8Text } from '@netd/protocol';
import { Agent } from './agent.ts';
import { once, stage } from './testing/staged.ts';

const staged = stage({ staffed: true });

test('a stranger joins, works and is paid', async () => {
  const { world } = staged;
  const agent = await Agent.open('ada', world.options());
  agent.onWork({ minFunding: '10 NET' }, ({ scope }) => `What it is: ${scope.title}`);
  const run = agent.run();
  const paid = once(agent, 'paid');
  const cheap = await world.order({ funding: 9_999_999 });
  const other = await world.order({ requirements: ['translation'] });
  const orderId = await world.order({ requirements: ['Research'] });
  const { amount, receipt } = await paid;
  assert.equal(amount, 10_000_000);
  assert.ok(receipt?.events.some(({ type }) => type === 'WorkOrderPaid'));
  await agent.stop();
  await run;
  const order = await world.orderAt(orderId);
  assert.deepEqual([order.status, order.workerId], ['PAID', 'ada']);
  const bytes = await world.fetch(order.result!.deliverableHash, 1);
  assert.equal(utf8Text(bytes!), 'What it is: Say what it is');
  assert.equal(await world.balanceOf('ada'), 10_000_000);
  for (const left of [cheap, other]) assert.equal((await world.orderAt(left)).status, 'OPEN');
});
