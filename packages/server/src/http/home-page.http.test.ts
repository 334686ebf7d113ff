import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@netd/protocol/testing';
import { startFollower } from '@netd/testkit/start-follower';
import { HttpNode } from '@netd/testkit/http-node';

const home = async ({ url }: { url: string }): Promise<string> => (await fetch(url)).text();

test('the home page of a follower names its origin and says how far it is behind', async (t) => {
  const writer = await HttpNode.start();
  t.after(() => writer.stop());
  assert.doesNotMatch(await home(writer), /Follower of|A follower/);
  const follower = await startFollower(t, [writer.url]);
  await until(async () => (await home(follower)).includes('<dt>Behind</dt><dd>0 blocks</dd>'));
  const page = await home(follower);
  assert.ok(page.includes(`<dt>Follower of</dt><dd>${writer.url}</dd>`), page);
  assert.match(page, /A follower takes writes only if/);
  await writer.stop();
  follower.node.poll();
  await until(async () =>
    (await home(follower)).includes('<dd>unknown: no node that it follows answers'),
  );
});
