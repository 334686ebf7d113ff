/** A reader of the event stream who does not read. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { HttpNode } from '@netd/testkit/http-node';

let node: HttpNode;
before(async () => {
  node = await HttpNode.start();
  await node.join('alice');
  await node.join('bob');
  await node.act('alice', 'extendAgentCapabilities', {
    agentId: 'alice',
    actions: ['faucet', 'transfer'],
  });
  await node.act('alice', 'faucet', { amount: 1_000_000 });
});
after(() => node.stop());

test('a reader who falls a megabyte behind is let go, and the others never notice', async () => {
  const socket = connect(node.port, '127.0.0.1');
  socket.pause();
  socket.write('GET /v1/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { events } = node.running.node;
  assert.equal(events.size, 1);
  // About 1.3 kB for each event; the system's own buffers hold some megabytes before ours begin to fill.
  const memo = '🦊'.repeat(280);
  for (let sent = 0; events.size > 0; sent += 100) {
    assert.ok(sent < 12_000, 'the reader is still there');
    await Promise.all(
      Array.from({ length: 100 }, () =>
        node.act('alice', 'transfer', { to: 'bob', amount: 1, memo }),
      ),
    );
  }
  assert.equal((await node.get('/health')).status, 200);
  socket.destroy();
});
