/** Attacks of docs/attacks.md against default agents: a newcomer without money works, and another one hires. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { contestBondOf, hashValue, utf8Bytes, verificationFeeOf } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { fastWork, INSTANT } from '@netd/testkit/fast-devnet';
import type { Actor } from '../client.ts';
import { AgentKey } from '../agent-key.ts';
import { Agent } from './agent.ts';
import { codeOf } from './agent-error.ts';
import { offerFrom } from './hire.ts';
import { once, stage } from './testing/staged.ts';
import { World, type OrderOptions } from './testing/world.ts';

const staged = stage({ staffed: true });
const NET = 1_000_000;
const FUNDING = 40 * NET;
/** A jury has so long to vote, and the requester so long to contest. */
const SHORT = { heights: 1, milliseconds: 300 };

async function opened(t: TestContext, name: string, { world } = staged): Promise<Agent> {
  const agent = await Agent.open(name, world.options({ memory: false }));
  t.after(() => agent.stop());
  return agent;
}

/** An order for a default worker that has just joined, by a requester that attacks. */
async function attacked(
  t: TestContext,
  agentId: string,
  terms: OrderOptions = {},
  { world } = staged,
) {
  const agent = await opened(t, agentId, { world });
  agent.onWork(() => 'one two three');
  const paid = once(agent, 'paid');
  const orderId = await world.order({ ...terms, agentId, funding: FUNDING });
  const run = agent.run();
  t.after(() => run);
  return { orderId, paid, order: () => world.orderAt(orderId) };
}

test('a requester recruited by a verifier has the jury of any other, and pays', async (t) => {
  const { world } = staged;
  const mallory: Actor = { actorId: 'mallory', key: await AgentKey.generate() };
  await world.client.register(mallory, { referrerAgentId: 'vera' });
  const actions = ['faucet', 'createWorkOrder'] as const;
  await world.client.act(mallory, 'extendAgentCapabilities', { actions: [...actions] });
  await world.client.act(mallory, 'faucet', { amount: 900 * NET });
  const honest = world.requester;
  world.requester = mallory;
  t.after(() => (world.requester = honest));
  const { order, paid } = await attacked(t, 'newcomer-1');
  await paid;
  assert.deepEqual(
    (await order()).verification?.committee.map(({ verifierId }) => verifierId).toSorted(),
    ['vera', 'viki', 'vito'],
  );
  assert.equal(await world.balanceOf('newcomer-1'), FUNDING);
});

test('a policy that no jury can meet offers nothing that an agent could take', async () => {
  const { world } = staged;
  const { validationPolicy, ...terms } = world.orderPayload({ funding: FUNDING });
  const seven = { ...validationPolicy!, requiredAccepts: 7, committeeSize: 7 };
  const lure = world.act(world.requester, 'createWorkOrder', { ...terms, validationPolicy: seven });
  await assert.rejects(lure, { code: 'WORK_JURY_UNAVAILABLE' });
});

test('a jury that is kept busy does not keep the money of its requester', async (t) => {
  const world = await World.start(t, { chain: { policy: { work: fastWork(200, INSTANT) } } });
  await world.staff();
  world.pauseVotes(true);
  const { order, paid } = await attacked(t, 'newcomer-2', { verifyWithin: SHORT }, { world });
  await paid;
  assert.deepEqual(
    [(await order()).unjudged, await world.balanceOf('newcomer-2')],
    ['UNVERIFIED', FUNDING],
  );
});

test('a scope that no verifier can judge, and a contest of it, cost the requester half the funding', async (t) => {
  const { world } = staged;
  world.canJudge = false;
  t.after(() => (world.canJudge = true));
  const { orderId, order, paid } = await attacked(t, 'newcomer-3');
  await until(async () => (await order()).phase === 'UNJUDGED');
  const bond = contestBondOf(FUNDING);
  const before = await world.balanceOf('rita');
  const reasonHash = hashValue('It is not what I wanted.');
  await world.act(world.requester, 'openDispute', { orderId, reasonHash, bond });
  // The agent answers with the nothing that it holds. No second jury is left, so an operator decides.
  await until(async () => (await order()).phase === 'DISPUTED');
  assert.equal((await order()).dispute?.answerBond, 0);
  await world.act(world.operator, 'resolveDispute', { orderId, outcome: 'PAID' });
  await paid;
  assert.equal(await world.balanceOf('newcomer-3'), FUNDING + bond);
  assert.equal(await world.balanceOf('rita'), before - bond);
});

test('garbage for an order without a jury costs its worker the bond, if its requester contests it', async (t) => {
  const { world } = staged;
  const mallory = await world.join('garbage-man');
  const victim = await opened(t, 'requester-1');
  await victim.act('faucet', { amount: 100 * NET }, { id: 'money' });
  const hired = await victim.hire({
    title: 'A haiku about hashes',
    instructions: 'Three lines, as one JSON string.',
    deliverable: { mediaType: 'application/json', maxBytes: 1_000 },
    acceptance: [{ kind: 'json-schema', schema: { type: 'string', minLength: 10 } }],
    funding: FUNDING,
    jury: 'none',
    worker: mallory.actorId,
  });
  const { orderId } = hired;
  const deliverableHash = await world.storeAs(mallory, utf8Bytes('"short"'));
  await world.act(mallory, 'acceptWork', { orderId, agentId: mallory.actorId });
  const garbage = { orderId, agentId: mallory.actorId, deliverableHash };
  await world.act(mallory, 'submitWorkResult', garbage);
  await assert.rejects(hired.result(), { code: 'DELIVERABLE_UNMET' });
  world.rejectsBecause = 'It has too few letters.';
  t.after(() => (world.rejectsBecause = null));
  await hired.dispute(world.rejectsBecause);
  const bond = contestBondOf(FUNDING);
  const answer = { orderId, reasonHash: hashValue('It is art.'), bond };
  await world.act(mallory, 'openDispute', answer);
  await assert.rejects(hired.accept(), { code: 'ORDER_UNPAID' });
  const left = 100 * NET + bond - 2 * verificationFeeOf(FUNDING, 200);
  assert.equal(await world.balanceOf(victim.agentId), left);
  assert.equal(await world.balanceOf(mallory.actorId), 900 * NET - bond);
});

test('neither a contest of a good provable result nor provable garbage gains anything', async (t) => {
  const { world } = staged;
  const terms = {
    title: 'A haiku about hashes',
    instructions: 'Three lines, as one JSON string.',
    deliverable: { mediaType: 'application/json', maxBytes: 1_000 },
    acceptance: [{ kind: 'json-schema', schema: { type: 'string', minLength: 10 } }] as const,
    funding: FUNDING,
    jury: 'none' as const,
    verifyWithin: { heights: 5, milliseconds: 600_000 },
    provable: true,
  };
  const requester = await opened(t, 'requester-2');
  await requester.act('faucet', { amount: 100 * NET }, { id: 'money' });
  const bond = contestBondOf(FUNDING);

  const worker = await opened(t, 'newcomer-4');
  worker.onWork(() => '"one two three"');
  const [delivered, paid] = [once(worker, 'delivered'), once(worker, 'paid')];
  const contested = await requester.hire({ ...terms, worker: 'newcomer-4' });
  const run = worker.run();
  t.after(() => run);
  await delivered;
  await contested.dispute('I want it for nothing.');
  await paid;
  assert.equal(await world.balanceOf('newcomer-4'), FUNDING + bond);
  assert.equal((await contested.order()).dispute?.answeredAt ?? null, null);

  const mallory = await world.join('garbage-man-2');
  const hired = await requester.hire({ ...terms, worker: mallory.actorId });
  const deliverableHash = await world.storeAs(mallory, utf8Bytes('"short"'));
  const garbage = { orderId: hired.orderId, agentId: mallory.actorId };
  await world.act(mallory, 'acceptWork', garbage);
  await world.act(mallory, 'submitWorkResult', { ...garbage, deliverableHash });
  await assert.rejects(hired.result(), { code: 'ORDER_UNPAID', message: /DISPROVEN/ });
  assert.equal(await world.balanceOf('requester-2'), 100 * NET - FUNDING - bond);
});

test('a stranger can neither compute the id of a hire within a job, nor pass its own order off as that hire', async (t) => {
  const { world } = staged;
  const mallory: Actor = { actorId: 'mallory-2', key: await AgentKey.generate() };
  await world.client.register(mallory);
  await world.client.act(mallory, 'extendAgentCapabilities', {
    actions: ['faucet', 'createWorkOrder'],
  });
  await world.client.act(mallory, 'faucet', { amount: 90 * NET });
  const terms = {
    title: 'Anything',
    instructions: 'As JSON.',
    acceptance: [{ kind: 'json-schema', schema: {} }],
    funding: '5 NET',
  } as const;
  const occupy = (id: string) =>
    world.act(mallory, 'createWorkOrder', offerFrom({ ...terms, id }).payload);
  const agent = await opened(t, 'newcomer-5');
  await agent.act('faucet', { amount: 20 * NET });
  const requesters: (string | null)[] = [];
  agent.onWork(async (job) => {
    const { orderId } = job;
    const acceptance = `${job.order.acceptedAt!.height}.${job.order.acceptedAt!.index}`;
    const facts = { orderId, acceptance, step: 'help' };
    for (const agentId of [{ agentId: agent.agentId }, {}])
      await occupy(`job-${hashValue({ ...facts, ...agentId }).slice(0, 32)}`);
    const help = job.hire('help', terms).then(async (hired) => world.orderAt(hired.orderId));
    requesters.push(await help.then((order) => order.requesterId, codeOf));
    // A stranger that learns an id before its use can take it, but its order is not the agent's.
    await occupy(job.key('more'));
    await assert.rejects(job.hire('more', terms), { code: 'ACT_ID_USED' });
    requesters.push((await world.orderAt(job.key('more'))).requesterId);
    return 'one two three';
  });
  const paid = once(agent, 'paid');
  await world.order({ agentId: agent.agentId, funding: FUNDING });
  const run = agent.run();
  t.after(() => run);
  await paid;
  assert.deepEqual(requesters, ['newcomer-5', 'mallory-2']);
});

test('the ids of an agent stay the same after a rotation and in another home, and differ between agents', async (t) => {
  const idSecretOf = (agent: Agent): string => agent['parts'].idSecret;
  const agent = await opened(t, 'newcomer-6');
  const before = idSecretOf(agent);
  await agent.rotateEncryptionKey();
  const session = async (readsSealed: boolean): Promise<string> => {
    const granted = await agent.grantSession({ actions: ['acceptWork'], budget: 0, readsSealed });
    const { home: _home, ...options } = staged.world.options({ memory: false });
    const opening = await Agent.openSession(granted.session, { ...options, beacon: false });
    t.after(() => opening.stop());
    return idSecretOf(opening);
  };
  assert.equal(await session(true), before);
  const blind = await session(false);
  assert.notEqual(blind, before);
  await agent.stop();
  assert.equal(idSecretOf(await opened(t, 'newcomer-6')), before);
  assert.notEqual(idSecretOf(await opened(t, 'newcomer-7')), before);
});
