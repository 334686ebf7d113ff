import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { AgentKey } from '../agent-key.ts';
import { NetClient } from '../client.ts';
import { AgentEmitter } from './emitter.ts';
import { RetryingClient } from './retrying-client.ts';
import { Origins, placesOf } from './origins.ts';
import { Poller } from './poller.ts';

test('a network elsewhere cannot name this machine as a store for blobs, one that lives here can', () => {
  const beacon = { agentId: 'mallory', protocols: ['netd-blobs/1'] };
  const endpoints = ['https://127.0.0.1:9', 'https://localhost:9', 'https://[::1]:9'];
  const beacons = [...endpoints, 'https://blobs.example'].map((endpoint) => ({
    ...beacon,
    endpoint,
  }));
  const origins = (nodeUrl: string): string[] =>
    placesOf(beacons, nodeUrl).map(({ origin }) => origin);
  assert.deepEqual(origins('https://node.example'), ['https://blobs.example']);
  assert.deepEqual(origins('http://127.0.0.1:8420'), [
    'http://127.0.0.1:9',
    'http://localhost:9',
    'http://[::1]:9',
    'https://blobs.example',
  ]);
});

async function originsOf(url: string, given: readonly string[] = []): Promise<Origins> {
  const client = new NetClient({ url });
  const poller = new Poller(new AbortController().signal);
  const retryingClient = new RetryingClient(client, poller, new AgentEmitter(() => {}), null);
  const key = await AgentKey.generate();
  const signer = { keyId: 'alice', sign: (bytes: Uint8Array) => key.signBytes(bytes) };
  return new Origins(retryingClient, signer, given);
}

/** A server whose clock is behind. */
async function behindBy(t: TestContext, milliseconds: number): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('date', new Date(Date.now() - milliseconds).toUTCString()).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
