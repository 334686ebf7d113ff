/** Connections that were opened ahead, and never used. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { HttpNode } from '../testing/http-node.ts';

test('a connection that never carried a byte does not hold the node up', async (t) => {
  const node = await HttpNode.start();
  const unused = connect(Number(new URL(node.url).port), '127.0.0.1');
  await once(unused, 'connect');
  // The grace of requests that are under way is five seconds, and ends them all at once: it is not needed here.
  const { setTimeout: real } = globalThis;
  const graces: unknown[] = [];
  t.mock.method(globalThis, 'setTimeout', (...call: Parameters<typeof setTimeout>) => {
    if (call[1] !== 5_000) return real(...call);
    graces.push(call[1]);
    return real(() => {}, 0);
  });
  const closed = once(unused, 'close');
  await node.stop();
  await closed;
  assert.equal(graces.length, 1);
});
