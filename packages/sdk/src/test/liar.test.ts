/** A node that lies says what it is told to, and nothing else. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { startLiar, type Liar, type Lie } from './liar.ts';

async function before(t: TestContext, ...lies: Lie[]): Promise<{ liar: Liar; written: string[] }> {
  const written: string[] = [];
  const node = createServer((asked, answer) => {
    let body = '';
    asked.on('data', (part: Buffer) => (body += part.toString()));
    asked.on('end', () => {
      if (asked.method === 'POST') written.push(body);
      answer.writeHead(200, { 'content-type': 'application/json', etag: '"1"' });
      answer.end(JSON.stringify({ path: asked.url, height: 7 }));
    });
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  const liar = await startLiar({ url, lies });
  t.after(async () => {
    await liar.stop();
    node.close();
  });
  return { liar, written };
}

const get = async (liar: Liar, path: string): Promise<unknown> =>
  (await fetch(`${liar.url}${path}`)).json();

test('hands on what it has no lie for, as it is', async (t) => {
  const { liar } = await before(t, { path: '/v1/blocks', say: () => ({}) });
  const response = await fetch(`${liar.url}/v1/network?a=1`);
  assert.equal(response.headers.get('etag'), '"1"');
  assert.deepEqual(await response.json(), { path: '/v1/network?a=1', height: 7 });
  assert.deepEqual([liar.told, liar.requests], [0, ['GET /v1/network?a=1']]);
});

test('lies at the given paths, the given number of times, until it repents', async (t) => {
  const { liar } = await before(t, {
    path: /^\/v1\/(network|blocks)/,
    times: 2,
    say: (document) => ({ ...document, height: 99 }),
  });
  const heights: unknown[] = [];
  for (const path of ['/v1/network', '/v1/agents', '/v1/blocks/1', '/v1/network']) {
    heights.push(((await get(liar, path)) as { height: number }).height);
  }
  assert.deepEqual(heights, [99, 7, 99, 7]);
  assert.equal(liar.told, 2);
  liar.tell({ path: '/', say: () => 'later' });
  assert.equal(await get(liar, '/v1/network'), 'later');
  liar.repent();
  assert.deepEqual(await get(liar, '/v1/network'), { path: '/v1/network', height: 7 });
});

test('refuses what has happened, and is silent about it', async (t) => {
  const { liar, written } = await before(
    t,
    { path: '/v1/intents', method: 'POST', times: 1, status: 409, say: () => ({ code: 'NO' }) },
    { path: '/v1/intents', method: 'POST', silent: true },
  );
  const post = () => fetch(`${liar.url}/v1/intents`, { method: 'POST', body: 'pay' });
  const refused = await post();
  assert.deepEqual([refused.status, await refused.json()], [409, { code: 'NO' }]);
  await assert.rejects(post(), TypeError);
  assert.deepEqual(written, ['pay', 'pay']);
  assert.equal((await fetch(`${liar.url}/v1/intents`)).status, 200);
});
