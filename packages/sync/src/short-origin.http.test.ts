/** A follower uses the blocks of an origin that lacks some of those it claims. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpNode } from '@netd/testkit/http-node';
import { hasReached, startFollower } from '@netd/testkit/start-follower';
import { Answer, TamperingProxy } from '@netd/testkit/tampering-proxy';

test('executes the blocks before a missing one, and the rest once it arrives', async (t) => {
  const writer = await HttpNode.start();
  t.after(() => writer.stop());
  for (const name of ['alice', 'bob', 'carol', 'dave', 'erin', 'frank']) await writer.join(name);
  const short = await TamperingProxy.before(writer.url);
  t.after(() => short.close());
  const has = writer.height - 3;
  assert.ok(has >= 2);
  let hasAll = false;
  short.tamper = (path, document) => {
    const height = Number(/^\/v1\/blocks\/(\d+)/.exec(path)?.[1] ?? 0);
    return hasAll || height <= has ? document : new Answer(404, {});
  };
  const follower = await startFollower(t, [short.url]);
  await hasReached(follower, has);
  assert.equal(follower.node.chain.height, has);
  hasAll = true;
  await hasReached(follower, writer.height);
});
