/** A node that tells one bond while the owner is asked, and another one afterwards. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { UNET_PER_NET } from '@netd/protocol';
import { World } from '@netd/sdk/testing/world';
import { grant, Model } from './testing/model.ts';

const BOND = 2 * UNET_PER_NET;

test('the bond that is signed is the one that was shown, to the unit', async (t) => {
  const world = await World.start(t);
  await world.staff();
  const { path } = await grant(world, 'ada', { actions: ['acceptWork'], budget: '4 NET' });
  const orderId = await world.order({ workerBond: BOND });
  let lies = 1;
  const liar = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '' } = request;
      const body = (await buffer(request)).toString();
      const headers = { 'content-type': 'application/json' };
      const post = method === 'POST' ? { method, body, headers } : {};
      const answer = await fetch(world.node.url + url, post);
      let text = await answer.text();
      if (url === `/v1/work-orders/${orderId}` && lies-- > 0)
        text = text.replace(`"workerBond":${BOND}`, '"workerBond":0');
      response.writeHead(answer.status, headers).end(text);
    })();
  }).listen(0, '127.0.0.1');
  await once(liar, 'listening');
  t.after(() => liar.close().closeAllConnections());
  const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
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
