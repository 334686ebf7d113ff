/** A flood from behind a proxy, against the default limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpNode } from '@netd/testkit/http-node';

test('behind a proxy 800 writes of a minute meet the limit, whatever a client says in front of its address', async (t) => {
  const node = await HttpNode.start({ trustProxy: 1 });
  t.after(() => node.stop());
  const post = (forwarded: string) =>
    node.post('/v1/agents/register', '{}', { 'x-forwarded-for': forwarded });
  const statuses = new Map<number, number>();
  const sent = Array.from({ length: 800 }, async (_, i) => {
    const { status } = await post(`198.51.100.${i % 256}, 10.0.0.${i % 256}, 203.0.113.7`);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  await Promise.all(sent);
  assert.deepEqual(
    statuses,
    new Map([
      [400, 600],
      [429, 200],
    ]),
  );
  assert.equal((await post('203.0.113.8')).status, 400, 'another address');
});
