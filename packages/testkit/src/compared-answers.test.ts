/** What a comparison of two nodes leaves out of a manifest: the hashes of programs that name their node, and no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { DOWNLOADS } from '@netd/server/testing';
import { comparedAnswer } from './compared-answers.ts';
import { HttpNode } from './http-node.ts';

test('all other hashes of a manifest are compared', async (t) => {
  const node = await HttpNode.start();
  t.after(() => node.stop());
  const answer = await comparedAnswer(node.url, { path: '/v1/manifest' });
  const { clients, ...others } = await node.document('/v1/manifest');
  const hashes = JSON.stringify(others).match(/[a-f0-9]{64}/g) ?? [];
  assert.ok(hashes.length >= 3);
  for (const hash of hashes) assert.ok(answer.includes(hash), hash);
  const own = DOWNLOADS.filter(({ asksNode }) => asksNode).map(({ name }) => `/downloads/${name}`);
  assert.ok(own.length > 0);
  for (const { path, sha256 } of clients as JsonObject[]) {
    const isCompared = answer.includes(sha256 as string);
    assert.equal(isCompared, !own.includes(path as string), path as string);
  }
});
