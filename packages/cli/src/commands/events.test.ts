/** Lists events of a node whose pages have no end. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { NetClient } from '@netd/sdk';
import { recent } from './events.ts';

const NO_FILTER = { agent: undefined, order: undefined, type: undefined };

/** Starts a node that answers every request with the next of these pages, the last one again and again. */
async function nodeWith(t: TestContext, nexts: readonly string[]): Promise<NetClient> {
  let count = 0;
  const server = createServer((_request, response) => {
    const next = nexts[Math.min(count++, nexts.length - 1)];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ events: [], next, more: count < 100 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return new NetClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

for (const nexts of [['0.0'], ['4.0', '5.0', '4.0'], ['4.1', '4.1'], ['x'], ['4.1', '4.x']]) {
  test(`pages that lead to ${nexts.join(', ')} end the list with an error`, async (t) => {
    const client = await nodeWith(t, nexts);
    await assert.rejects(recent(client, 10, NO_FILTER, { limit: 5 }), /have no end/);
  });
}
