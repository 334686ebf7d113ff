import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Submission } from '@netd/ledger';
import { submissionOf } from '@netd/ledger/testing';
import { intentOf, registrationOf, signEnvelope, testKey } from '@netd/protocol/testing';
import { BlockSignatures } from './block-signatures.ts';
import { VerifierPool, type SignatureToVerify, type SignatureVerdict } from './verifier-pool.ts';

/** Records how many signatures are requested at once. */
class NotingPool extends VerifierPool {
  readonly batches: number[] = [];

  override verifyAll(signatures: readonly SignatureToVerify[]): Promise<SignatureVerdict[]> {
    this.batches.push(signatures.length);
    return super.verifyAll(signatures);
  }
}

const registration = (actorId: string): Submission => {
  const key = testKey(actorId);
  return submissionOf(
    'registration',
    signEnvelope(key, registrationOf({ actorId, key }, { nonce: 'join' })),
  );
};

const GIFT = {
  nonce: 'gift',
  expiresAtHeight: 9,
  action: 'transfer',
  payload: { to: 'bob', amount: 1 },
};

const gift = (actorId: string, keyName = actorId): Submission =>
  submissionOf('intent', signEnvelope(testKey(keyName), intentOf(actorId, GIFT)));

test('the signatures of a block are one batch, and none is verified twice', async (t) => {
  const verifier = new NotingPool(1);
  t.after(() => verifier.close());
  const { publicKey } = testKey('alice');
  const state = { get: (key: string) => (key === 'authority/alice' ? { publicKey } : undefined) };
  const signatures = new BlockSignatures(state, verifier);
  // Bob's key is known from the registration before his intent.
  const block = [
    registration('bob'),
    gift('bob'),
    gift('alice'),
    gift('alice', 'bob'),
    gift('carol'),
  ];
  await signatures.verifyAll(block);
  const bob = testKey('bob').publicKey;
  assert.deepEqual(
    block.map(({ verifiedWith }) => verifiedWith),
    [bob, bob, publicKey, null, null],
  );
  // Carol's key is unknown, and execution judges the intent that bob signed for alice.
  assert.deepEqual(verifier.batches, [4]);
  await signatures.verifyAll(block.slice(0, 3));
  assert.deepEqual(verifier.batches, [4, 0]);
});
