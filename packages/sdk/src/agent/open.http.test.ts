/** How an agent comes to be: keys, joining, beacon, capabilities; and each act once. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readKeyFile } from '@netd/node/keys';
import type { JsonObject } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { Answer, TamperingProxy } from '@netd/testkit/tampering-proxy';
import { agentMetadata } from '@netd/formats';
import { Agent, type AgentOptions } from './agent.ts';
import { memoryHome } from './leased-home.ts';
import { extend } from './own-acts.ts';
import { originOfUri, reachableOrigin } from './origins.ts';
import { labKey } from '../test/lab-key.ts';
import { stage } from './testing/staged.ts';

const staged = stage();
const CHAIN = 'net-devnet-1';

async function open(t: TestContext, agentId: string, options: AgentOptions = {}): Promise<Agent> {
  const agent = await Agent.open(agentId, staged.world.options(options));
  t.after(() => agent.stop());
  return agent;
}
const keyPath = (name: string, keys = 'keys'): string =>
  join(staged.world.home, keys, CHAIN, `${name}.json`);
const count = async (type: string, agentId: string): Promise<number> =>
  (await staged.world.events(type)).filter((data) => data['agentId'] === agentId).length;

test('it opens at a follower that has handed its registration on and does not have its block yet', async (t) => {
  const proxy = await TamperingProxy.before(staged.world.node.url);
  t.after(() => proxy.close());
  let behind = 0;
  let looks = 0;
  proxy.tamper = (path, document) => {
    if (path === '/v1/agents/register') behind = 3;
    const isHeight = path === '/v1/network';
    if (behind === 0 || (!isHeight && path !== '/v1/agents/lena')) return document;
    if (isHeight) return { ...document, height: 0 };
    behind--;
    looks++;
    return new Answer(404, { code: 'AGENT_NOT_FOUND', title: 'No such agent', status: 404 });
  };
  const agent = await open(t, 'lena', { url: proxy.url });
  assert.equal(looks, 3);
  assert.equal(await count('BeaconPublished', 'lena'), 1);
  await agent.stop();
});

test('a replaced chain ends run and every call that waits', async (t) => {
  const proxy = await TamperingProxy.before(staged.world.node.url);
  t.after(() => proxy.close());
  await open(t, 'quiet', { memory: false });
  const agent = await open(t, 'left', { url: proxy.url, memory: false });
  agent.onMessage(() => 'never');
  const ends = [
    assert.rejects(agent.run(), { code: 'CHAIN_REPLACED' }),
    assert.rejects(agent.ask('quiet', 'who?'), { code: 'CHAIN_REPLACED' }),
  ];
  const isSent = (data: JsonObject): boolean => data['fromAgentId'] === 'left';
  await until(async () => (await staged.world.events('AgentMessageSent')).some(isSent));
  proxy.tamper = (path, document) => {
    if (path === '/v1/network') return { ...document, height: 1, genesisHash: 'f'.repeat(64) };
    return typeof document['height'] === 'number' ? { ...document, height: 1 } : document;
  };
  await Promise.all(ends);
  await assert.rejects(agent.ask('quiet', 'still there?'), { code: 'CHAIN_REPLACED' });
});

test('a timeout bounds the whole call, also while the node is away', async (t) => {
  const proxy = await TamperingProxy.before(staged.world.node.url);
  t.after(() => proxy.close());
  const agent = await open(t, 'bounded', { url: proxy.url, memory: false, log: false });
  proxy.tamper = () => new Answer(503, { code: 'OVERLOADED', title: 'Busy', status: 503 });
  await assert.rejects(agent.ask('quiet', 'when?', { timeout: 300 }), { code: 'ANSWER_TIMEOUT' });
});

test('it stops without a warning while the node is away: its memory is on disk', async (t) => {
  const proxy = await TamperingProxy.before(staged.world.node.url);
  t.after(() => proxy.close());
  const agent = await open(t, 'leaving', { url: proxy.url });
  const warnings: unknown[] = [];
  agent.on('warning', (warning) => warnings.push(warning));
  agent.on('offline', () => {});
  agent.memory.set('kept', 'yes');
  proxy.tamper = () => new Answer(503, { code: 'OVERLOADED', title: 'Busy', status: 503 });
  await agent.stop();
  assert.deepEqual(warnings, []);
  const again = await open(t, 'leaving');
  assert.equal(again.memory.get('kept'), 'yes');
});

test('a handler that would never be called, or would replace another one, is refused', async (t) => {
  const agent = await open(t, 'prompt', { memory: false });
  agent.onWork(() => 'in time');
  agent.onMessage(() => 'in time');
  const running = agent.run();
  assert.throws(() => agent.onWork(() => 'never'), { code: 'HANDLER_TWICE' });
  assert.throws(() => agent.onMessage(() => 'never'), { code: 'HANDLER_TWICE' });
  assert.throws(() => agent.onMessage('never' as never), { code: 'ARGUMENT_INVALID' });
  assert.throws(() => agent.onWork({ minFundin: 1 } as never, () => 'x'), /mean minFunding/);
  await agent.stop();
  await running;
});

test('an agent that has stopped answers every call with AGENT_STOPPED', async (t) => {
  const agent = await open(t, 'ended');
  const { memory } = agent;
  await agent.stop();
  const hash = '0'.repeat(64);
  const facts = { messageId: 'm', fromAgentId: 'ada', contentHash: hash } as never;
  const calls: (() => unknown)[] = [
    () => agent.onWork(() => 'x'),
    () => agent.onMessage(() => 'x'),
    () => agent.onHandover(() => null),
    () => agent.findings('o-1'),
    () => agent.send('ada', 'x'),
    () => agent.ask('ada', 'x'),
    () => agent.act('withdrawBeacon', {}),
    () => agent.hire({ title: 't', instructions: 'i', acceptance: [] as never, funding: 1 }),
    () => agent.hired('o-1'),
    () => agent.release('o-1'),
    () => agent.dispute('o-1', 'why'),
    () => agent.offer('o-1'),
    () => agent.accept('o-1'),
    () => agent.input({ scope: { inputs: [] } } as never, 'x'),
    () => agent.deliver('o-1', 'x'),
    () => agent.openMessage(facts),
    () => agent.acknowledge(facts),
    () => agent.store('x'),
    () => agent.fetch(hash),
    () => agent.grantSession({ actions: ['transfer'], budget: 1 }),
    () => agent.rotateEncryptionKey(),
    () => memory.set('a', 1),
    () => memory.delete('a'),
    () => memory.commit(),
    () => memory.keep(),
    () => memory.handOver({ providerId: 'p', runtimeId: 'r' }),
  ];
  for (const call of calls) {
    await assert.rejects(async () => call(), { code: 'AGENT_STOPPED' }, String(call));
  }
});

test('refuses a laboratory key outside a laboratory and registers nothing', async () => {
  const agentId = 'lola';
  const { publicKey, publicKeyHash, privateKey } = labKey(agentId);
  mkdirSync(dirname(keyPath(agentId)), { recursive: true, mode: 0o700 });
  const file = { chainId: CHAIN, actorId: agentId, publicKey, publicKeyHash, privateKey };
  const text = JSON.stringify({ schema: 'NET-AGENT-KEY/1', ...file });
  writeFileSync(keyPath(agentId), text, { mode: 0o600 });
  await assert.rejects(Agent.open(agentId, staged.world.options()), { code: 'LAB_KEY_REFUSED' });
  const found = staged.world.client.read('/v1/agents/{agentId}', { agentId });
  await assert.rejects(found, { code: 'AGENT_NOT_FOUND' });
});

test('it joins once, and an idle network stays idle', async (t) => {
  const first = await open(t, 'ada', { description: 'Reads papers.' });
  await first.stop();
  const second = await open(t, 'ada', { description: 'Reads papers.' });
  const { agent, beacon, beaconSequence } = await staged.world.client.read('/v1/agents/{agentId}', {
    agentId: 'ada',
  });
  assert.deepEqual(
    [agent.description, agent.beacon, beaconSequence],
    ['Reads papers.', 'current', 1],
  );
  await second.stop();
  const third = await open(t, 'ada', { description: 'Reads papers.', capabilities: ['summaries'] });
  await third.stop();
  assert.equal(await count('AgentRegistered', 'ada'), 1);
  assert.equal(await count('BeaconPublished', 'ada'), 2);
  const { metadataHash, endpoint } = beacon as { metadataHash: string; endpoint: string };
  const metadata = agentMetadata.read((await staged.world.fetch(metadataHash))!, metadataHash);
  assert.deepEqual(metadata.blobs, staged.world.origins);
  assert.equal(reachableOrigin(originOfUri(endpoint, metadataHash)!), staged.world.origins[0]);
});

test('its key files are those of netd join, for its owner only, and never written over', async (t) => {
  const agent = await open(t, 'keeper');
  await agent.stop();
  for (const name of ['keeper', 'keeper.encryption']) {
    assert.equal(statSync(keyPath(name)).mode & 0o777, 0o600);
  }
  assert.deepEqual(
    readdirSync(join(staged.world.home, 'keys', CHAIN)).filter((name) => name.startsWith('.')),
    [],
  );
  const file = readKeyFile(keyPath('keeper'));
  assert.deepEqual([file.actorId, file.chainId], ['keeper', CHAIN]);
  const before = readFileSync(keyPath('keeper'), 'utf8');
  chmodSync(keyPath('keeper'), 0o640);
  await assert.rejects(open(t, 'keeper'), { code: 'KEY_FILE_READABLE' });
  chmodSync(keyPath('keeper'), 0o600);
  writeFileSync(keyPath('keeper'), before.replace('"keeper"', '"another"'));
  await assert.rejects(open(t, 'keeper'), { code: 'KEY_FILE_INVALID' });
  writeFileSync(keyPath('keeper'), before.slice(0, 100));
  await assert.rejects(open(t, 'keeper'), (error: Error) => {
    assert.equal((error as Error & { code: string }).code, 'KEY_FILE_INVALID');
    assert.ok(!error.message.includes('PRIVATE'));
    return true;
  });
  assert.equal(readFileSync(keyPath('keeper'), 'utf8'), before.slice(0, 100));
});

test('a passphrase seals the keys, also those that were plain before', async (t) => {
  const passphrase = 'correct horse';
  for (const options of [{}, { passphrase }]) {
    const agent = await open(t, 'sealed', options);
    await agent.stop();
  }
  for (const name of ['sealed', 'sealed.encryption']) {
    const text = readFileSync(keyPath(name), 'utf8');
    assert.ok(!text.includes('PRIVATE') && !text.includes('"d"'), name);
  }
  await assert.rejects(open(t, 'sealed'), { code: 'PASSPHRASE_NEEDED' });
  await assert.rejects(open(t, 'sealed', { passphrase: 'wrong' }), { code: 'PASSPHRASE_WRONG' });
  const again = await open(t, 'sealed', { passphrase });
  assert.equal(await count('BeaconPublished', 'sealed'), 1);
  assert.equal(again.agentId, 'sealed');
});

test('refuses a taken name, an invalid name and an unreachable node', async (t) => {
  await staged.world.join('taken');
  await assert.rejects(open(t, 'taken'), { code: 'AGENT_ID_TAKEN' });
  for (const name of ['a', '../evil', 'with space', '']) {
    await assert.rejects(open(t, name), { code: 'AGENT_ID_INVALID' });
  }
  await assert.rejects(open(t, 'ada', { url: 'http://127.0.0.1:1' }), { code: 'NODE_UNREACHABLE' });
  const home = memoryHome();
  const somewhere = await open(t, 'homeless', { home });
  await somewhere.stop();
  const again = await open(t, 'homeless', { home });
  assert.equal(await count('BeaconPublished', 'homeless'), 1);
  assert.equal(again.memory.generation, 0);
});

test('without a store for blobs it joins all the same, and says so', async (t) => {
  const warnings: string[] = [];
  const end = new AbortController();
  const log = (line: string): void => {
    // Time to say it again, were it said more than once.
    if (warnings.push(line) === 1) setTimeout(() => end.abort(), 700);
  };
  const agent = await open(t, 'bare', { blobs: [], log });
  // The stop meets it between two looks for a place, or in one: it ends either way.
  const stored = assert.rejects(
    agent.store('anything'),
    ({ code }: Error & { code?: unknown }) =>
      code === 'AGENT_STOPPED' || code === 'BLOB_ORIGIN_UNKNOWN',
  );
  await agent.run({ signal: end.signal });
  await stored;
  assert.deepEqual(warnings, ['waiting  for: stores for blobs']);
  assert.equal(await count('BeaconPublished', 'bare'), 0);
});

test('stores that the network announces are found, by their beacons', async (t) => {
  const { world } = staged;
  await world.announceBlobs();
  const agent = await open(t, 'finder', { blobs: [] });
  const hash = await agent.store({ found: true });
  for (const store of [0, 1]) assert.ok(await world.fetch(hash, store));
  agent.memory.set('found', true);
  await agent.memory.commit();
  const { checkpoints } = await world.client.read('/v1/memory/checkpoints', { agentId: 'finder' });
  assert.deepEqual(
    checkpoints[0]!.storageReplicas.map(({ providerId }) => providerId),
    ['house-blobs-0', 'house-blobs-1'],
  );
});

test('an act with an id is done once, whatever dies around it; what it needs is asked for once', async (t) => {
  const { world } = staged;
  const rich = await open(t, 'rich');
  await rich.act('faucet', { amount: 10_000_000 });
  await rich.act('faucet', { amount: '10 NET' });
  const anyName: string = 'faucet';
  await assert.rejects(rich.act(anyName, { amount: '10 EUR' }), {
    name: 'AgentError',
    code: 'AMOUNT_INVALID',
    message: /\/amount: "10 EUR".*Write '5 NET'/,
  });
  // Plain JavaScript: no compiler has looked.
  assert.throws(
    () => rich.on('payed' as 'paid', () => {}),
    /no event is called "payed"; there are paid/,
  );
  assert.equal(await count('AgentCapabilitiesExtended', 'rich'), 1);
  await assert.rejects(rich.act('resolveDispute', { orderId: 'x', outcome: 'PAID' }), {
    code: 'CAPABILITY_MISSING',
  });
  await rich.stop();
  await world.join('landlord');
  const rent = { to: 'landlord', amount: 1_000_000 };
  for (const point of ['act.signed', 'act.answered', 'act.recorded'] as const) {
    const dying = await open(t, 'rich', {
      reach: (name, action) => {
        if (name === point && action === 'transfer') throw new Error('dead');
      },
    });
    await assert.rejects(dying.act('transfer', rent, { id: 'rent-of-may' }), /dead/, point);
    await dying.stop();
  }
  const alive = await open(t, 'rich');
  const [first, second] = [
    await alive.act('transfer', rent, { id: 'rent-of-may' }),
    await alive.act('transfer', { ...rent, amount: '1 NET' }, { id: 'rent-of-may' }),
  ];
  assert.deepEqual(first, second);
  const more = { ...rent, amount: 2_000_000 };
  await assert.rejects(alive.act('transfer', more, { id: 'rent-of-may' }), { code: 'ACT_ID_USED' });
  assert.equal(await world.balanceOf('rich'), 19_000_000);
});

test('concurrent first acts of an agent succeed with one extension', async (t) => {
  await staged.world.join('payee');
  const payer = await open(t, 'payer');
  await payer.act('faucet', { amount: '10 NET' });
  const paid = Array.from({ length: 6 }, () =>
    payer.act('transfer', { to: 'payee', amount: '1 NET' }),
  );
  await Promise.all(paid);
  // One for the faucet, one for the six transfers.
  assert.equal(await count('AgentCapabilitiesExtended', 'payer'), 2);
  // The chain has the action although the refusal of the act says otherwise.
  await payer.client.act(
    { actorId: 'payer', key: (await staged.world.actorOf('payer')).key },
    'extendAgentCapabilities',
    { actions: ['createWorkOrder'] },
  );
  assert.equal(await extend(payer['parts'], 'createWorkOrder'), true);
});

test('a state that is not its own is not opened', async (t) => {
  mkdirSync(join(staged.world.home, 'keys', CHAIN), { recursive: true });
  const one = await open(t, 'lone');
  await assert.rejects(open(t, 'lone'), { code: 'AGENT_RUNNING' });
  await one.stop();
  await one.stop();
  await open(t, 'lone');
});

test('what an agent keeps of a chain is never taken for that of another one with the same name', async (t) => {
  const { world } = staged;
  const first = await open(t, 'reborn');
  const { chainId } = first;
  await first.act('faucet', { amount: 1_000_000 }, { id: 'money' });
  await first.stop();
  const place = join(world.home, 'agents', chainId, 'reborn');
  const file = join(place, 'genesis.json');
  const { genesisHash } = await world.client.network();
  const bound = JSON.parse(readFileSync(file, 'utf8')) as object;
  assert.deepEqual(bound, { schema: 'NET-AGENT-STATE/1', chainId, genesisHash, rulesVersion: 2 });
  // As if they had been written on a chain that was reset since.
  writeFileSync(file, JSON.stringify({ ...bound, genesisHash: 'ab'.repeat(32) }));
  await assert.rejects(open(t, 'reborn'), (error: Error & { code: string }) => {
    assert.equal(error.code, 'CHAIN_REPLACED');
    assert.ok(error.message.includes(`move ${place} to ${place}.of-abababab`), error.message);
    return true;
  });
  renameSync(place, `${place}.of-abababab`);
  const again = await open(t, 'reborn');
  const receipt = await again.act('faucet', { amount: 1_000_000 }, { id: 'money' });
  assert.equal(await count('AgentRegistered', 'reborn'), 1);
  assert.equal(receipt.events[0]?.type, 'FaucetPaid');
});
