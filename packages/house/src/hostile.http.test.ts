/** Strangers that attack the house. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { BlobLimits } from '@netd/blobs';
import { BlobClient, type BlobSigner } from '@netd/blobs/client';
import { agentMetadata, encryptionKeyOf, sealContent, workScope } from '@netd/formats';
import { canonicalize, sha256Hex, utf8Bytes } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { AgentKey, type Actor, type NetClient } from '@netd/sdk';
import { Content } from './content.ts';
import { Judging } from './judging.ts';
import { PRESENCE, type House } from './member.ts';
import type { BlobPlace } from './staff.ts';
import { askEcho, openWorld } from './testing/house-world.ts';
import { newKey } from './testing/new-key.ts';
import { digestOf } from './replay.ts';
import { judgeOrder, type Verdict, type WorkOrder } from './verdict.ts';

const host = '127.0.0.1';

async function openHouse(
  t: TestContext,
  limits: Partial<BlobLimits> = {},
  trustedStores: readonly string[] = [],
) {
  const world = await openWorld(t, { limits, trustedStores });
  const [blobs] = world.places;
  assert.ok(blobs);
  assert.equal(await world.startHouse().settled, 'ready');
  return { ...world, blobs };
}

interface Stranger {
  actor: Actor;
  signer: BlobSigner;
}

async function registered(client: NetClient, actorId: string): Promise<Stranger> {
  const key = await AgentKey.fromPem(newKey(actorId));
  const actor = { actorId, key };
  await client.register(actor);
  return { actor, signer: { keyId: actorId, sign: (bytes: Uint8Array) => key.signBytes(bytes) } };
}

const houseOf = (client: NetClient, place: BlobPlace, ours: string | null): House => ({
  client,
  chainId: '',
  places: [place],
  isOurs: (actorId) => actorId === ours,
  presence: PRESENCE,
  judging: new Judging((range) => digestOf(client, range), new AbortController().signal),
  tell: () => {},
  signal: new AbortController().signal,
});

/** The result was delivered a second before the deadline. */
const orderOf = (orderId: string, requesterId: string, deliverableHash: string): WorkOrder =>
  ({
    orderId,
    requesterId,
    workerId: 'mallory',
    scopeHash: 'ab'.repeat(32),
    deadline: { time: new Date(Date.now() + 1_000).toISOString(), height: 1 },
    result: { deliverableHash, evidence: {} },
  }) as unknown as WorkOrder;

test('places that strangers keep busy do not end the house', async (t) => {
  await openHouse(t, { uploads: 0 });
});

interface Poison {
  mallory: Actor;
  signer: BlobSigner;
  place: BlobClient;
  chainId: string;
}

/** Mallory's beacon names this key and these origins. */
async function malloryWith(
  { client, blobs }: { client: NetClient; blobs: BlobPlace },
  { sealingKey, origins }: { sealingKey: string; origins: string[] },
): Promise<Poison> {
  const { chainId, height } = await client.network();
  const { actor: mallory, signer } = await registered(client, 'mallory');
  const place = new BlobClient(blobs.url);
  const metadata = agentMetadata.make({
    schema: 'NET-AGENT-METADATA/1',
    agentId: 'mallory',
    description: '',
    encryptionKey: encryptionKeyOf(sealingKey),
    blobs: origins,
  });
  await place.put(metadata.bytes, signer);
  await client.act(mallory, 'publishBeacon', {
    schema: 'NET-AGENT-BEACON/1',
    agentId: 'mallory',
    indexable: true,
    endpoint: `${blobs.httpsUrl}/blobs/${metadata.hash}`,
    capabilities: ['general'],
    protocols: ['NET-AGENT-MESSAGE/1'],
    metadataHash: metadata.hash,
    expiresAtHeight: height + 1_000,
    sequence: 1,
  });
  return { mallory, signer, place, chainId };
}

/** Returns a message to the echo agent. The caller must store the bytes. */
async function sealedToEcho(chainId: string, echoKey: string) {
  const ids = {
    messageId: 'poison',
    conversationId: 'poison',
    fromAgentId: 'mallory',
    toAgentId: 'house-echo',
    sequence: 1,
  };
  const sealed = await sealContent(utf8Bytes('hello'), [encryptionKeyOf(echoKey)], {
    chainId,
    ...ids,
  });
  return { ...sealed, ids };
}

const sendMessage = async (
  client: NetClient,
  mallory: Actor,
  { hash, ids }: Awaited<ReturnType<typeof sealedToEcho>>,
  origin: string | null,
): Promise<unknown> =>
  client.act(mallory, 'sendAgentMessage', {
    schema: 'NET-AGENT-MESSAGE/1',
    agentId: 'mallory',
    ...ids,
    kind: 'REQUEST',
    contentEncoding: 'application/ael-encrypted+json',
    contentHash: hash,
    envelopeUri: `${origin}/blobs/${hash}`,
    expiresAtHeight: (await client.network()).height + 1_000,
  });

test('a message that cannot be answered does not keep the echo from others', async (t) => {
  const world = await openHouse(t);
  const { client, blobs, start } = world;
  // Nothing can be sealed to a point of small order.
  const keys = { sealingKey: 'A'.repeat(43), origins: [blobs.url] };
  const { mallory, signer, place, chainId } = await malloryWith(world, keys);
  const sealed = await sealedToEcho(chainId, start.staff.echo.encryption.x);
  await place.put(sealed.bytes, signer);
  await sendMessage(client, mallory, sealed, blobs.httpsUrl);
  assert.equal(await askEcho(t, world, 'are you there?'), 'You said: are you there?');
});

test('a message is neither answered nor rejected while its store is busy', async (t) => {
  const answers = new Map<string, number>();
  const busy = await storeOf(t, answers);
  const world = await openHouse(t, {}, [busy.url]);
  const { client, start, said } = world;
  const keys = { sealingKey: start.staff.echo.encryption.x, origins: [busy.url] };
  const { mallory, chainId } = await malloryWith(world, keys);
  const sealed = await sealedToEcho(chainId, start.staff.echo.encryption.x);
  answers.set(sealed.hash, 503);
  await sendMessage(client, mallory, sealed, busy.url.replace('http', 'https'));
  assert.equal(await askEcho(t, world, 'are you there?'), 'You said: are you there?');
  await until(() => said.some((line) => line.includes('could not answer poison')));
  const { messages } = await client.read('/v1/agent-messages', { conversationId: 'poison' });
  assert.deepEqual(
    messages.map(({ status }) => status),
    ['PENDING'],
  );
});

const text = 'three small words';
const deliverable = utf8Bytes(text);
const deliverableHash = sha256Hex(deliverable);
const AT_LAST = { everywhere: true, isAbsenceFinal: true };

const scopeOf = (...acceptance: object[]): Uint8Array =>
  utf8Bytes(
    canonicalize({
      schema: 'NET-WORK-SCOPE/1',
      title: 'A haiku',
      instructions: 'Write one.',
      inputs: [],
      deliverable: { mediaType: 'text/plain', maxBytes: 100 },
      acceptance,
    }),
  );

/** Starts a store that gives these answers, otherwise 404. */
async function storeOf(t: TestContext, answers: Map<string, Uint8Array | number>) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    const answer = answers.get(request.url?.slice('/blobs/'.length) ?? '') ?? 404;
    if (answer === 0) return;
    if (typeof answer === 'number') response.writeHead(answer).end();
    else response.end(answer);
  }).listen(0, host);
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const url = `http://${host}:${port}`;
  return { providerId: 'store', url, httpsUrl: null, asked: () => asked };
}

test('a store that is busy takes no escrow: no vote until it answers', async (t) => {
  const { client } = await openWorld(t);
  const scope = scopeOf({ kind: 'sha256', hash: 'cd'.repeat(32) });
  const scopeHash = sha256Hex(scope);
  const answers = new Map<string, Uint8Array | number>([
    [deliverableHash, deliverable],
    [scopeHash, 503],
  ]);
  const house = houseOf(client, await storeOf(t, answers), null);
  const order = { ...orderOf('order-1', 'somebody', deliverableHash), scopeHash };
  const verdict = async () => judgeOrder(house, new Content(house), order, AT_LAST);
  assert.equal(await verdict(), null, 'the scope is not known to be absent');
  answers.set(scopeHash, scope).set(deliverableHash, 503);
  assert.equal(await verdict(), null, 'nor is the deliverable');
  answers.set(deliverableHash, deliverable);
  assert.equal((await verdict())?.vote, 'REJECT');
});

test('absence is a 404 of every store that should have it, and counts after a while', async (t) => {
  const { client } = await openWorld(t);
  const house = houseOf(client, await storeOf(t, new Map([[deliverableHash, deliverable]])), null);
  const order = orderOf('order-1', 'somebody', deliverableHash);
  const content = new Content(house);
  assert.equal(
    await judgeOrder(house, content, order, { everywhere: true, isAbsenceFinal: false }),
    null,
  );
  const verdict = await judgeOrder(house, content, order, AT_LAST);
  assert.equal(verdict?.vote, 'UNJUDGEABLE', 'a scope that nobody has');
  // A trusted store that fails: only a 404 proves absence.
  const missing = 'ee'.repeat(32);
  const answers = new Map<string, number>([[missing, 503]]);
  const named = await storeOf(t, answers);
  const evidence = { uri: `${named.url.replace('http', 'https')}/blobs/${missing}` };
  const result = { ...order.result, deliverableHash: missing, evidence } as WorkOrder['result'];
  const failing = { ...order, result };
  const trusting = { ...house, trustedStores: [named.url] };
  const judged = async () => judgeOrder(trusting, new Content(trusting), failing, AT_LAST);
  assert.equal(await judged(), null);
  answers.clear();
  assert.equal((await judged())?.vote, 'REJECT');
});

test('a verdict does not reveal the answer of a port of this machine', async (t) => {
  const { client } = await openWorld(t);
  const house = houseOf(client, await storeOf(t, new Map()), null);
  const missing = 'ee'.repeat(32);
  const answers = new Map<string, Uint8Array | number>();
  const port = await storeOf(t, answers);
  const closed = `https://127.0.0.1:1/blobs/${missing}`;
  const open = `${port.url.replace('http', 'https')}/blobs/${missing}`;
  for (const [uri, answer] of [
    [closed, 404],
    [open, 404],
    [open, 503],
    [open, deliverable],
  ] as const) {
    answers.set(missing, answer);
    const order = orderOf('order-1', 'somebody', missing);
    const probing = { ...order, result: { ...order.result, evidence: { uri } } } as WorkOrder;
    const verdict = await judgeOrder(house, new Content(house), probing, AT_LAST);
    assert.equal(verdict?.vote, 'REJECT');
  }
  assert.equal(port.asked(), 0);
});

test('rejects a deliverable that its worker removes before the vote', async (t) => {
  const { client, places } = await openWorld(t);
  const [blobs] = places;
  assert.ok(blobs);
  const { signer } = await registered(client, 'mallory');
  const place = new BlobClient(blobs.url);
  await place.put(deliverable, signer);
  const scope = scopeOf({ kind: 'sha256', hash: deliverableHash });
  const scopeHash = await place.put(scope, signer);
  const house = houseOf(client, { ...blobs, httpsUrl: null }, null);
  const order = { ...orderOf('order-1', 'somebody', deliverableHash), scopeHash };
  const verdict = async () => judgeOrder(house, new Content(house), order, AT_LAST);
  assert.equal((await verdict())?.vote, 'ACCEPT');
  await place.delete(deliverableHash, signer);
  const rejected = await verdict();
  assert.equal(rejected?.vote, 'REJECT');
  assert.match(reasonOf(rejected), /No store that should have the deliverable has it/);
});

test('disputes garbage for its own order that no jury judged', async (t) => {
  const { client, start, places, startHouse } = await openWorld(t, { idleBlockTime: 100 });
  assert.equal(await startHouse().settled, 'ready');
  const { actorId, publicKey, privateKey } = start.staff.requester;
  const requester = { actorId, key: await AgentKey.fromPem({ publicKey, privateKey }) };
  const { actor, signer } = await registered(client, 'walt');
  const scope = workScope.make({
    schema: 'NET-WORK-SCOPE/1',
    title: 'A number',
    instructions: 'Any.',
    inputs: [],
    deliverable: { mediaType: 'application/json', maxBytes: 100 },
    acceptance: [{ kind: 'json-schema', schema: { type: 'number' } }],
  });
  const garbage = utf8Bytes('"garbage"');
  for (const { url } of places) {
    for (const bytes of [scope.bytes, garbage]) await new BlobClient(url).put(bytes, signer);
  }
  const orderId = 'garbage-1';
  await client.act(requester, 'createWorkOrder', {
    orderId,
    title: 'A number',
    scopeHash: scope.hash,
    jobType: 'number',
    funding: 1_000_001,
    jury: 'none',
  });
  await client.act(actor, 'acceptWork', { orderId });
  await client.act(actor, 'submitWorkResult', { orderId, deliverableHash: sha256Hex(garbage) });
  const { dispute } = await until(async () => {
    const { order } = await client.read('/v1/work-orders/{orderId}', { orderId });
    return order.phase === 'CONTESTED' && order;
  });
  assert.deepEqual([dispute?.openedBy, dispute?.bond], ['house-requester', 500_001]);
});

const reasonOf = (verdict: Verdict | null): string =>
  (JSON.parse(Buffer.from(verdict?.reasons ?? []).toString()) as { reason: string }).reason;

test('the house accepts only judgeable work, and names the condition and the missing part', async (t) => {
  const { client } = await openWorld(t);
  const answers = new Map<string, Uint8Array | number>([[deliverableHash, deliverable]]);
  const house = houseOf(client, await storeOf(t, answers), null);
  const content = new Content(house);
  const review = { kind: 'review', question: 'Is it a haiku?' };
  const exact = { kind: 'sha256', hash: deliverableHash };
  const cases: [object[], Verdict['vote'], RegExp][] = [
    [[exact], 'ACCEPT', /All conditions are met/],
    [[review], 'UNJUDGEABLE', /cannot tell condition 1 \(review\): Is it a haiku\?/],
    [[exact, review], 'UNJUDGEABLE', /condition 2 \(review\)/],
    [
      [exact, { kind: 'json-schema', schema: { type: 'object' } }],
      'REJECT',
      /condition 2 \(json-schema\): the deliverable is not JSON/,
    ],
    [[{ kind: 'json-schema', schema: { type: 'objekt' } }], 'UNJUDGEABLE', /acceptance\/0\/schema/],
    [[{ kind: 'jsonschema', schema: {} }], 'UNJUDGEABLE', /acceptance\/0\/kind/],
    [[{ kind: 'chain-replay', from: 0, to: 1_000_000 }], 'UNJUDGEABLE', /chain-replay/],
    [[], 'UNJUDGEABLE', /at least one condition/],
  ];
  for (const [acceptance, vote, reason] of cases) {
    const scope = scopeOf(...acceptance);
    const scopeHash = sha256Hex(scope);
    answers.set(scopeHash, scope);
    const order = { ...orderOf('order-1', 'somebody', deliverableHash), scopeHash };
    const verdict = await judgeOrder(house, content, order, AT_LAST);
    assert.equal(verdict?.vote, vote, JSON.stringify(acceptance));
    assert.match(reasonOf(verdict), reason);
  }
  // A program can check the media type.
  const empty = new Uint8Array();
  answers.set(sha256Hex(empty), empty);
  const scopeHash = sha256Hex(scopeOf(review));
  const order = { ...orderOf('order-1', 'somebody', sha256Hex(empty)), scopeHash };
  assert.equal((await judgeOrder(house, content, order, AT_LAST))?.vote, 'REJECT');
});
