/** Connections that browsers opened ahead, and those with half a request. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { HttpNode } from '@netd/testkit/http-node';

/** Timers of a stop in milliseconds: for arriving requests, and for pending answers. */
const GRACES = [1_000, 5_000];

const HALVES = {
  'that never carried a byte': '',
  'with half a head': 'GET / HTTP/1.1\r\nHo',
  'with half a body':
    'POST /v1/intents HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
};

for (const [what, bytes] of Object.entries(HALVES)) {
  test(`a connection ${what} does not hold the node up`, async (t) => {
    const node = await HttpNode.start();
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (bytes !== '') {
      socket.write(bytes);
      // Make sure that the request arrives before the stop begins.
      await node.get('/livez');
    }
    // The grace period of answers is five seconds, and ends all of them. Only that of arriving requests is
    // over now.
    const { setTimeout: real } = globalThis;
    const graces: unknown[] = [];
    t.mock.method(globalThis, 'setTimeout', (...call: Parameters<typeof setTimeout>) => {
      if (!GRACES.includes(Number(call[1]))) return real(...call);
      graces.push(call[1]);
      return call[1] === 1_000 ? real(call[0], 100) : real(() => {}, 0);
    });
    const closed = once(socket, 'close');
    await node.stop();
    await closed;
    assert.deepEqual(graces, GRACES);
  });
}
