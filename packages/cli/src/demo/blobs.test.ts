import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { sha256Hex } from '@netd/protocol';
import { AgentKey } from '@netd/sdk';
import { DemoBlobs } from './blobs.ts';

it('uploads again after a store was busy', async (t) => {
  let requests = 0;
  const store = createServer((request, response) => {
    request.resume().on('end', () => {
      const isBusy = ++requests === 1;
      response
        .writeHead(isBusy ? 503 : 201, {
          'content-type': isBusy ? 'application/problem+json' : 'application/json',
          'retry-after': '0',
        })
        .end(isBusy ? '{"code":"BUSY","title":"Busy","detail":"Wait."}' : '{}');
    });
  });
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  t.after(() => store.close());
  const url = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  const blobs = new DemoBlobs([{ providerId: 'shelf', url, httpsUrl: null }]);
  await blobs.put({ actorId: 'ada', key: await AgentKey.generate() }, new Uint8Array([1]));
  assert.equal(requests, 2);
});

it('holds the newest thousand blobs without a store, because a loop never ends', async () => {
  const blobs = new DemoBlobs([]);
  const ada = { actorId: 'ada', key: await AgentKey.generate() };
  const put = (i: number): Promise<string> => blobs.put(ada, new Uint8Array([i >> 8, i & 255]));
  const again = await put(0);
  const oldest = await put(1);
  for (let i = 2; i < 1_000; i++) await put(i);
  await put(0);
  await put(1_000);
  assert.equal(await blobs.find(oldest), null);
  assert.deepEqual(await blobs.find(again), new Uint8Array([0, 0]));
});

it('downloads again after a store was busy', async (t) => {
  const bytes = new Uint8Array([1]);
  let requests = 0;
  const store = createServer((_, response) => {
    if (++requests === 1) response.writeHead(503, { 'retry-after': '0' }).end();
    else response.writeHead(200).end(bytes);
  });
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  t.after(() => store.close());
  const url = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  const blobs = new DemoBlobs([{ providerId: 'shelf', url, httpsUrl: null }]);
  assert.deepEqual(await blobs.get(sha256Hex(bytes)), bytes);
  assert.ok(requests > 1);
});
