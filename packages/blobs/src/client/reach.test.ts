import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { sha256Hex, utf8Bytes } from '@netd/protocol';
import { BlobClient, findBlob } from './client.ts';
import { isRefusedAsWritten, reachFor, type Reach } from './reach.ts';
import { wayToStranger } from './way-node.ts';
import * as web from './way-web.ts';

const bytes = utf8Bytes('a blob');
const hash = sha256Hex(bytes);
const NODE = 'http://127.0.0.1:8420';

async function storeOf(t: TestContext, answer: RequestListener) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, asked: () => asked };
}

test('an origin that a stranger names on this machine is never asked, and looks like one without the blob', async (t) => {
  const store = await storeOf(t, (_request, response) => response.end(bytes));
  const { port } = store;
  const reach = reachFor({ nodeUrl: NODE, trusted: [] });
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:7f00:1]',
  ];
  for (const host of [...hosts, '0.0.0.0', '[::]', 'store.localhost', 'no-such-host.invalid']) {
    const origin = `http://${host}:${port}`;
    assert.equal(await findBlob(hash, [origin], { reach }), 'absent', origin);
    assert.equal(await new BlobClient(origin, { reach }).has(hash), 'absent', origin);
  }
  const signer = { keyId: 'ada', sign: async () => new Uint8Array(64) };
  const refused = { message: /is not asked: a stranger named it/ };
  await assert.rejects(new BlobClient(store.url, { reach }).put(bytes, signer), refused);
  assert.equal(store.asked(), 0);
  const trusting = reachFor({ nodeUrl: NODE, trusted: [store.url] });
  assert.deepEqual(await findBlob(hash, [store.url], { reach: trusting }), bytes);
  assert.equal(await new BlobClient(store.url, { reach: trusting }).has(hash), 'present');
});

test('a name is refused if it resolves to an address that a stranger may not name', async () => {
  const way = async (address: string, node = NODE) =>
    wayToStranger(new URL('https://store.example'), new URL(node), async (host) =>
      host === 'store.example' ? [{ address, family: 4 }] : [{ address: host, family: 4 }],
    );
  for (const address of ['127.0.0.1', '10.0.0.7', '169.254.169.254', '::1']) {
    assert.equal(await way(address), null, address);
  }
  assert.equal((await way('1.1.1.1'))?.isHidden, false);
  assert.equal((await way('10.0.0.7', 'http://10.0.0.9:8420'))?.isHidden, true);
  const unknown = async (): Promise<[]> => [];
  assert.equal(await wayToStranger(new URL('https://a.example'), new URL(NODE), unknown), null);
});

test('the connection goes to the address that was checked, and redirects are not followed', async (t) => {
  const inner = await storeOf(t, (_request, response) => response.end(bytes));
  const hosts: (string | undefined)[] = [];
  const outer = await storeOf(t, ({ headers, url = '' }, response) => {
    hosts.push(headers.host);
    if (url === '/moved') response.writeHead(302, { location: inner.url });
    response.end(bytes);
  });
  // Only this test's way may reach this machine; the rule has its own tests.
  let lookups = 0;
  const origin = `http://store.example:${outer.port}`;
  const way = await wayToStranger(new URL(origin), new URL(NODE), async () => {
    lookups++;
    return [{ address: '1.1.1.1', family: 4 }];
  });
  assert.ok(way);
  assert.equal(lookups, 2, 'the store and the node');
  const { fetchAt } = await import('./way-node.ts');
  const pinned = [{ address: '127.0.0.1', family: 4 }];
  const response = await fetchAt(pinned, `${origin}/blobs/${hash}`, {});
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes);
  assert.equal((await fetchAt(pinned, `${origin}/moved`, {})).status, 302);
  assert.deepEqual(hosts, [`store.example:${outer.port}`, `store.example:${outer.port}`]);
  assert.equal(inner.asked(), 0);
  const hasty = { signal: AbortSignal.timeout(50) };
  const silent = await storeOf(t, () => {});
  await assert.rejects(fetchAt(pinned, silent.url, hasty), { name: /TimeoutError|AbortError/ });
});

test('at an address that is not public, everything but the blob counts as its absence', async (t) => {
  const answers: RequestListener[] = [
    (_request, response) => response.writeHead(503).end(),
    (_request, response) => response.writeHead(302, { location: NODE }).end(),
    (_request, response) => response.end('another page'),
    (request) => request.socket.destroy(),
  ];
  const hidden: Reach = async () => ({ fetch: (url, init) => fetch(url, init), isHidden: true });
  for (const answer of answers) {
    const { url } = await storeOf(t, answer);
    assert.equal(await findBlob(hash, [url]), 'unknown');
    assert.equal(await findBlob(hash, [url], { reach: hidden }), 'absent');
    assert.equal(await new BlobClient(url, { reach: hidden }).has(hash), 'absent');
  }
  const closed = 'http://127.0.0.1:1';
  assert.equal(await findBlob(hash, [closed], { reach: hidden }), 'absent');
  const store = await storeOf(t, (_request, response) => response.end(bytes));
  assert.deepEqual(await findBlob(hash, [store.url], { reach: hidden }), bytes);
  assert.equal(await new BlobClient(store.url, { reach: hidden }).has(hash), 'present');
});

test('a browser checks addresses that are written out, and leaves names to its own resolver', async () => {
  const way = async (origin: string, node = NODE) =>
    web.wayToStranger(new URL(origin), new URL(node));
  for (const host of ['127.0.0.1', 'localhost', '10.0.0.7', '[::1]', '2130706433']) {
    assert.equal(await way(`https://${host}`), null, host);
  }
  assert.equal((await way('https://store.example'))?.isHidden, false);
  assert.equal((await way('https://10.0.0.7', 'http://10.0.0.9'))?.isHidden, true);
  assert.ok(isRefusedAsWritten('https://127.0.0.1:9', NODE));
  assert.ok(!isRefusedAsWritten('https://10.0.0.7', 'http://teacher.example'));
});
