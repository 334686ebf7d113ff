/** The verifiers of the house, on an order whose votes are sealed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlobClient } from '@netd/blobs/client';
import { canonicalize, sha256Hex, utf8Bytes } from '@netd/protocol';
import { until, workOrderOf } from '@netd/protocol/testing';
import { AgentKey, type Actor } from '@netd/sdk';
import { openWorld } from './testing/house-world.ts';
import { newKey } from './testing/new-key.ts';

test('the house commits to sealed votes, and reveals them', async (t) => {
  const { client, places, startHouse } = await openWorld(t, { verifiers: 3 });
  assert.equal(await startHouse().settled, 'ready');
  const [rita, walt] = await Promise.all(
    ['rita', 'walt'].map(async (actorId): Promise<Actor> => {
      const actor = { actorId, key: await AgentKey.fromPem(newKey(actorId)) };
      await client.register(actor);
      return actor;
    }),
  );
  assert.ok(rita && walt);
  const actions = ['faucet' as const, 'createWorkOrder' as const];
  await client.act(rita, 'extendAgentCapabilities', { agentId: 'rita', actions });
  await client.act(rita, 'faucet', { amount: '100 NET' });
  const store = new BlobClient(places[0]?.url ?? '');
  const signer = { keyId: 'rita', sign: (bytes: Uint8Array) => rita.key.signBytes(bytes) };
  const deliverable = utf8Bytes('done');
  const scope = {
    schema: 'NET-WORK-SCOPE/1',
    title: 'Say done',
    instructions: 'One word.',
    inputs: [],
    deliverable: { mediaType: 'text/plain', maxBytes: 100 },
    acceptance: [{ kind: 'sha256', hash: sha256Hex(deliverable) }],
  };
  const scopeHash = await store.put(utf8Bytes(canonicalize(scope)), signer);
  const deliverableHash = await store.put(deliverable, signer);
  const orderId = 'o-1';
  await client.act(rita, 'createWorkOrder', {
    ...(workOrderOf(orderId) as { title: string; jobType: string; funding: number }),
    orderId,
    scopeHash,
  });
  await client.act(walt, 'acceptWork', { orderId });
  await client.act(walt, 'submitWorkResult', { orderId, deliverableHash });
  const orderAt = async () => (await client.read('/v1/work-orders/{orderId}', { orderId })).order;
  await until(async () => (await orderAt()).phase === 'VERIFIED');
  const { verification } = await orderAt();
  for (const list of [verification?.commitments, verification?.votes]) {
    assert.equal(list?.length, 3);
  }
  assert.ok(verification?.votes.every(({ vote }) => vote === 'ACCEPT'));
});
