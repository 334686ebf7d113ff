/** A follower that is slower than its origin's retention of checkpoints gets the rest from another origin. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveFollower } from '@netd/node';
import { HttpNode } from '@netd/testkit/http-node';
import { Answer, TamperingProxy } from '@netd/testkit/tampering-proxy';
import { tempDir } from '@netd/testkit/temp-dir';

test('fetches a checkpoint that one origin has lost from another, and bans neither', async (t) => {
  const writer = await HttpNode.start();
  t.after(() => writer.stop());
  const description = 'd'.repeat(280);
  const names = Array.from({ length: 300 }, (_, i) => `agent-${i}`);
  await Promise.all(names.map((name) => writer.join(name, { description })));
  const refused = Promise.withResolvers<void>();
  const forgetful = await TamperingProxy.before(writer.url);
  const faithful = await TamperingProxy.before(writer.url);
  for (const proxy of [forgetful, faithful]) t.after(() => proxy.close());
  forgetful.tamper = (path, document) => {
    if (!path.startsWith('/v1/state/chunks/')) return document;
    refused.resolve();
    return new Answer(404, { code: 'CHECKPOINT_NOT_FOUND' });
  };
  // Otherwise the other origin could deliver every chunk before the first is used.
  faithful.tamper = async (path, document) => {
    if (path.startsWith('/v1/state/chunks/')) await refused.promise;
    return document;
  };
  const told: string[] = [];
  const follower = await serveFollower({
    host: '127.0.0.1',
    port: 0,
    dataDir: tempDir(t),
    origins: [forgetful.url, faithful.url],
    originTimeout: 60_000,
    from: 'checkpoint',
    onBan: (url, reason) => told.push(`${url} ${reason}`),
    onFallback: (reason) => told.push(reason),
    onProgress: ({ height }) => told.push(`block ${height}`),
  });
  t.after(() => follower.stop());
  assert.deepEqual(told, []);
  assert.equal(follower.node.chain.head.stateRoot, writer.state().stateRoot);
});
