/** An agent that acts under a session: what it may, until it may no more. */
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Agent, type AgentOptions } from './agent.ts';
import type { SessionFile, SessionOptions } from './session.ts';
import { once, stage } from './testing/staged.ts';

const staged = stage({ staffed: true });

const WORK = ['acceptWork', 'submitWorkResult', 'settleVerifiedWork'] as const;

interface Granted {
  path: string;
  session: SessionFile;
}

/** An agent with 50 NET that grants a session, and stops: its own key stays at home. */
async function grant(t: TestContext, agentId: string, options: SessionOptions): Promise<Granted> {
  const { world } = staged;
  const agent = await Agent.open(agentId, world.options());
  t.after(() => agent.stop());
  await agent.act('faucet', { amount: 50_000_000 });
  await agent.act('extendAgentCapabilities', { agentId, actions: ['transfer'] });
  const { path, session } = await agent.grantSession(options);
  await agent.stop();
  assert.ok(path);
  return { path, session };
}

async function open(
  t: TestContext,
  session: string | SessionFile,
  options: AgentOptions = {},
): Promise<Agent> {
  const keys = join(staged.world.home, 'elsewhere', 'keys');
  const agent = await Agent.openSession(session, staged.world.options({ keys, ...options }));
  t.after(() => agent.stop());
  return agent;
}

test('a session works and is paid, with the key of the agent elsewhere', async (t) => {
  const { world } = staged;
  const { path } = await grant(t, 'ada', { actions: WORK, budget: 0 });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const agent = await open(t, path);
  assert.throws(() => agent.memory, { code: 'MEMORY_OFF' });
  assert.throws(() => agent.onMessage(() => null), { code: 'SESSION_READS_NOTHING' });
  await assert.rejects(agent.grantSession({ actions: WORK, budget: 0 }), {
    code: 'SESSION_CANNOT_GRANT',
  });
  agent.onWork(() => 'done under a session');
  const paid = once(agent, 'paid');
  const run = agent.run();
  const orderId = await world.order({ agentId: 'ada' });
  assert.equal((await paid).orderId, orderId);
  await agent.stop();
  await run;
  const beacons = await world.events('BeaconPublished');
  assert.equal(beacons.filter((data) => data['agentId'] === 'ada').length, 1);
});

test('a session is granted with actions that the agent adds first, and a refusal names the action', async (t) => {
  const agent = await Agent.open('wide', staged.world.options());
  t.after(() => agent.stop());
  const actions = ['acceptWork', 'transfer', 'createWorkOrder'] as const;
  await agent.grantSession({ actions, budget: 0 });
  await assert.rejects(agent.grantSession({ actions: ['transfer', 'voteWork'], budget: 0 }), {
    code: 'SESSION_TOO_WIDE',
    message: /wide holds no capability for voteWork/,
  });
});

test('a session sends messages and keeps memory if it was granted the encryption key', async (t) => {
  const actions = [
    'sendAgentMessage',
    'acknowledgeAgentMessage',
    'commitMemoryCheckpoint',
  ] as const;
  const { session } = await grant(t, 'talker', { actions, budget: 0 });
  const agent = await open(t, session);
  agent.onMessage(({ text }) => `under a session: ${text}`);
  agent.memory.set('by', 'the session');
  await agent.memory.commit();
  void agent.run();
  const asker = await Agent.open('asker', staged.world.options());
  t.after(() => asker.stop());
  assert.equal((await asker.ask('talker', 'hello')).text, 'under a session: hello');
  await agent.stop();
  const owner = await Agent.open('talker', staged.world.options());
  t.after(() => owner.stop());
  assert.equal(owner.memory.get('by'), 'the session');
});

test('what leaves the account stays within the budget, and other actions are refused', async (t) => {
  const { world } = staged;
  await world.join('shop');
  const options = { actions: ['transfer'], budget: '2 NET', maxAmount: '1.5 NET' } as const;
  const { path } = await grant(t, 'spender', options);
  const agent = await open(t, path);
  const pay = (amount: number): Promise<unknown> => agent.act('transfer', { to: 'shop', amount });
  await assert.rejects(pay(1_500_001), { code: 'SESSION_AMOUNT_EXCEEDED' });
  await pay(1_500_000);
  await assert.rejects(pay(500_001), { code: 'SESSION_BUDGET_EXCEEDED' });
  await pay(500_000);
  await assert.rejects(pay(1), { code: 'SESSION_BUDGET_EXCEEDED' });
  await assert.rejects(agent.act('faucet', { amount: 1 }), { code: 'SESSION_ACTION_MISSING' });
  assert.equal(await world.balanceOf('spender'), 48_000_000);
});

test('a session that is revoked in flight ends the run, and opens no more', async (t) => {
  const { world } = staged;
  const { path, session } = await grant(t, 'revoked', { actions: WORK, budget: 0 });
  const agent = await open(t, path);
  agent.onWork(async ({ orderId, signal }) => {
    const actor = await world.actorOf('revoked');
    const { sessionId } = session;
    await world.act(actor, 'revokeSession', { agentId: 'revoked', sessionId });
    return `${orderId} ${signal.aborted}`;
  });
  const ended = assert.rejects(agent.run(), { code: 'SESSION_ENDED' });
  const orderId = await world.order({ agentId: 'revoked' });
  await ended;
  assert.equal((await world.orderAt(orderId)).status, 'ACCEPTED');
  await assert.rejects(open(t, path), { code: 'SESSION_ENDED' });
  // The agent itself continues after it names a session that no longer exists.
  const owner = await Agent.open('revoked', world.options());
  t.after(() => owner.stop());
  const { sessionId } = session;
  const again = owner.act('revokeSession', { agentId: 'revoked', sessionId });
  await assert.rejects(again, { code: 'SESSION_UNKNOWN' });
  await owner.act('faucet', { amount: 1 });
});

test('a session that expires ends the run', async (t) => {
  const { world } = staged;
  // Far enough that it is granted and opened in time, however slowly; then the heights are made that it takes.
  const { path } = await grant(t, 'mayfly', { actions: WORK, budget: 0, expiresIn: 200 });
  const agent = await open(t, path);
  const over = new AbortController();
  const ended = assert.rejects(agent.run(), { code: 'SESSION_ENDED' }).finally(() => over.abort());
  const actor = await world.actorOf('mayfly');
  while (!over.signal.aborted) await world.act(actor, 'transfer', { to: 'rita', amount: 1 });
  await ended;
});

test('what is no session file, of another chain, or open to others is refused', async (t) => {
  const { path, session } = await grant(t, 'careful', { actions: WORK, budget: 0 });
  const { home } = staged.world;
  const other = join(home, 'other.json');
  writeFileSync(other, JSON.stringify({ ...session, privateKey: 'PRIVATE' }), { mode: 0o600 });
  await assert.rejects(open(t, other), { code: 'SESSION_FILE_INVALID' });
  await assert.rejects(open(t, join(home, 'nowhere.json')), { code: 'SESSION_FILE_INVALID' });
  await assert.rejects(open(t, { ...session, chainId: 'other' }), { code: 'CHAIN_MISMATCH' });
  const shared = join(home, 'shared.json');
  writeFileSync(shared, JSON.stringify(session), { mode: 0o644 });
  await assert.rejects(open(t, shared), { code: 'KEY_FILE_READABLE' });
  const alive = await open(t, path);
  assert.equal(alive.agentId, 'careful');
});
