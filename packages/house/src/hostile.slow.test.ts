/** Strangers who would stop the house, or be paid by it for nothing. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { serveBlobs, type BlobLimits } from '@netd/blobs';
import { BlobClient } from '@netd/blobs/client';
import { agentMetadata, encryptionKeyOf, sealContent } from '@netd/formats';
import { serve } from '@netd/node';
import { sha256Hex, utf8Bytes } from '@netd/protocol';
import { Agent, AgentKey, memoryHome, NetClient, NetError } from '@netd/sdk';
import { Content } from './content.ts';
import { PRESENCE, type House } from './member.ts';
import type { FromHouse, StartHouse } from './staff.ts';
import { newKey } from './testing/new-key.ts';
import { judgeOrder, type WorkOrder } from './verdict.ts';

const host = '127.0.0.1';

/** A node, a place for blobs, and a house in a process of its own that has settled in, or has ended. */
async function openHouse(t: TestContext, limits: Partial<BlobLimits> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'netd-house-'));
  const dataDir = join(home, 'chain');
  const node = await serve({ host, port: 0, dataDir, blockTime: 20, idleBlockTime: 100_000_000 });
  const { url } = node;
  const blobs = await serveBlobs({
    host,
    port: 0,
    nodeUrl: url,
    dataDir: join(home, 'blobs'),
    limits,
  });
  const keeper = newKey('house-blobs-1');
  const start: StartHouse = {
    kind: 'start',
    url,
    staff: {
      verifiers: [newKey('house-verifier-1')],
      requester: newKey('house-requester'),
      echo: newKey('house-echo'),
      keepers: [keeper],
    },
    places: [{ providerId: keeper.actorId, url: blobs.url, httpsUrl: blobs.httpsUrl }],
  };
  const client = new NetClient({ url });
  const { operator: file } = node.node.dataDir;
  const operator = { actorId: file.actorId, key: await AgentKey.fromPem(file) };
  const child = fork(new URL('./process.ts', import.meta.url), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  t.after(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await blobs.stop();
    await node.stop();
    rmSync(home, { recursive: true, force: true });
  });
  const settled = Promise.withResolvers<string>();
  child.on('exit', (code) => settled.resolve(`ended with ${code}`));
  child.on('message', (message: FromHouse) => {
    if (message.kind === 'ready') settled.resolve('ready');
    if (message.kind !== 'applied') return;
    const { applicationId, independenceGroup } = message;
    client
      .act(operator, 'createOperatorInvitation', { applicationId, independenceGroup })
      .catch((error: unknown) => {
        if (!(error instanceof NetError)) throw error;
      });
  });
  child.send(start);
  return { client, url, blobs, start, settled: settled.promise };
}

test('places that strangers keep busy do not end the house', async (t) => {
  const { settled } = await openHouse(t, { uploads: 0 });
  assert.equal(await settled, 'ready');
});

test('a message that cannot be answered does not keep the echo from others', async (t) => {
  const { client, url, blobs, start, settled } = await openHouse(t);
  assert.equal(await settled, 'ready');
  const { chainId } = await client.network();
  const mallory = { actorId: 'mallory', key: await AgentKey.fromPem(newKey('mallory')) };
  await client.register(mallory);
  const place = new BlobClient(blobs.url);
  const signer = {
    keyId: 'mallory',
    sign: (bytes: Uint8Array) => mallory.key.signBytes(bytes),
  };
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
  const ada = await Agent.open('ada', {
    url,
    blobs: [blobs.url],
    home: memoryHome(),
    memory: false,
    log: false,
  });
  t.after(() => ada.stop());
  const { text } = await ada.ask('house-echo', 'are you there?');
  assert.equal(text, 'You said: are you there?');
});

test('nobody is paid for whatever it is while the scope of the house cannot be had', async (t) => {
  const { client } = await openHouse(t);
  const deliverable = utf8Bytes('anything at all');
  const deliverableHash = sha256Hex(deliverable);
  const server = createServer((request, response) => {
    if (request.url === `/blobs/${deliverableHash}`) response.end(deliverable);
    else response.writeHead(503).end();
  }).listen(0, host);
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const house: House = {
    client,
    chainId: '',
    places: [{ providerId: 'busy', url: `http://${host}:${port}`, httpsUrl: null }],
    isOurs: (actorId) => actorId === 'house-requester',
    presence: PRESENCE,
    tell: () => {},
    signal: new AbortController().signal,
  };
  const order = {
    orderId: 'house-json-schema-1',
    requesterId: 'house-requester',
    workerId: 'mallory',
    scopeHash: 'ab'.repeat(32),
    deadline: { time: new Date(Date.now() + 1_000).toISOString(), height: 1 },
    result: { deliverableHash, evidence: {} },
  } as unknown as WorkOrder;
  await assert.rejects(judgeOrder(house, new Content(house), order), /cannot be had now/);
  // What others ask for is theirs to hide.
  const theirs = { ...order, requesterId: 'somebody' };
  assert.equal((await judgeOrder(house, new Content(house), theirs)).vote, 'ACCEPT');
});

test('what its worker takes away before the vote is rejected', async (t) => {
  const { client, blobs } = await openHouse(t);
  const mallory = { actorId: 'mallory', key: await AgentKey.fromPem(newKey('mallory')) };
  await client.register(mallory);
  const place = new BlobClient(blobs.url);
  const signer = {
    keyId: 'mallory',
    sign: (bytes: Uint8Array) => mallory.key.signBytes(bytes),
  };
  const deliverableHash = await place.put(utf8Bytes('three small words'), signer);
  const house: House = {
    client,
    chainId: '',
    places: [{ providerId: 'house-blobs-1', url: blobs.url, httpsUrl: null }],
    isOurs: () => false,
    presence: PRESENCE,
    tell: () => {},
    signal: new AbortController().signal,
  };
  const order = {
    orderId: 'order-1',
    requesterId: 'somebody',
    workerId: 'mallory',
    scopeHash: 'ab'.repeat(32),
    deadline: { time: new Date(Date.now() + 1_000).toISOString(), height: 1 },
    result: { deliverableHash, evidence: {} },
  } as unknown as WorkOrder;
  const verdict = async () => judgeOrder(house, new Content(house), order);
  assert.equal((await verdict()).vote, 'ACCEPT');
  await place.delete(deliverableHash, signer);
  const { vote, reasons } = await verdict();
  assert.equal(vote, 'REJECT');
  assert.match(Buffer.from(reasons).toString(), /No known place has the deliverable/);
});
