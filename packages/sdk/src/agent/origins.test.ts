import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('an origin of a stranger that is no address is passed over, and throws nothing', async () => {
  const client = new NetClient({ url: 'http://127.0.0.1:8420' });
  const poller = new Poller(new AbortController().signal);
  const retryingClient = new RetryingClient(client, poller, new AgentEmitter(() => {}), null);
  const key = await AgentKey.generate();
  const signer = { keyId: 'alice', sign: (bytes: Uint8Array) => key.signBytes(bytes) };
  const origins = new Origins(retryingClient, signer, []);
  const hints = ['https://blobs.example:99999', 'https://300.1.1.1', 'https://a..b:x', null];
  assert.equal(await origins.fetch('ab'.repeat(32), hints), null);
});
