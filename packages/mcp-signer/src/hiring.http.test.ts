/** Hiring by a model: each step happens once, however often it is called. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { UNET_PER_NET, utf8Bytes, type JsonObject } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { World } from '@netd/sdk/testing/world';
import { grant, Model } from './testing/model.ts';

const NET = UNET_PER_NET;
const WORKER = ['acceptWork', 'submitWorkResult', 'settleVerifiedWork', 'releaseWork'] as const;
const REQUESTER = [
  'createWorkOrder',
  'cancelWorkOrder',
  'openDispute',
  'settleVerifiedWork',
] as const;

const ends: (() => unknown)[] = [];
let world: World;
before(async () => {
  world = await World.start({ after: (end: () => unknown) => void ends.push(end) });
  await world.staff();
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

type Test = Parameters<typeof Model.start>[0];

async function requester(t: Test, agentId: string): Promise<Model> {
  const { path } = await grant(world, agentId, { actions: REQUESTER, budget: '40 NET' });
  return Model.start(t, world, path, { askAbove: 100 * NET });
}

async function worker(t: Test, agentId: string): Promise<Model> {
  const { path } = await grant(world, agentId, { actions: WORKER, budget: 0 });
  return Model.start(t, world, path);
}

const HAIKU = {
  requestId: 'haiku',
  title: 'A haiku',
  instructions: 'Three lines about rain, as JSON.',
  conditions: [
    {
      kind: 'json-schema',
      schema: { type: 'object', required: ['lines'], properties: { lines: { type: 'array' } } },
    },
  ],
  funding: '4 NET',
  mediaType: 'application/json',
};

test('an order is offered once, done by another model, judged, and paid', async (t) => {
  const chief = await requester(t, 'chief');
  const start = await world.balanceOf('chief');
  const hire = { ...HAIKU, worker: 'poet' };
  assert.equal(await chief.refused('agent_hire', hire), 'AGENT_UNKNOWN');
  const poet = await worker(t, 'poet');
  const offered = await chief.call('agent_hire', hire);
  assert.deepEqual(await chief.call('agent_hire', hire), offered);
  assert.equal(offered['escrow'], '4.08 NET');
  assert.equal(await world.balanceOf('chief'), start - 4.08 * NET);
  assert.equal(await chief.refused('agent_hire', { ...hire, funding: '5 NET' }), 'ACT_ID_USED');
  const orderId = offered['orderId'] as string;

  const found = await poet.call('agent_find_work', { waitSeconds: 20 });
  assert.match(JSON.stringify(found), new RegExp(orderId));
  await poet.call('agent_accept_work', { orderId });
  assert.equal(await chief.refused('agent_cancel_work', { orderId }), 'WORK_ORDER_NOT_OPEN');
  assert.equal((await chief.call('agent_check_hire', { orderId }))['result'], null);
  const checking = chief.call('agent_check_hire', { orderId, waitSeconds: 45 });
  await poet.call('agent_deliver_work', { orderId, result: '{"lines":["rain"]}' });
  const { order, result } = (await checking) as { order: JsonObject; result: JsonObject };
  assert.match(JSON.stringify([order['phase'], order['status']]), /VERIFIED|PAID/);
  assert.equal(result['verdict'], 'met');
  const { from, content } = result['says'] as { from: string; content: JsonObject };
  assert.equal(from, 'poet');
  assert.equal(content['text'], '{"lines":["rain"]}');

  // Either side may settle.
  const paid = await until(async () => {
    const answer = await chief.call('agent_settle_work', { orderId, waitSeconds: 30 });
    return answer['status'] === 'PAID' ? answer : null;
  });
  assert.equal(paid['paid'], '4 NET');
  assert.equal(await world.balanceOf('poet'), 54 * NET);
  const { orders } = await chief.call('agent_check_hire');
  assert.deepEqual(
    (orders as JsonObject[]).map((one) => [one['orderId'], one['status']]),
    [[orderId, 'PAID']],
  );
  assert.equal(await poet.refused('agent_check_hire', { orderId }), 'NOT_YOUR_ORDER');
});

test('an order that no worker has is taken back, with its money', async (t) => {
  const chief = await requester(t, 'fickle');
  const start = await world.balanceOf('fickle');
  const { orderId } = await chief.call('agent_hire', HAIKU);
  for (let i = 0; i < 2; i++) {
    const answer = await chief.call('agent_cancel_work', { orderId: orderId as string });
    assert.deepEqual([answer['status'], answer['reason']], ['REJECTED', 'CANCELLED']);
  }
  assert.equal(await world.balanceOf('fickle'), start);
  const other = await world.order();
  assert.equal(await chief.refused('agent_cancel_work', { orderId: other }), 'NOT_YOUR_ORDER');
});

test('a wrong result that verifiers accepted is unmet, and disputed with a bond', async (t) => {
  const slow = await World.start(t, { chain: { disputeWindow: 60_000 } });
  await slow.staff();
  const { path } = await grant(slow, 'strict', { actions: REQUESTER, budget: '40 NET' });
  const chief = await Model.start(t, slow, path, { askAbove: 100 * NET });
  const { orderId } = (await chief.call('agent_hire', {
    ...HAIKU,
    conditions: [{ kind: 'sha256', hash: '0'.repeat(64) }],
  })) as { orderId: string };
  const forger = await slow.join('forger');
  await slow.act(forger, 'acceptWork', { agentId: 'forger', orderId });
  // Bypasses the SDK's own check.
  const deliverableHash = await slow.store(utf8Bytes('Not this.'));
  const evidence = {
    schema: 'NET-WORK-EVIDENCE/1',
    artifactHash: deliverableHash,
    proofType: 'ARTIFACT_HASH',
  };
  const agentId = 'forger';
  await slow.act(forger, 'submitWorkResult', { orderId, agentId, deliverableHash, evidence });
  const { result, order } = (await chief.call('agent_check_hire', {
    orderId,
    waitSeconds: 45,
  })) as { result: JsonObject; order: JsonObject };
  assert.equal(result['verdict'], 'unmet');
  assert.equal(order['phase'], 'VERIFIED');
  const dispute = { orderId, reason: 'Other bytes than were asked for.' };
  await chief.stop();
  const again = await Model.start(t, slow, path, { askAbove: 100 * NET });
  for (let i = 0; i < 2; i++) {
    const { phase } = await again.call('agent_dispute_work', dispute);
    // The next block finds no second jury.
    assert.match(JSON.stringify(phase), /^"(?:DRAWING|DISPUTED)"$/);
  }
});

test('calls that the chain would refuse are refused before anything is stored or paid', async (t) => {
  const chief = await requester(t, 'hasty');
  const start = await world.balanceOf('hasty');
  const cases: [JsonObject, string][] = [
    [{ conditions: [{ kind: 'json-schema' }] }, 'SCOPE_UNJUDGEABLE'],
    [{ funding: '39.5 NET' }, 'SESSION_BUDGET_EXCEEDED'],
    [{ worker: 'hasty' }, 'REQUESTER_IS_WORKER'],
    [{ deliverWithinSeconds: 1, workerBond: '40 NET' }, 'WORKER_BOND_INVALID'],
    [{ conditions: [] }, 'ARGUMENTS_INVALID'],
  ];
  for (const [more, code] of cases) {
    assert.equal(await chief.refused('agent_hire', { ...HAIKU, ...more }), code);
  }
  assert.equal(await world.balanceOf('hasty'), start);
});

test('the documents of the network are listed and read, whole and in pages', async (t) => {
  const reader = await worker(t, 'reader');
  const list: string[] = [];
  let cursor: unknown;
  while (cursor !== null) {
    const answer = await reader.call(
      'agent_read_document',
      typeof cursor === 'string' ? { cursor } : {},
    );
    list.push(...(answer['documents'] as { content: string[] }).content);
    cursor = answer['nextCursor'];
  }
  assert.ok(list.length > 50);
  assert.ok(list.some((row) => row.startsWith('/v1/validation: ')));
  const block = await reader.call('agent_read_document', { path: '/v1/blocks?limit=1' });
  const { content } = block['document'] as { content: { blocks: unknown[] } };
  assert.equal(content.blocks.length, 1);
  let text = '';
  cursor = undefined;
  while (cursor !== null) {
    const answer = await reader.call('agent_read_document', {
      path: '/llms.txt',
      ...(typeof cursor === 'string' ? { cursor } : {}),
    });
    text += (answer['document'] as { content: { text: string } }).content.text;
    cursor = answer['nextCursor'];
  }
  assert.equal(text, await world.client.text('/llms.txt'));
  const missing = await reader.refused('agent_read_document', { path: '/v1/agents/no-one' });
  assert.equal(missing, 'AGENT_NOT_FOUND');
});
