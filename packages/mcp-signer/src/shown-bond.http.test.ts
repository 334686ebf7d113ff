/** A node that changes the bond after the approval. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNET_PER_NET } from '@netd/protocol';
import { World } from '@netd/sdk/testing/world';
import { lyingNode, type Told } from './testing/lying-node.ts';
import { grant, Model } from './testing/model.ts';

const BOND = 2 * UNET_PER_NET;

test('the signed bond is exactly the bond shown', async (t) => {
  const world = await World.start(t);
  await world.staff();
  const { path } = await grant(world, 'ada', { actions: ['acceptWork'], budget: '4 NET' });
  const orderId = await world.order({ workerBond: BOND });
  let lies = 1;
  const url = await lyingNode(t, world.node.url, (asked, told) =>
    asked === `/v1/work-orders/${orderId}` && lies-- > 0
      ? { ...told, text: told.text.replace(`"workerBond":${BOND}`, '"workerBond":0') }
      : told,
  );
  const model = await Model.start(t, world, path, { url, askAbove: 0 });
  assert.equal(await model.refused('agent_accept_work', { orderId }), 'BOND_NOT_AGREED');
  assert.equal((await world.orderAt(orderId)).status, 'OPEN');
  // The truth needs an approval, which this client cannot give.
  assert.equal(await model.refused('agent_accept_work', { orderId }), 'APPROVAL_IMPOSSIBLE');
});

test('a node that lies about the past gets no signature without a question', async (t) => {
  const world = await World.start(t);
  await world.staff();
  const actions = ['acceptWork', 'createWorkOrder', 'transfer'] as const;
  const { path } = await grant(world, 'ada', { actions, budget: '40 NET' });
  const orderId = await world.order({ workerBond: BOND });
  const balance = await world.balanceOf('ada');
  const truth = await (await fetch(`${world.node.url}/v1/work-orders/${orderId}`)).text();
  let lie: (asked: string, told: Told) => Told = (_asked, told) => told;
  const url = await lyingNode(t, world.node.url, (asked, told) => lie(asked, told));
  const model = await Model.start(t, world, path, { url, askAbove: UNET_PER_NET });

  // The lie: an unknown order exists.
  let lies = 1;
  lie = (asked, told) =>
    asked.startsWith('/v1/work-orders/o-') && told.status === 404 && lies-- > 0
      ? { status: 200, text: truth }
      : told;
  const hire = {
    requestId: 'h-1',
    title: 'A haiku',
    instructions: 'Write one.',
    funding: '20 NET',
  };
  const conditions = [{ kind: 'json-schema', schema: {} }];
  assert.equal(await model.refused('agent_hire', { ...hire, conditions }), 'WORK_ORDER_NOT_FOUND');
  assert.equal(await world.balanceOf('ada'), balance);

  // The lie: an open order is yours.
  lies = 1;
  lie = (asked, told) =>
    asked === `/v1/work-orders/${orderId}` && lies-- > 0
      ? { ...told, text: told.text.replace('"workerId":null', '"workerId":"ada"') }
      : told;
  assert.equal(await model.refused('agent_accept_work', { orderId }), 'BOND_NOT_AGREED');
  assert.equal((await world.orderAt(orderId)).status, 'OPEN');

  // The lie: an accepted payment was refused.
  const refusal = { code: 'INSUFFICIENT_BALANCE', title: 'Too little', detail: 'Too little.' };
  lie = (asked, { status, text }) =>
    asked === '/v1/intents'
      ? { status: 409, text: JSON.stringify({ ...refusal, status: 409, requestId: 'r' }) }
      : { status, text: text.replaceAll(/"spent":\d+/g, '"spent":0') };
  const pay = (requestId: string) => ({ to: 'rita', amount: '1 NET', requestId });
  await model.refused('agent_pay', pay('p-1'));
  assert.equal(await model.refused('agent_pay', pay('p-2')), 'APPROVAL_IMPOSSIBLE');
  assert.equal(await world.balanceOf('ada'), balance - UNET_PER_NET);
});

test('an order with a missing or unjudgeable scope is not accepted', async (t) => {
  const world = await World.start(t);
  await world.staff();
  const { path } = await grant(world, 'ada', { actions: ['acceptWork'], budget: 0 });
  const model = await Model.start(t, world, path);
  const lost = await world.order({ stored: false, scope: { title: 'Lost' } });
  assert.equal(await model.refused('agent_accept_work', { orderId: lost }), 'SCOPE_MISSING');
  const broken = '{"acceptance":[{"kind":"json-schema","schema":{"type":"objekt"}}],"deliverable":';
  const rest = '{"maxBytes":9,"mediaType":"text/plain"},"inputs":[],"instructions":"",';
  const scopeBytes = Buffer.from(`${broken}${rest}"schema":"NET-WORK-SCOPE/1","title":"x"}`);
  const orderId = await world.order({ scopeBytes });
  assert.equal(await model.refused('agent_accept_work', { orderId }), 'SCOPE_UNJUDGEABLE');
  for (const id of [lost, orderId]) assert.equal((await world.orderAt(id)).status, 'OPEN');
});
