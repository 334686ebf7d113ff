import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { AgentKey } from '../agent-key.ts';
import { NetClient } from '../client.ts';
import { AgentEmitter } from './emitter.ts';
import { RetryingClient } from './retrying-client.ts';
import { Origins, placesOf } from './origins.ts';
import { Poller } from './poller.ts';

const NODE_HERE = 'http://127.0.0.1:8420';

test('loopback is a place for blobs if the user or the operator of a node here names it, a public address always is', () => {
  const protocols = ['netd-blobs/1'];
  const beacons = [
    'https://127.0.0.1:9',
    'https://localhost:9',
    'https://[::1]:9',
    'https://10.0.0.7',
    'https://blobs.example',
  ].map((endpoint) => ({ agentId: 'mallory', endpoint, protocols }));
  const keeper = { agentId: 'house-blobs-1', endpoint: 'https://127.0.0.1:8421', protocols };
  const origins = (nodeUrl: string, trusted: string[] = []): string[] =>
    placesOf([...beacons, keeper], nodeUrl, trusted).map(({ origin }) => origin);
  assert.deepEqual(origins('https://node.example'), ['https://10.0.0.7', 'https://blobs.example']);
  assert.deepEqual(origins(NODE_HERE), ['http://127.0.0.1:8421', 'https://blobs.example']);
  assert.deepEqual(origins('http://10.0.0.9'), ['https://10.0.0.7', 'https://blobs.example']);
  assert.deepEqual(origins(NODE_HERE, ['https://127.0.0.1:9']), [
    'http://127.0.0.1:8421',
    'http://127.0.0.1:9',
    'https://blobs.example',
  ]);
});

test('a store that only a stranger names on this machine is not asked, unless the owner trusts it', async (t) => {
  const store = await storeThatAnswers(t, 503);
  const { origin } = store;
  const hash = 'ab'.repeat(32);
  const hints = [origin, origin.replace('http', 'https')];
  const origins = await originsOf(NODE_HERE);
  assert.equal(await origins.find(hash, hints), 'absent');
  assert.equal(await origins.has(hash, hints), 'absent');
  assert.equal(store.asked, 0);
  const trusting = await originsOf(NODE_HERE, [], [origin.replace('http', 'https')]);
  assert.equal(await trusting.find(hash, hints), 'unknown');
  assert.equal(await trusting.has(hash, hints), 'unknown');
  assert.equal(store.asked, 2);
});

async function originsOf(
  url: string,
  blobs: readonly string[] = [],
  trustedOrigins: readonly string[] = [],
  waiting: () => unknown = () => {},
): Promise<Origins> {
  const client = new NetClient({ url });
  const poller = new Poller(new AbortController().signal);
  const retryingClient = new RetryingClient(client, poller, new AgentEmitter(() => {}), null);
  const key = await AgentKey.generate();
  const signer = { keyId: 'alice', sign: (bytes: Uint8Array) => key.signBytes(bytes) };
  return new Origins(retryingClient, signer, { blobs, trustedOrigins }, waiting);
}

async function listening(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server whose clock is behind. */
const behindBy = (t: TestContext, milliseconds: number): Promise<string> =>
  listening(t, (_request, response) => {
    response.setHeader('date', new Date(Date.now() - milliseconds).toUTCString()).end();
  });

/** A store that gives the same answer to every request, and counts them. */
async function storeThatAnswers(t: TestContext, status: number) {
  const store = { origin: '', asked: 0 };
  store.origin = await listening(t, (_request, response) => {
    store.asked++;
    response.writeHead(status).end();
  });
  return store;
}

test('the clock is compared with the stores, and with the node only if none of them answers', async (t) => {
  const [right, wrong, nowhere] = [
    await behindBy(t, 0),
    await behindBy(t, 3_600_000),
    'http://127.0.0.1:1',
  ];
  const refused = { code: 'CLOCK_WRONG', message: new RegExp(`36\\d\\d s ahead of ${wrong}`) };
  await assert.rejects((await originsOf(right, [wrong])).requireClock(), refused);
  await assert.rejects((await originsOf(wrong, [nowhere])).requireClock(), refused);
  await (await originsOf(wrong, [right])).requireClock();
  await (await originsOf(right, [wrong, right])).requireClock();
  await (await originsOf(nowhere, [nowhere])).requireClock();
});

test('an origin of a stranger that is no address is passed over, and throws nothing', async () => {
  const origins = await originsOf('http://127.0.0.1:8420');
  const hints = ['https://blobs.example:99999', 'https://300.1.1.1', 'https://a..b:x', null];
  assert.equal(await origins.fetch('ab'.repeat(32), hints), null);
});

test('a store that is away is asked again until it is back', async (t) => {
  const server = createServer((_request, response) => void response.writeHead(201).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  t.after(() => server.close().closeAllConnections());
  const place = `http://127.0.0.1:${port}`;
  const away = await originsOf(NODE_HERE, [place], [], () => server.listen(port, '127.0.0.1'));
  const { places } = await away.put(new Uint8Array([1]));
  assert.deepEqual(
    places.map(({ origin }) => origin),
    [place],
  );
});

test('a store that refuses is not asked again', async (t) => {
  const store = await storeThatAnswers(t, 403);
  const refusing = (await originsOf(NODE_HERE, [store.origin])).put(new Uint8Array([1]));
  await assert.rejects(refusing, { code: 'BLOB_NOT_STORED' });
  assert.equal(store.asked, 1);
});
