/** Parts of an answer that a comparison of two nodes leaves out. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { DOWNLOADS } from '@netd/server/testing';
import { comparedAnswer } from './compared-answers.ts';
import { HttpNode } from './http-node.ts';

const node = await HttpNode.start();
after(() => node.stop());

test('all other hashes of a manifest are compared', async () => {
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

test('of an Agent Card only the address and the signatures are left out', async () => {
  const path = '/.well-known/agent-card.json';
  const card = JSON.parse(
    await comparedAnswer(node.url, { path }).then((text) => text.slice(4)),
  ) as JsonObject;
  const { signatures, ...others } = await node.document(path);
  assert.ok(Array.isArray(signatures) && signatures.length > 0);
  assert.deepEqual(
    card,
    JSON.parse(
      JSON.stringify(others)
        .replaceAll(node.url, 'here')
        .replaceAll(new URL(node.url).host, 'here'),
    ),
  );
});

test('an answer without anything of its own is compared whole', async () => {
  const path = '/v1/agents?limit=1';
  const whole = await (
    await fetch(node.url + path, { headers: { accept: 'application/json' } })
  ).text();
  assert.equal(await comparedAnswer(node.url, { path }), `200 ${whole}`);
});
