/** Steps of a job, called one by one: with plain and sealed scopes, once and repeated. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openContent, publicEncryptionKey, sealContent, workScope } from '@netd/formats';
import { BlobClient } from '@netd/blobs/client';
import { canonicalize, sha256Hex, utf8Bytes, utf8Text } from '@netd/protocol';
import { AgentKey } from '../agent-key.ts';
import { Agent } from './agent.ts';
import { REVIEW_POLICY } from './testing/review-policy.ts';
import { slowStore } from './testing/slow-store.ts';
import { once, stage } from './testing/staged.ts';
import type { OrderOptions } from './testing/world.ts';

const staged = stage({ staffed: true });
const SCOPE = {
  schema: 'NET-WORK-SCOPE/1',
  title: 'Three words',
  instructions: 'Three words.',
  inputs: [],
  deliverable: { mediaType: 'text/plain', maxBytes: 100 },
  acceptance: [{ kind: 'review', question: 'Are these three words?' }],
};

const LOST_INPUT = {
  name: 'lost',
  hash: sha256Hex('lost'),
  mediaType: 'text/plain',
  byteLength: 4,
};
const SEVEN_ACCEPTS = { ...REVIEW_POLICY, committeeSize: 7, requiredAccepts: 7 };
const TOO_MANY_BLOCKS = { kind: 'chain-replay', from: 0, to: 649 } as const;

test('a sealed order is read, delivered once and sealed to its requester', async (t) => {
  const { world } = staged;
  const requester = await Agent.open('sealer', world.options());
  t.after(() => requester.stop());
  await requester.act('faucet', { amount: 50_000_000 });
  const worker = await Agent.open('worker', world.options());
  t.after(() => worker.stop());
  const input = await requester.store('the input');
  const orderId = world.nextOrderId();
  const chainId = 'net-devnet-1';
  const facts = { chainId, fromAgentId: 'sealer', toAgentId: 'worker', orderId } as const;
  const scope = workScope.make({
    schema: 'NET-WORK-SCOPE/1',
    title: 'A private matter',
    instructions: 'Three words.',
    inputs: [{ name: 'one', hash: input, mediaType: 'text/plain', byteLength: 9 }],
    deliverable: { mediaType: 'text/plain', maxBytes: 20 },
    acceptance: [{ kind: 'review', question: 'Are these three words?' }],
  });
  const key = publicEncryptionKey(world.encryptionOf('worker'));
  const { bytes } = await sealContent(scope.bytes, [key], { ...facts, part: 'scope' });
  await requester.act(
    'createWorkOrder',
    world.orderPayload({ agentId: 'worker', scopeBytes: bytes }),
  );
  await requester.store(bytes);

  const offer = await worker.offer(orderId);
  assert.equal(offer.scope.title, 'A private matter');
  assert.equal(offer.sealed, true);
  assert.equal(utf8Text(await worker.input(offer, 'one')), 'the input');
  await assert.rejects(worker.input(offer, 'two'), { code: 'INPUT_UNKNOWN' });
  await assert.rejects(worker.deliver(orderId, 'too early'), { code: 'WORK_ORDER_NOT_ACCEPTED' });
  await worker.act('acceptWork', { orderId });
  await assert.rejects(worker.deliver(orderId, 'x'.repeat(21)), { code: 'RESULT_UNMET' });
  const [hash, ...others] = await Promise.all([
    worker.deliver(orderId, 'one two three'),
    worker.deliver(orderId, 'one two three'),
  ]);
  // Sealed anew each time, its bytes would be others.
  assert.deepEqual([...others, await worker.deliver(orderId, 'something else')], [hash, hash]);
  const opened = await openContent(await worker.fetch(hash), world.encryptionOf('sealer'), {
    ...facts,
    fromAgentId: 'worker',
    toAgentId: 'sealer',
    part: 'deliverable',
  });
  assert.equal(utf8Text(opened), 'one two three');
});

test('an order is accepted only with a scope that is there and can be judged, and with the bond agreed to', async (t) => {
  const { world } = staged;
  const agent = await Agent.open('picky', world.options());
  t.after(() => agent.stop());
  const broken = { ...SCOPE, acceptance: [{ kind: 'json-schema', schema: { type: 'objekt' } }] };
  await assert.rejects(agent.store(broken), { code: 'SCOPE_UNJUDGEABLE' });
  await assert.rejects(world.order({ validationPolicy: SEVEN_ACCEPTS }), {
    code: 'WORK_JURY_UNAVAILABLE',
  });
  const cases: [string, OrderOptions][] = [
    ['SCOPE_MISSING', { stored: false, scope: { title: 'Lost' } }],
    ['SCOPE_UNJUDGEABLE', { scopeBytes: utf8Bytes(canonicalize(broken)) }],
    ['DOCUMENT_NOT_JSON', { scopeBytes: Uint8Array.of(1) }],
    ['INPUT_MISSING', { scope: { inputs: [LOST_INPUT] } }],
    ['ORDER_UNVERIFIABLE', { scope: { acceptance: [TOO_MANY_BLOCKS] } }],
  ];
  for (const [code, options] of cases) {
    const orderId = await world.order(options);
    await assert.rejects(agent.accept(orderId), { code });
    await assert.rejects(agent.act('acceptWork', { orderId }), { code });
    await assert.rejects(agent.act('acceptWork', { orderId }, { id: orderId }), { code });
    assert.equal((await world.orderAt(orderId)).status, 'OPEN');
  }
  await agent.act('faucet', { amount: 5_000_000 });
  const orderId = await world.order({ workerBond: 2_000_000 });
  await assert.rejects(agent.accept(orderId), { code: 'BOND_NOT_AGREED' });
  await assert.rejects(agent.accept(orderId, { workerBond: '3 NET' }), { code: 'BOND_NOT_AGREED' });
  for (let i = 0; i < 2; i++) {
    const { status, workerId } = await agent.accept(orderId, { workerBond: '2 NET' });
    assert.deepEqual([status, workerId], ['ACCEPTED', 'picky']);
  }
});

test('no order is accepted while no store would take what this clock signs', async (t) => {
  const { world } = staged;
  const stores = await Promise.all(world.origins.map((origin) => slowStore(t, origin)));
  for (const store of stores) Object.assign(store, { isSlow: false, behindBy: 3_600_000 });
  const blobs = stores.map(({ url }) => url);
  const agent = await Agent.open('early', world.options({ blobs, capabilities: ['early'] }));
  t.after(() => agent.stop());
  agent.onWork(() => 'never');
  const warned = once(agent, 'warning', ({ code }) => code === 'CLOCK_WRONG');
  const run = agent.run();
  const orderId = await world.order({ requirements: ['early'] });
  assert.match((await warned).message, /\(36\d\d s ahead of http/);
  await assert.rejects(agent.accept(orderId), { code: 'CLOCK_WRONG' });
  await assert.rejects(agent.act('acceptWork', { orderId }), { code: 'CLOCK_WRONG' });
  stores[1]!.behindBy = 0;
  assert.equal((await agent.accept(orderId)).status, 'ACCEPTED');
  await agent.stop();
  await run;
});

test('a scope survives at its worker if the requester deletes its own copy', async (t) => {
  const { world } = staged;
  const requester = await Agent.open('forgetful', world.options());
  t.after(() => requester.stop());
  await requester.act('faucet', { amount: 50_000_000 });
  const agent = await Agent.open('keeper', world.options());
  t.after(() => agent.stop());
  const scopeHash = await requester.store({ ...SCOPE, title: 'Kept' });
  const terms = { ...world.orderPayload({ funding: 2_000_000 }), scopeHash };
  await requester.act('createWorkOrder', terms);
  await agent.accept(terms.orderId);
  await agent.deliver(terms.orderId, 'one two three');
  const file = join(world.home, 'keys', requester.chainId, 'forgetful.json');
  const pem = JSON.parse(readFileSync(file, 'utf8')) as { privateKey: string; publicKey: string };
  const key = await AgentKey.fromPem(pem);
  const signer = { keyId: 'forgetful', sign: (bytes: Uint8Array) => key.signBytes(bytes) };
  for (const origin of world.origins) await new BlobClient(origin).delete(scopeHash, signer);
  assert.equal((await agent.fetch(scopeHash)).length > 0, true);
});
