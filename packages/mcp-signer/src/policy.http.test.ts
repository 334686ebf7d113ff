/** The owner's limits: per call, by time, by recipient, and approvals. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { plays } from '@netd/protocol/testing';
import { World } from '@netd/sdk/testing/world';
import { NO_POLICY } from './policy.ts';
import { grant, Model, type ModelOptions, type Owner } from './testing/model.ts';

const NET = UNET_PER_NET;
const TALK = ['sendAgentMessage', 'acknowledgeAgentMessage'] as const;

const ends: (() => unknown)[] = [];
let world: World;
before(async () => {
  world = await World.start({ after: (end: () => unknown) => void ends.push(end) });
  await world.join('shop');
  await world.join('stall');
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

const owner = (action: Owner['action'], more?: number): Owner => ({
  action,
  approve: true,
  questions: [],
  ...(more === undefined ? {} : { more }),
});

const pay = (requestId: number, more: JsonObject = {}): JsonObject => ({
  to: 'shop',
  amount: '0.5 NET',
  requestId: String(requestId),
  ...more,
});

type Test = Parameters<typeof Model.start>[0];

async function payer(
  t: Test,
  agentId: string,
  options: ModelOptions,
): Promise<{ model: Model; path: string }> {
  const actions = ['transfer', ...TALK] as const;
  const { path } = await grant(world, agentId, { actions, budget: '20 NET' });
  return { model: await Model.start(t, world, path, options), path };
}

async function spendingOf(model: Model): Promise<{ left: JsonObject } & JsonObject> {
  return (await model.call('agent_status'))['spending'] as { left: JsonObject } & JsonObject;
}

for (const modern of plays([false], [false, true])) {
  test(`ten payments of half the threshold are one question, not none (modern: ${modern})`, async (t) => {
    const said = owner('accept', 3.5);
    const options = { modern, owner: said, askAbove: NET };
    const { model } = await payer(t, `salami-${modern}`, options);
    for (let i = 1; i <= 10; i++) await model.call('agent_pay', pay(i));
    assert.equal(said.questions.length, 1);
    // The allowance is used up.
    said.action = 'decline';
    assert.equal(await model.refused('agent_pay', pay(11)), 'APPROVAL_DECLINED');
    const { total, on, left } = await spendingOf(model);
    assert.deepEqual([total, on], ['5 NET', { agent_pay: '5 NET' }]);
    assert.equal(left['beforeAsking'], '0 NET');
  });
}

test('limits per call, per hour and in total survive restarts, and no question exceeds them', async (t) => {
  const said = owner('accept');
  const policy = { ...NO_POLICY, perCall: NET, perHour: 1.5 * NET, total: 9 * NET };
  const options = { owner: said, askAbove: 0, policy };
  const { model, path } = await payer(t, 'bounded', options);
  assert.equal(await model.refused('agent_pay', pay(1, { amount: '1.1 NET' })), 'POLICY_LIMIT');
  // Refused payments don't count.
  assert.equal(await model.refused('agent_pay', pay(2, { to: 'no-one' })), 'RECIPIENT_UNKNOWN');
  await model.call('agent_pay', pay(3, { amount: '1 NET', memo: 'rent' }));
  assert.match(said.questions[0] ?? '', /1 NET to "shop", with the public memo "rent"/);
  await model.call('agent_pay', pay(4));
  assert.equal(await model.refused('agent_pay', pay(5)), 'POLICY_LIMIT');
  assert.equal(said.questions.length, 2);
  const { left } = await spendingOf(model);
  assert.deepEqual(left, {
    perCall: '1 NET',
    perHour: '0 NET',
    perDay: null,
    total: '7.5 NET',
    beforeAsking: '0 NET',
  });
  await model.stop();
  const next = await Model.start(t, world, path, options);
  assert.equal(await next.refused('agent_pay', pay(6)), 'POLICY_LIMIT');
  await next.stop();
  // Without the log, the chain's count applies at once.
  const moved = await Model.start(t, world, path, { ...options, keys: `${world.home}/moved/keys` });
  assert.equal(await moved.refused('agent_pay', pay(7)), 'POLICY_LIMIT');
  assert.deepEqual((await spendingOf(moved))['on'], { elsewhere: '1.5 NET' });
});

test('money goes to named accounts alone', async (t) => {
  const policy = { ...NO_POLICY, recipients: ['stall'] };
  const { model } = await payer(t, 'faithful', { askAbove: 100 * NET, policy });
  assert.equal(await model.refused('agent_pay', pay(1)), 'POLICY_RECIPIENT');
  await model.call('agent_pay', pay(2, { to: 'stall' }));
});

test('actions of alwaysAsk are asked about, even without money', async (t) => {
  const said = owner('decline');
  const policy = { ...NO_POLICY, alwaysAsk: ['sendAgentMessage', 'transfer'] };
  const { model } = await payer(t, 'careful', { owner: said, askAbove: 100 * NET, policy });
  const message = { to: 'shop', text: 'A secret.', requestId: '1' };
  assert.equal(await model.refused('agent_send_message', message), 'APPROVAL_DECLINED');
  assert.match(said.questions[0] ?? '', /Send a message.*A secret.*always asked/);
  assert.equal(await model.refused('agent_pay', pay(1)), 'APPROVAL_DECLINED');
  assert.match(said.questions[1] ?? '', /0\.5 NET to "shop"/);
  await model.call('agent_read_messages');
  assert.equal(said.questions.length, 2);
});
