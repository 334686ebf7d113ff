/** A scripted client that knows only descriptions earns, hires, pays and exhausts its budget. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { World } from '@netd/sdk/testing/world';
import { grant, Model } from './testing/model.ts';
import { instanceOf, ScriptedModel } from './testing/scripted-model.ts';

const NET = UNET_PER_NET;
const SCHEMA = {
  type: 'object',
  required: ['about', 'lines'],
  properties: { about: { const: 'rain' }, lines: { type: 'integer' } },
};

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

async function scripted(
  t: Test,
  agentId: string,
  actions: readonly string[],
  budget: number,
): Promise<ScriptedModel> {
  const { path } = await grant(world, agentId, { actions: actions as never, budget });
  return new ScriptedModel(await Model.start(t, world, path, { askAbove: 100 * NET }));
}

/** Follows the "Then" of each description. */
async function earn(worker: ScriptedModel): Promise<string> {
  const finding = await worker.toolFor(/^Open orders/);
  const found = await worker.call(finding, { waitSeconds: 45, requirement: 'research' });
  assert.equal(found.code, null);
  const reading = worker.nextOf(finding);
  await worker.call(reading);
  const conditions = worker.known('acceptance') as JsonObject[];
  const result = JSON.stringify(instanceOf(conditions[0]?.['schema'] as JsonObject));
  const accepting = worker.nextOf(reading);
  assert.equal((await worker.call(accepting)).code, null);
  const delivering = worker.nextOf(accepting);
  assert.equal((await worker.call(delivering, { result })).code, null);
  const settling = worker.nextOf(delivering);
  for (;;) {
    const { answer, code } = await worker.call(settling, { waitSeconds: 45 });
    assert.equal(code, null, JSON.stringify(answer));
    if (typeof answer['paid'] === 'string') return answer['paid'];
    assert.ok(answer['wait'], JSON.stringify(answer));
  }
}

test('it earns, hires one that earns, pays, and stops at the end of its budget', async (t) => {
  const work = ['acceptWork', 'submitWorkResult', 'settleVerifiedWork', 'releaseWork'];
  const worker = await scripted(t, 'worker', work, 0);
  await world.order({
    funding: 3 * NET,
    scope: {
      deliverable: { mediaType: 'application/json', maxBytes: 1_000 },
      acceptance: [{ kind: 'json-schema', schema: SCHEMA }],
    },
  });
  assert.equal(await earn(worker), '3 NET');
  assert.equal(await world.balanceOf('worker'), 53 * NET);

  const hires = ['createWorkOrder', 'cancelWorkOrder', 'openDispute', 'settleVerifiedWork'];
  const chief = await scripted(t, 'chief', [...hires, 'transfer'], 10 * NET);
  const beginning = await chief.toolFor(/Call it first/);
  await chief.call(beginning);
  assert.equal(chief.known('budgetLeft'), '10 NET');
  const hiring = await chief.toolFor(/^Offers an order/);
  const offered = await chief.call(hiring, {
    requestId: 'first',
    title: 'A haiku',
    instructions: 'About rain.',
    conditions: [{ kind: 'json-schema', schema: SCHEMA }],
    funding: '4 NET',
    requirements: ['research'],
    mediaType: 'application/json',
  });
  assert.equal(offered.code, null, JSON.stringify(offered.answer));
  const [paid, checked] = await Promise.all([
    earn(worker),
    chief.call(chief.nextOf(hiring), {
      orderId: chief.known('orderId') ?? null,
      waitSeconds: 45,
    }),
  ]);
  assert.equal(paid, '4 NET');
  assert.equal(checked.code, null, JSON.stringify(checked.answer));
  assert.equal(chief.known('verdict'), 'met');
  assert.equal(chief.known('text'), '{"about":"rain","lines":0}');

  const paying = await chief.toolFor(/^Sends NET/);
  const codes: (string | null)[] = [];
  while (codes.at(-1) === null || codes.length === 0) {
    const call = { to: 'worker', amount: '2 NET', requestId: `tip-${codes.length}` };
    const { code, answer } = await chief.call(paying, call);
    codes.push(code);
    // A model must be able to follow the advice.
    if (code !== null) assert.match(JSON.stringify(answer), /Ask for less, or tell the owner/);
  }
  assert.deepEqual(codes, [null, null, 'SESSION_BUDGET_EXCEEDED']);
  await chief.call(beginning);
  assert.equal(chief.known('budgetLeft'), '1.92 NET');
  assert.equal(await world.balanceOf('worker'), 61 * NET);
  assert.equal(await world.balanceOf('chief'), 50 * NET - 8.08 * NET);
});
