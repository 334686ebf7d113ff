/** Strangers who would stop the house, or be paid by it for nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { BlobLimits } from '@netd/blobs';
import { BlobClient, type BlobSigner } from '@netd/blobs/client';
import { agentMetadata, encryptionKeyOf, sealContent } from '@netd/formats';
import { sha256Hex, utf8Bytes } from '@netd/protocol';
import { AgentKey, type Actor, type NetClient } from '@netd/sdk';
import { Content } from './content.ts';
import { PRESENCE, type House } from './member.ts';
import type { BlobPlace } from './staff.ts';
import { askEcho, openWorld } from './testing/house-world.ts';
import { newKey } from './testing/new-key.ts';
import { judgeOrder, type WorkOrder } from './verdict.ts';

const host = '127.0.0.1';

/** A house that has settled in, and its one place for blobs. */
async function openHouse(t: TestContext, limits: Partial<BlobLimits> = {}) {
  const world = await openWorld(t, { limits });
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

/** The house as its verifiers see it, with one place. */
const houseOf = (client: NetClient, place: BlobPlace, ours: string | null): House => ({
  client,
  chainId: '',
  places: [place],
  isOurs: (actorId) => actorId === ours,
  presence: PRESENCE,
  tell: () => {},
  signal: new AbortController().signal,
});

/** Delivered by mallory a second before its end. */
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

test('a message that cannot be answered does not keep the echo from others', async (t) => {
  const world = await openHouse(t);
  const { client, blobs, start } = world;
  const { chainId } = await client.network();
  const { actor: mallory, signer } = await registered(client, 'mallory');
  const place = new BlobClient(blobs.url);
  // A point of small order: nothing can be sealed to it.
  const metadata = agentMetadata.make({
    schema: 'NET-AGENT-METADATA/1',
    agentId: 'mallory',
    description: '',
    encryptionKey: encryptionKeyOf('A'.repeat(43)),
    blobs: [blobs.url],
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
    expiresAtHeight: (await client.network()).height + 1_000,
    sequence: 1,
  });
  const ids = {
    messageId: 'poison',
    conversationId: 'poison',
    fromAgentId: 'mallory',
    toAgentId: 'house-echo',
    sequence: 1,
  };
  const { x } = start.staff.echo.encryption;
  const sealed = await sealContent(utf8Bytes('hello'), [encryptionKeyOf(x)], { chainId, ...ids });
  await place.put(sealed.bytes, signer);
  await client.act(mallory, 'sendAgentMessage', {
    schema: 'NET-AGENT-MESSAGE/1',
    agentId: 'mallory',
    ...ids,
    kind: 'REQUEST',
    contentEncoding: 'application/ael-encrypted+json',
    contentHash: sealed.hash,
    envelopeUri: `${blobs.httpsUrl}/blobs/${sealed.hash}`,
    expiresAtHeight: (await client.network()).height + 1_000,
  });
  assert.equal(await askEcho(t, world, 'are you there?'), 'You said: are you there?');
});

test('nobody is paid for whatever it is while the scope of the house cannot be had', async (t) => {
  const { client } = await openWorld(t);
  const deliverable = utf8Bytes('anything at all');
  const deliverableHash = sha256Hex(deliverable);
  const server = createServer((request, response) => {
    if (request.url === `/blobs/${deliverableHash}`) response.end(deliverable);
    else response.writeHead(503).end();
  }).listen(0, host);
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const place = { providerId: 'busy', url: `http://${host}:${port}`, httpsUrl: null };
  const house = houseOf(client, place, 'house-requester');
  const order = orderOf('house-json-schema-1', 'house-requester', deliverableHash);
  await assert.rejects(judgeOrder(house, new Content(house), order), /cannot be had now/);
  // What others ask for is theirs to hide.
  const theirs = { ...order, requesterId: 'somebody' };
  assert.equal((await judgeOrder(house, new Content(house), theirs)).vote, 'ACCEPT');
});

test('what its worker takes away before the vote is rejected', async (t) => {
  const { client, places } = await openWorld(t);
  const [blobs] = places;
  assert.ok(blobs);
  const { signer } = await registered(client, 'mallory');
  const place = new BlobClient(blobs.url);
  const deliverableHash = await place.put(utf8Bytes('three small words'), signer);
  const house = houseOf(client, { ...blobs, httpsUrl: null }, null);
  const order = orderOf('order-1', 'somebody', deliverableHash);
  const verdict = async () => judgeOrder(house, new Content(house), order);
  assert.equal((await verdict()).vote, 'ACCEPT');
  await place.delete(deliverableHash, signer);
  const { vote, reasons } = await verdict();
  assert.equal(vote, 'REJECT');
  assert.match(Buffer.from(reasons).toString(), /No known place has the deliverable/);
});
