/** Work from an offer to its payment, against a real node, real stores and verifiers who vote. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import {
  agentMetadata,
  generateEncryptionKey,
  openContent,
  publicEncryptionKey,
  sealContent,
  workScope,
  type EncryptionKey,
} from '@netd/formats';
import { sha256Hex, utf8Bytes, utf8Text } from '@netd/protocol';
import { inCampaign, until } from '@netd/protocol/testing';
import { Agent, type AgentOptions } from './agent.ts';
import type { RetryPolicy } from './retry-policy.ts';
import { defineService, type ServedService } from './service.ts';
import { REVIEW_POLICY } from './testing/review-policy.ts';
import { typeOf } from './testing/type-of.ts';
import type { OrderOptions } from './testing/world.ts';
import { slowStore } from './testing/slow-store.ts';
import { once, stage } from './testing/staged.ts';

const staged = stage({ staffed: true });

test('a stranger joins, works and is paid', async () => {
  const { world } = staged;
  const agent = await Agent.open('ada', world.options());
  agent.onWork({ minFunding: '10 NET' }, ({ scope }) => `What it is: ${scope.title}`);
  const run = agent.run();
  const paid = once(agent, 'paid');
  const cheap = await world.order({ agentId: 'ada', funding: 9_999_999 });
  const other = await world.order({ requirements: ['translation'] });
  const orderId = await world.order({ requirements: ['Research'] });
  const { amount, receipt } = await paid;
  assert.equal(amount, 10_000_000);
  assert.ok(receipt?.events.some(({ type }) => type === 'WorkOrderPaid'));
  await agent.stop();
  await run;
  const order = await world.orderAt(orderId);
  assert.deepEqual([order.status, order.workerId], ['PAID', 'ada']);
  const bytes = await world.fetch(order.result!.deliverableHash, 1);
  assert.equal(utf8Text(bytes!), 'What it is: Say what it is');
  assert.equal(await world.balanceOf('ada'), 10_000_000);
  for (const left of [cheap, other]) assert.equal((await world.orderAt(left)).status, 'OPEN');
});

test('orders beyond the limit of an unproven agent are worked later, and the limit says which payment would raise it', async (t) => {
  const { world } = staged;
  const agent = await Agent.open('cheap', world.options({ capabilities: ['cheap-work'] }));
  t.after(() => agent.stop());
  agent.onWork({ minFunding: '1 NET', concurrency: 3 }, () => 'one two three');
  const refused = once(agent, 'skipped', ({ code }) => code === 'WORK_UNPROVEN_LIMIT');
  const paid: string[] = [];
  agent.on('paid', ({ orderId }) => void paid.push(orderId));
  world.pauseVotes(true);
  t.after(() => world.pauseVotes(false));
  for (let i = 0; i < 3; i++)
    await world.order({ requirements: ['cheap-work'], funding: 3_000_000 });
  const run = agent.run();
  assert.match((await refused).reason, /funding of at least 10000000 unet/);
  world.pauseVotes(false);
  await until(() => paid.length === 3);
  await agent.stop();
  await run;
});

async function open(t: TestContext, agentId: string, options: AgentOptions = {}): Promise<Agent> {
  const agent = await Agent.open(agentId, staged.world.options(options));
  t.after(() => agent.stop());
  return agent;
}

const SCOPE = {
  schema: 'NET-WORK-SCOPE/1',
  title: 'Say what it is',
  instructions: 'Three words.',
  inputs: [],
  deliverable: { mediaType: 'text/plain', maxBytes: 1_000 },
  acceptance: [{ kind: 'review', question: 'Are these three words?' }],
} as const;
const scopeBytes = (members: object = {}): Uint8Array =>
  utf8Bytes(utf8Text(workScope.make({ ...SCOPE, ...members } as never).bytes));

async function keyOf(agentId: string): Promise<EncryptionKey> {
  const { world } = staged;
  const { beacon } = await world.client.read('/v1/agents/{agentId}', { agentId });
  const { metadataHash } = beacon as { metadataHash: string };
  return agentMetadata.read((await world.fetch(metadataHash))!, metadataHash).encryptionKey;
}

describe('an order is skipped with a code, before it is accepted, if its scope', () => {
  const left = (why: string, code: string, make: (agent: Agent) => Promise<OrderOptions>): void =>
    void test(`${why}: ${code}`, async (t) => {
      const { world } = staged;
      const agentId = `picky-${sha256Hex(why).slice(0, 8)}`;
      const agent = await open(t, agentId);
      agent.onWork(() => 'never');
      const expected = world.nextOrderId();
      const skipped = once(agent, 'skipped', ({ orderId }) => orderId === expected);
      const run = agent.run();
      const orderId = await world.order({ agentId, ...(await make(agent)) });
      const event = await skipped;
      assert.deepEqual([event.orderId, event.code], [orderId, code]);
      await agent.stop();
      await run;
      assert.equal((await world.orderAt(orderId)).status, 'OPEN');
    });
  const sealedTo = async (key: EncryptionKey, agentId: string, orderId: string) => {
    const facts = { chainId: 'net-devnet-1', fromAgentId: 'rita', toAgentId: agentId, orderId };
    return (await sealContent(scopeBytes(), [key], { ...facts, part: 'scope' })).bytes;
  };

  left('is nowhere', 'SCOPE_MISSING', async () => ({ stored: false, scope: { title: 'Lost' } }));
  left('is a JPEG', 'DOCUMENT_NOT_JSON', async () => ({
    scopeBytes: Buffer.from('ffd8ffe0', 'hex'),
  }));
  left('is something else', 'DOCUMENT_INVALID', async () => ({ scopeBytes: utf8Bytes('{"a":1}') }));
  left('is not canonical', 'DOCUMENT_NOT_CANONICAL', async () => ({
    scopeBytes: utf8Bytes(JSON.stringify(SCOPE, null, 1)),
  }));
  left('is huge', 'DOCUMENT_TOO_LARGE', async () => ({ scopeBytes: new Uint8Array(300_000) }));
  left('nests without end', 'DOCUMENT_NOT_JSON', async () => ({
    scopeBytes: utf8Bytes('['.repeat(100_000)),
  }));
  left('cannot be judged', 'SCOPE_UNJUDGEABLE', async () => ({
    scopeBytes: utf8Bytes(
      utf8Text(scopeBytes()).replace(
        /"acceptance":\[.*?\]/,
        '"acceptance":[{"kind":"json-schema","schema":{"$ref":"#"}}]',
      ),
    ),
  }));
  left('names an input that no store has', 'INPUT_MISSING', async () => {
    const hash = sha256Hex('lost');
    const lost = { name: 'lost', hash, mediaType: 'text/plain', byteLength: 4 };
    return { scope: { inputs: [lost] } };
  });
  left('asks for a replay of too many blocks', 'ORDER_UNVERIFIABLE', async () => ({
    scope: { acceptance: [{ kind: 'chain-replay', from: 0, to: 649 }] },
  }));
  left('is sealed to another agent', 'SCOPE_SEALED_TO_OTHERS', async ({ agentId }) => {
    const stranger = publicEncryptionKey(await generateEncryptionKey());
    return { scopeBytes: await sealedTo(stranger, agentId, 'order-x') };
  });
  left('is sealed for another order', 'SCOPE_SEALED_TO_OTHERS', async ({ agentId }) => ({
    scopeBytes: await sealedTo(await keyOf(agentId), agentId, 'order-x'),
  }));
  left(
    'is sealed, and its requester could not read the result',
    'REQUESTER_HAS_NO_KEY',
    async ({ agentId }) => {
      const orderId = staged.world.nextOrderId();
      return { scopeBytes: await sealedTo(await keyOf(agentId), agentId, orderId) };
    },
  );
});

test('a busy store has not said that there is no key: neither the order nor the work is lost by it', async (t) => {
  const { world } = staged;
  // Its endpoint is elsewhere than its metadata, which lies at stores alone.
  const requester = await open(t, 'hidden-requester', { endpoint: 'https://requester.example/' });
  await requester.act('faucet', { amount: 50_000_000 });
  const { beacon } = await world.client.read('/v1/agents/{agentId}', {
    agentId: 'hidden-requester',
  });
  const metadata = `/blobs/${(beacon as { metadataHash: string }).metadataHash}`;
  const store = await slowStore(t, world.origins[0]!);
  store.isSlow = false;
  const agent = await open(t, 'patient-worker', { blobs: [store.url] });
  let handled = 0;
  agent.onWork(() => {
    handled++;
    store.busyAt.add(metadata);
    return 'three patient words';
  });
  const orderId = world.nextOrderId();
  const facts = { chainId: 'net-devnet-1', fromAgentId: 'hidden-requester', orderId } as const;
  const key = publicEncryptionKey(world.encryptionOf('patient-worker'));
  const { bytes } = await sealContent(scopeBytes(), [key], {
    ...facts,
    toAgentId: 'patient-worker',
    part: 'scope',
  });
  await requester.store(bytes);
  const payload = world.orderPayload({ agentId: 'patient-worker', scopeBytes: bytes });
  await requester.act('createWorkOrder', payload);
  store.busyAt.add(metadata);
  const skipped = once(agent, 'skipped', (event) => event.orderId === orderId);
  const waiting = Promise.race([
    once(agent, 'waiting', (event) => event.for === 'the key of hidden-requester'),
    // A broken agent would emit this instead of waiting.
    once(agent, 'failed'),
  ]);
  const delivered = once(agent, 'delivered', (event) => event.orderId === orderId);
  void agent.run();
  assert.equal((await skipped).code, 'BLOB_UNAVAILABLE');
  store.busyAt.delete(metadata);
  const told = await waiting;
  assert.ok('for' in told, 'the try has failed');
  store.busyAt.delete(metadata);
  await delivered;
  assert.equal(handled, 1);
});

test('an order with an unreachable scope delays other orders only briefly', async (t) => {
  const { world } = staged;
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => silent.close().closeAllConnections());
  const { port } = silent.address() as AddressInfo;
  const requester = await open(t, 'silent-requester', { beacon: false });
  await requester.act('faucet', { amount: 50_000_000 });
  const { bytes, hash } = agentMetadata.make({
    schema: 'NET-AGENT-METADATA/1',
    agentId: 'silent-requester',
    description: '',
    encryptionKey: await keyOf('ada'),
    blobs: [`http://127.0.0.1:${port}`],
  });
  await world.store(bytes);
  const { height } = await world.client.network();
  await requester.act('publishBeacon', {
    schema: 'NET-AGENT-BEACON/1',
    indexable: true,
    endpoint: 'https://requester.example/',
    capabilities: ['asking'],
    protocols: ['none/1'],
    metadataHash: hash,
    expiresAtHeight: height + 4_000,
    sequence: 1,
  });
  const agent = await open(t, 'unhurried-worker', { trustedOrigins: [`http://127.0.0.1:${port}`] });
  const offer = async (): Promise<string> => {
    const scope = { title: `Nowhere ${world.nextOrderId()}` };
    const payload = world.orderPayload({ agentId: 'unhurried-worker', scope });
    await requester.act('createWorkOrder', payload);
    return payload.orderId;
  };
  const nowhere = [await offer()];
  const honest = await world.order({ agentId: 'unhurried-worker' });
  nowhere.push(await offer());
  const told: string[] = [];
  agent.on('skipped', ({ orderId }) => told.push(orderId));
  agent.onWork(() => 'three unhurried words');
  const delivered = once(agent, 'delivered', ({ orderId }) => orderId === honest);
  void agent.run();
  await delivered;
  // The agent gives up on a missing blob only after twenty seconds, so neither order is skipped yet.
  assert.deepEqual(
    told.filter((orderId) => nowhere.includes(orderId)),
    [],
  );
});

test('skips a store whose bytes do not match the hash', async (t) => {
  const { world } = staged;
  const agent = await open(t, 'careful');
  agent.onWork({ accept: ({ scope }) => scope.title !== 'No' }, ({ scope }) => scope.title);
  const bytes = scopeBytes({ title: 'Genuine' });
  await world.store(bytes);
  world.spoil(sha256Hex(bytes), 0);
  const paid = once(agent, 'paid');
  void agent.run();
  const declined = await world.order({ agentId: 'careful', scope: { title: 'No' } });
  const orderId = await world.order({ agentId: 'careful', scopeBytes: bytes, stored: false });
  assert.equal((await paid).orderId, orderId);
  assert.equal((await world.orderAt(declined)).status, 'OPEN');
});

test('a sealed scope is opened by its worker alone, and its result by the requester alone', async (t) => {
  const { world } = staged;
  const requester = await open(t, 'sealer');
  const agent = await open(t, 'sealed-worker');
  const { requester: rita } = world;
  world.requester = await world.actorOf('sealer');
  t.after(() => (world.requester = rita));
  await requester.act('faucet', { amount: 100_000_000 });
  const orderId = world.nextOrderId();
  const facts = {
    chainId: 'net-devnet-1',
    fromAgentId: 'sealer',
    toAgentId: 'sealed-worker',
    orderId,
  };
  const secret = scopeBytes({ title: 'A private matter' });
  const key = await keyOf('sealed-worker');
  const { bytes } = await sealContent(secret, [key], { ...facts, part: 'scope' });
  agent.onWork(({ scope, sealed }) => `${scope.title}, ${sealed ? 'sealed' : 'open'}`);
  const paid = once(agent, 'paid');
  void agent.run();
  await requester.act(
    'createWorkOrder',
    world.orderPayload({ agentId: 'sealed-worker', scopeBytes: bytes }),
  );
  await world.storeAs(world.requester, bytes);
  await paid;
  const { result } = await world.orderAt(orderId);
  const blob = (await world.fetch(result!.deliverableHash))!;
  const opened = await openContent(blob, world.encryptionOf('sealer'), {
    ...facts,
    fromAgentId: 'sealed-worker',
    toAgentId: 'sealer',
    part: 'deliverable',
  });
  assert.equal(utf8Text(opened), 'A private matter, sealed');
});

test('locks bonds only up to the limit set by the owner', async (t) => {
  const { world } = staged;
  const span = { heights: 500, milliseconds: 600_000 };
  const bonded = { workerBond: 1_000_000, deliverWithin: span };
  const shy = await open(t, 'shy');
  shy.onWork(() => 'never');
  const bold = await open(t, 'bold');
  await bold.act('faucet', { amount: 5_000_000 });
  bold.onWork({ maxWorkerBond: '1 NET' }, () => 'done');
  void shy.run();
  const cheap = world.nextOrderId();
  const tooLittle = once(shy, 'skipped', ({ orderId }) => orderId === cheap);
  // Without minFunding, the agent also skips orders below the network's minimum for a track record.
  await world.order({ agentId: 'shy', funding: 9_999_999 });
  assert.match(
    (await tooLittle).reason,
    /pays 9.999999 NET, but minimumFunding of the network is 10 NET/,
  );
  const forShy = await world.order({ agentId: 'shy', ...bonded });
  const paid = once(bold, 'paid');
  void bold.run();
  const expected = world.nextOrderId();
  const skipped = once(bold, 'skipped', ({ orderId }) => orderId === expected);
  const tooMuch = await world.order({ agentId: 'bold', ...bonded, workerBond: 1_000_001 });
  assert.deepEqual(await skipped, {
    orderId: tooMuch,
    code: 'ORDER_UNSUITABLE',
    reason:
      'The order does not suit this agent (it asks for a bond of 1.000001 NET, but maxWorkerBond is 1 NET). The agent leaves it to others. The options of onWork, or the services that it serves, decide which orders it takes. [ORDER_UNSUITABLE]',
  });
  const forBold = await world.order({ agentId: 'bold', ...bonded });
  assert.equal((await paid).orderId, forBold);
  assert.equal(await world.balanceOf('bold'), 15_000_000);
  for (const left of [forShy, tooMuch]) assert.equal((await world.orderAt(left)).status, 'OPEN');
});

test('an order that does not suit is said to be left, once, and others are looked at', async (t) => {
  const { world } = staged;
  const lines: string[] = [];
  const agent = await open(t, 'chooser', { log: (line) => void lines.push(line) });
  agent.onWork({ minFunding: '2 NET', maxWorkerBond: '9 NET' }, () => 'done');
  void agent.run();
  const paid = once(agent, 'paid');
  const span = { heights: 500, milliseconds: 600_000 };
  const ids: string[] = [];
  for (const terms of [
    { agentId: 'chooser', requirements: ['translation'] },
    { agentId: 'chooser', requirements: ['translation'] },
    { agentId: 'chooser', funding: 1_999_999 },
    { agentId: 'chooser', workerBond: 9_000_000, deliverWithin: span },
    { requirements: ['cooking'] },
    { requirements: ['cooking'] },
  ])
    ids.push(await world.order(terms));
  // The bond that it does not have keeps it from no other order.
  const orderId = await world.order({ agentId: 'chooser' });
  assert.equal((await paid).orderId, orderId);
  const said = lines.filter((line) => line.includes('ORDER_UNSUITABLE'));
  const reasonOf = (id: string): (string | undefined)[] =>
    said
      .filter((line) => line.includes(`orderId: ${id},`))
      .map((line) => /\((.+)\)/.exec(line)?.[1]);
  const offers = 'but this agent offers "research"';
  assert.deepEqual(ids.map(reasonOf), [
    [`it requires "translation", ${offers}`],
    [`it requires "translation", ${offers}`],
    ['it pays 1.999999 NET, but minFunding is 2 NET'],
    ['it asks for a bond of 9 NET, more than this agent has'],
    [`it requires "cooking", ${offers}`],
    // The log has each reason of the market once; a listener hears of every order.
    [],
  ]);
  for (const id of ids) assert.equal((await world.orderAt(id)).status, 'OPEN');
});

test(
  'while both stores are slow, a running agent reports that it waits, retries with backoff, and then delivers',
  inCampaign,
  async (t) => {
    const { world } = staged;
    const stores = await Promise.all(world.origins.map((origin) => slowStore(t, origin)));
    const agent = await open(t, 'unhurried', {
      blobs: stores.map(({ url }) => url),
      beacon: false,
      memory: false,
    });
    agent.onWork(() => 'three slow words');
    const told: string[] = [];
    const enough = once(
      agent,
      'waiting',
      ({ for: what }) => told.push(`waiting for ${what}`) === 3,
    );
    agent.on('warning', ({ code }) => void told.push(code));
    const delivered = once(agent, 'delivered');
    const run = agent.run();
    await world.order({ agentId: 'unhurried', requirements: [] });
    // Had the run ended, by a refusal or without one, there would be no more of it.
    await Promise.race([enough, run.then(() => assert.fail('it has ended'))]);
    for (const store of stores) store.isSlow = false;
    const { deliverableHash } = await delivered;
    assert.deepEqual(told.slice(0, 3), Array(3).fill('waiting for stores that are busy'));
    for (const { kept, asked } of stores) {
      const path = `/blobs/${deliverableHash}`;
      assert.equal(String(kept.get(path)), 'three slow words');
      const times = asked.get(path) ?? [];
      assert.ok(times.length >= 4);
      // No pause is shorter than it is meant to be, and each is meant to be twice the last.
      for (const [count, time] of times.slice(1, 4).entries())
        assert.ok(time - times[count]! >= 500 * 2 ** count * 0.9, times.join(' '));
    }
  },
);

test('a handler that throws is asked three times; what would be rejected is not delivered', async (t) => {
  const { world } = staged;
  const agent = await open(t, 'clumsy');
  const tries: string[] = [];
  agent.onWork(({ orderId, attempt }) => {
    tries.push(`${orderId} ${attempt}`);
    if (attempt === 1) throw new Error('not yet');
    return attempt === 2 ? 'x'.repeat(2_000) : 'short enough';
  });
  const failures: string[] = [];
  agent.on('failed', ({ error }) =>
    failures.push((error as Error & { code?: string }).code ?? error.message),
  );
  const paid = once(agent, 'paid');
  void agent.run();
  const orderId = await world.order({ agentId: 'clumsy' });
  await paid;
  assert.deepEqual(
    tries,
    [1, 2, 3].map((attempt) => `${orderId} ${attempt}`),
  );
  assert.deepEqual(failures, ['not yet', 'RESULT_UNMET']);
  await agent.stop();

  const helpless = await open(t, 'helpless');
  helpless.onWork(() => null as never);
  const told = once(helpless, 'warning', ({ code }) => code === 'JOB_FAILED');
  const lost = once(helpless, 'rejected');
  void helpless.run();
  const never = await world.order({ agentId: 'helpless' });
  await told;
  assert.deepEqual(await lost, { orderId: never, reason: 'RELEASED', findings: [] });
  const order = await world.orderAt(never);
  assert.deepEqual([order.status, order.reason], ['REJECTED', 'RELEASED']);
  await helpless.stop();
});

test('a service is called as often as its own retry policy says', async (t) => {
  const any = { input: typeOf({ type: 'object' }), output: typeOf({ type: 'object' }) };
  const attempts: [name: string, attempt: number][] = [];
  const serviceOf = (name: string, retry: RetryPolicy): ServedService<unknown, unknown, unknown> =>
    defineService({
      ...any,
      name,
      price: '1 NET',
      retry,
      handler: ({ attempt }) => {
        attempts.push([name, attempt]);
        throw new Error('never');
      },
    });
  const agent = await open(t, 'stubborn');
  agent.serve(serviceOf('once', { attempts: 1 }), serviceOf('often', { attempts: 4, backoff: 1 }));
  const lost: string[] = [];
  agent.on('rejected', ({ orderId }) => lost.push(orderId));
  void agent.run();
  const buyer = await open(t, 'hopeless-buyer');
  await buyer.act('faucet', { amount: 40_000_000 }, { id: 'money' });
  const terms = {
    title: 't',
    instructions: 'i',
    worker: 'stubborn',
    returns: any.output,
    input: {},
  };
  for (const jobType of ['once', 'often']) {
    const funding = '10 NET';
    await buyer.hire({ ...terms, jobType, funding, validationPolicy: REVIEW_POLICY });
  }
  await until(() => lost.length === 2);
  const countOf = (name: string): number[] =>
    attempts.filter(([of]) => of === name).map(([, attempt]) => attempt);
  assert.deepEqual([countOf('once'), countOf('often')], [[1], [1, 2, 3, 4]]);
  assert.throws(() => serviceOf('wrong', { attempts: 0 }), { code: 'ARGUMENT_INVALID' });
});

test(
  'under a session that may not give it back, an order waits for a corrected handler',
  inCampaign,
  async (t) => {
    const { world } = staged;
    const owner = await open(t, 'hopeful');
    const actions = ['acceptWork', 'submitWorkResult', 'settleVerifiedWork'] as const;
    const { session } = await owner.grantSession({ actions, budget: '1 NET' });
    await owner.stop();
    const hopeless = await Agent.openSession(session, world.options({ memory: false }));
    hopeless.onWork(() => null as never);
    const told = once(hopeless, 'warning', ({ code }) => code === 'JOB_FAILED');
    void hopeless.run();
    const never = await world.order({ agentId: 'hopeful' });
    await told;
    await hopeless.stop();
    assert.equal((await world.orderAt(never)).status, 'ACCEPTED');
    const better = await Agent.openSession(session, world.options({ memory: false }));
    t.after(() => better.stop());
    better.onWork(() => 'corrected');
    const done = once(better, 'paid');
    void better.run();
    assert.equal((await done).orderId, never);
  },
);

test('a result that a store loses is stored again, so that verifiers find it', async (t) => {
  const { world } = staged;
  world.pauseVotes(true);
  t.after(() => world.pauseVotes(false));
  const agent = await open(t, 'sturdy');
  agent.onWork(() => 'here to stay');
  const delivered = once(agent, 'delivered');
  const run = agent.run();
  const orderId = await world.order({ agentId: 'sturdy' });
  const { deliverableHash } = await delivered;
  await until(async () => (await world.orderAt(orderId)).phase === 'REVIEW');
  await agent.stop();
  await run;
  const owner = await world.actorOf('sturdy');
  for (const store of [0, 1]) await world.remove(owner, deliverableHash, store);
  assert.equal(await world.fetch(deliverableHash), null);
  const again = await open(t, 'sturdy');
  again.onWork(() => 'never');
  const paid = once(again, 'paid');
  void again.run();
  await until(() => world.fetch(deliverableHash, 1));
  world.pauseVotes(false);
  assert.equal((await paid).orderId, orderId);
});

test('a machine without the state of the last one goes on from what the chain knows', async (t) => {
  const { world } = staged;
  const first = await open(t, 'moved');
  first.onWork(() => new Promise<never>(() => {}));
  const accepted = once(first, 'accepted');
  const run = first.run();
  const orderId = await world.order({ agentId: 'moved' });
  await accepted;
  await first.stop();
  await run;
  rmSync(join(world.home, 'agents', 'net-devnet-1', 'moved'), { recursive: true });
  const second = await open(t, 'moved');
  second.onWork(({ orderId: id }) => ({ id }));
  const paid = once(second, 'paid');
  void second.run();
  assert.equal((await paid).orderId, orderId);
});

test('a node that goes away at each step is waited for', { timeout: 600_000 }, async (t) => {
  const { world } = staged;
  const outages = world.outagesAt([
    'work.chosen',
    'act.signed',
    'work.handled',
    'work.kept',
    'work.stored',
    'act.recorded',
  ]);
  const agent = await open(t, 'patient', { reach: outages.reach });
  outages.arm();
  agent.onWork(() => 'worth the wait');
  const orderId = await world.order({ agentId: 'patient' });
  const paid = once(agent, 'paid');
  void agent.run();
  assert.equal((await paid).orderId, orderId);
  await outages.over();
  assert.equal(await world.balanceOf('patient'), 10_000_000);
  for (const type of ['WorkAccepted', 'WorkResultSubmitted', 'WorkOrderPaid']) {
    const events = await world.events(type);
    assert.equal(events.filter((data) => data['orderId'] === orderId).length, 1, type);
  }
});

test('three rejections of one kind in a row pause it, with the reasons, until it is resumed', async (t) => {
  const { world } = staged;
  world.rejectsBecause = '{"reason":"Not met is condition 1."}';
  t.after(() => (world.rejectsBecause = null));
  await world.store(utf8Bytes(world.rejectsBecause));
  const agent = await open(t, 'hopeless');
  agent.onWork({ minFunding: '1 NET' }, () => 'not what was asked');
  const paused = once(agent, 'paused');
  const findings: unknown[] = [];
  agent.on('rejected', (event) => void findings.push(...event.findings));
  const votedDown = once(agent, 'votedDown');
  void agent.run();
  for (let i = 0; i < 3; i++) {
    const rejected = once(agent, 'rejected');
    await world.order({ agentId: 'hopeless', jobType: 'haiku', funding: 1_000_000 });
    await rejected;
  }
  const verdict = await votedDown;
  assert.deepEqual([verdict.bond, verdict.findings[0]?.vote], [500_000, 'REJECT']);
  const { jobType, reasons, goOn } = await paused;
  assert.deepEqual([jobType, reasons], ['haiku', ['Not met is condition 1.']]);
  assert.match(goOn, /resumeWork\("haiku"\)/);
  assert.ok(findings.length >= 6, JSON.stringify(findings));
  const orderId = await world.order({ agentId: 'hopeless', jobType: 'haiku', funding: 1_000_000 });
  // Orders of another job type are still accepted.
  const accepted = once(agent, 'accepted');
  const other = await world.order({ agentId: 'hopeless', jobType: 'sonnet', funding: 1_000_000 });
  assert.equal((await accepted).orderId, other);
  assert.equal((await world.orderAt(orderId)).status, 'OPEN');
  const [finding] = await agent.findings(other).catch(() => []);
  assert.ok(finding === undefined || finding.vote === 'REJECT');
  world.rejectsBecause = null;
  const taken = once(agent, 'accepted', (event) => event.orderId === orderId);
  agent.resumeWork('haiku');
  await taken;
});

test('a dispute of an unjudged result is answered with a bond, and a second jury has the worker paid', async (t) => {
  const { world } = staged;
  const agent = await open(t, 'sure');
  await agent.act('faucet', { amount: '5 NET' });
  agent.onWork(() => 'one two three');
  const paid = once(agent, 'paid');
  void agent.run();
  const orderId = await world.order({ agentId: 'sure', jury: 'none' });
  await until(async () => (await world.orderAt(orderId)).phase === 'UNJUDGED');
  const dispute = { orderId, reasonHash: '0'.repeat(64), bond: 5_000_000 };
  await world.act(world.requester, 'openDispute', dispute);
  assert.equal((await paid).orderId, orderId);
  const answers = await world.events('DisputeAnswered');
  assert.deepEqual(
    answers.map((data) => [data['orderId'], data['actorId'], data['bond']]),
    [[orderId, 'sure', 5_000_000]],
  );
  // The funding and both bonds, without the fee of the jury.
  const balance = await world.balanceOf('sure');
  assert.ok(balance > 19_000_000 && balance < 20_000_000, String(balance));
});
