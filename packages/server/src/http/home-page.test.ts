import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@netd/protocol/testing';
import { startCopy } from '@netd/testkit/copy';
import { HttpNode } from '@netd/testkit/http-node';

const home = async ({ url }: { url: string }): Promise<string> => (await fetch(url)).text();

test('the first page of a copy says that it is one, of whom, and how far behind', async (t) => {
  const writer = await HttpNode.start();
  t.after(() => writer.stop());
  assert.doesNotMatch(await home(writer), /Copy of|A copy/);
  const copy = await startCopy(t, [writer.url]);
  await until(async () => (await home(copy)).includes('<dt>Behind</dt><dd>0 blocks</dd>'));
  const page = await home(copy);
  assert.ok(page.includes(`<dt>Copy of</dt><dd>${writer.url}</dd>`), page);
  assert.match(page, /A copy takes writes only where/);
  await writer.stop();
  copy.node.poll();
  await until(async () =>
    (await home(copy)).includes('<dd>unknown: no node that it follows answers'),
  );
});
