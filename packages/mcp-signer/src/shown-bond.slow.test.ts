/** A node that tells one bond while the owner is asked, and another one afterwards. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNET_PER_NET } from '@netd/protocol';
import { World } from '@netd/sdk/testing/world';
import { lyingNode } from './testing/lying-node.ts';
import { grant, Model } from './testing/model.ts';

const BOND = 2 * UNET_PER_NET;

test('the bond that is signed is the one that was shown, to the unit', async (t) => {
  const world = await World.start(t);
  await world.staff();
  const { path } = await grant(world, 'ada', { actions: ['acceptWork'], budget: '4 NET' });
  const orderId = await world.order({ workerBond: BOND });
  let lies = 1;
  const url = await lyingNode(t, world.node.url, (asked, text) =>
    asked === `/v1/work-orders/${orderId}` && lies-- > 0
      ? text.replace(`"workerBond":${BOND}`, '"workerBond":0')
      : text,
  );
  const model = await Model.start(t, world, path, { url, askAbove: 0 });
  assert.equal(await model.refused('agent_accept_work', { orderId }), 'BOND_NOT_AGREED');
  assert.equal((await world.orderAt(orderId)).status, 'OPEN');
  // Told the truth, the owner would be asked, which this client cannot.
  assert.equal(await model.refused('agent_accept_work', { orderId }), 'APPROVAL_IMPOSSIBLE');
});

test('an order whose scope is nowhere or cannot be judged is not accepted', async (t) => {
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
