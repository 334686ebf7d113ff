/** The steps of a job one by one, by whoever decides each: also where the scope is sealed, and also twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openContent, publicEncryptionKey, sealContent, workScope } from '@netd/formats';
import { utf8Text } from '@netd/protocol';
import { Agent } from './agent.ts';
import { stage } from './testing/staged.ts';

const staged = stage();

test('a sealed order is read, delivered once and sealed to its requester', async (t) => {
  const { world } = staged;
  const requester = await Agent.open('sealer', world.options());
  t.after(() => requester.stop());
  await requester.act('faucet', { amount: 50_000_000 });
  const worker = await Agent.open('worker', world.options());
  t.after(() => worker.stop());
  const input = await requester.store('the input');
  const orderId = world.nextOrderId();
  const chainId = 'net-devnet-1';
  const facts = { chainId, fromAgentId: 'sealer', toAgentId: 'worker', orderId } as const;
  const scope = workScope.make({
    schema: 'NET-WORK-SCOPE/1',
    title: 'A private matter',
    instructions: 'Three words.',
    inputs: [{ name: 'one', hash: input, mediaType: 'text/plain', byteLength: 9 }],
    deliverable: { mediaType: 'text/plain', maxBytes: 20 },
    acceptance: [{ kind: 'review', question: 'Are these three words?' }],
  });
  const key = publicEncryptionKey(world.encryptionOf('worker'));
  const { bytes } = await sealContent(scope.bytes, [key], { ...facts, part: 'scope' });
  await requester.act(
    'createWorkOrder',
    world.orderPayload({ agentId: 'worker', scopeBytes: bytes }),
  );
  await requester.store(bytes);

  const offer = await worker.offer(orderId);
  assert.equal(offer.scope.title, 'A private matter');
  assert.equal(offer.sealed, true);
  assert.equal(utf8Text(await worker.input(offer, 'one')), 'the input');
  await assert.rejects(worker.input(offer, 'two'), { code: 'INPUT_UNKNOWN' });
  await assert.rejects(worker.deliver(orderId, 'too early'), { code: 'WORK_ORDER_NOT_ACCEPTED' });
  await worker.act('acceptWork', { orderId, agentId: 'worker' });
  await assert.rejects(worker.deliver(orderId, 'x'.repeat(21)), { code: 'RESULT_UNMET' });
  const [hash, ...others] = await Promise.all([
    worker.deliver(orderId, 'one two three'),
    worker.deliver(orderId, 'one two three'),
  ]);
  // Sealed anew each time, its bytes would be others.
  assert.deepEqual([...others, await worker.deliver(orderId, 'something else')], [hash, hash]);
  const opened = await openContent(await worker.fetch(hash), world.encryptionOf('sealer'), {
    ...facts,
    fromAgentId: 'worker',
    toAgentId: 'sealer',
    part: 'deliverable',
  });
  assert.equal(utf8Text(opened), 'one two three');
});
