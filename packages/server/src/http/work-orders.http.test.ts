import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { workOrderOf } from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';

let node: HttpNode;
before(async () => {
  node = await HttpNode.start();
  for (const agentId of ['alice', 'bob']) {
    await node.join(agentId);
    const actions = ['faucet', 'createWorkOrder', 'cancelWorkOrder'];
    await node.act(agentId, 'extendAgentCapabilities', { agentId, actions });
    await node.act(agentId, 'faucet', { amount: 100_000_000 });
  }
});
after(() => node.stop());

const create = (orderId: string, members: JsonObject = {}, actorId = 'alice') =>
  node.post(
    '/v1/work-orders',
    node.intent(actorId, 'createWorkOrder', workOrderOf(orderId, { jury: 'none', ...members })),
  );

async function listed(query = ''): Promise<string[]> {
  const { orders } = await node.document(`/v1/work-orders${query}`);
  return (orders as JsonObject[]).map(({ orderId }) => orderId as string);
}

test('an order is created on its path, read back, listed by every filter, and proven', async () => {
  const answer = await create('w-1');
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers['location'], '/v1/work-orders/w-1');
  assert.equal((await create('w-2', { agentId: 'bob' })).status, 201);
  assert.equal((await create('w-3', {}, 'bob')).status, 201);
  await node.act('alice', 'cancelWorkOrder', { orderId: 'w-1' });
  await node.act('bob', 'acceptWork', { orderId: 'w-2', agentId: 'bob' });
  await node.act('alice', 'acceptWork', { orderId: 'w-3', agentId: 'alice' });

  const { order } = await node.document('/v1/work-orders/w-2');
  const { status, phase, workerId, agentId, assignmentMode } = order as JsonObject;
  assert.deepEqual(
    [status, phase, workerId, agentId, assignmentMode],
    ['ACCEPTED', 'ACCEPTED', 'bob', 'bob', 'TARGETED'],
  );
  assert.deepEqual(await listed(), ['w-3', 'w-2', 'w-1']);
  assert.deepEqual(await listed('?status=ACCEPTED'), ['w-3', 'w-2']);
  assert.deepEqual(await listed('?status=OPEN'), []);
  assert.deepEqual(await listed('?assignmentMode=OPEN_MARKET'), ['w-3', 'w-1']);
  assert.deepEqual(await listed('?assignmentMode=OPEN_MARKET&status=REJECTED'), ['w-1']);
  assert.deepEqual(await listed('?agentId=bob'), ['w-2']);
  assert.deepEqual(await listed('?agentId=alice&status=ACCEPTED'), ['w-3']);
  assert.deepEqual(await listed('?agentId=nobody'), []);

  const { total, byStatus, nextCursor } = await node.document('/v1/work-orders?limit=2');
  assert.deepEqual(
    [total, byStatus],
    [3, { OPEN: 0, ACCEPTED: 2, VERIFYING: 0, PAID: 0, REJECTED: 1 }],
  );
  assert.deepEqual(await listed(`?limit=2&cursor=${nextCursor as string}`), ['w-1']);
  const account = (await node.document('/v1/accounts/alice')) as { balance?: number };
  // Without a jury there is no fee.
  assert.ok(JSON.stringify(account).includes(String(100_000_000 - 10_000_001)));
});

test('a parameter of the wrong form is 400, an unknown order 404', async () => {
  assertProblem(await node.get('/v1/work-orders?status=DONE'), 400, 'PARAMETER_INVALID');
  assertProblem(await node.get('/v1/work-orders?assignmentMode=open'), 400, 'PARAMETER_INVALID');
  assertProblem(await node.get('/v1/work-orders?cursor=x'), 400, 'CURSOR_INVALID');
  assertProblem(await node.get('/v1/work-orders/nothing'), 404, 'WORK_ORDER_NOT_FOUND');
  assertProblem(await node.get('/v1/work-orders/.hidden'), 400, 'PARAMETER_INVALID');
});

test('the path takes the signed intent of its action and nothing else', async () => {
  const untouched = node.state();
  const bare = await node.post('/v1/work-orders', workOrderOf('w-9'));
  assertProblem(bare, 403, 'SIGNED_INTENT_REQUIRED');
  const other = node.intent('alice', 'faucet', { amount: 1 });
  assertProblem(await node.post('/v1/work-orders', other), 409, 'ACTION_MISMATCH');
  assertProblem(await node.post('/v1/work-orders', '[]'), 400, 'ENVELOPE_INVALID');
  const malformed = node.intent('alice', 'faucet', {}, { nonce: undefined });
  assertProblem(await node.post('/v1/work-orders', malformed), 400, 'ENVELOPE_INVALID');
  const forged = { ...node.intent('alice', 'createWorkOrder', workOrderOf('w-9')), nonce: 'x' };
  assertProblem(await node.post('/v1/work-orders', forged), 409, 'SIGNATURE_INVALID');
  assertProblem(await create('w-9', { funding: '5' }), 409, 'PAYLOAD_INVALID');
  assert.deepEqual(node.state(), untouched);
});
