/** Verifies the shared vectors by the pool: in a batch in a worker, and a few at a time beside it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { hexToBytes, validatePoint } from '@netd/protocol';
import { VerifierPool, type SignatureToVerify } from './verifier-pool.ts';

const VECTORS = new URL('../../../../vectors/signatures.json', import.meta.url);
const { verify: vectors } = JSON.parse(readFileSync(VECTORS, 'utf8')) as {
  verify: { name: string; publicKey: string; message: string; signature: string; valid: boolean }[];
};

const pool = new VerifierPool(1);
after(() => pool.close());

const signatures = vectors.map(({ name, valid, ...hex }) => {
  const [key, message, signature] = [hex.publicKey, hex.message, hex.signature].map(hexToBytes);
  assert.ok(key && message && signature);
  return { name, valid, fault: validatePoint(key), key, message, signature };
});

for (const isNewKey of [false, true]) {
  const verdictOn = ({ key, message, signature }: Omit<SignatureToVerify, 'isNewKey'>) =>
    pool.verify({ key, message, signature, isNewKey });

  test(`vectors have one verdict in a worker and beside it, ${isNewKey ? 'new' : 'known'} keys`, async () => {
    // A batch has space for 64 bytes each. Parsing refuses signatures of other lengths.
    const fitting = signatures.filter(({ signature }) => signature.length === 64);
    const inWorker = await Promise.all(fitting.map(verdictOn));
    // All at once, but too few for a worker.
    const all = fitting.map(({ key, message, signature }) => ({
      key,
      message,
      signature,
      isNewKey,
    }));
    assert.deepEqual(await pool.verifyAll(all), inWorker);
    assert.deepEqual(await pool.verifyAll(all.slice(-5)), inWorker.slice(-5));
    const seen = new Set<string>();
    for (const [index, verdict] of inWorker.entries()) {
      const vector = fitting[index];
      assert.ok(vector);
      assert.equal(await verdictOn(vector), verdict, vector.name);
      // A vector is valid only with a key that may be registered.
      if (vector.valid) assert.equal(verdict, 'valid', vector.name);
      else if (vector.fault === null) assert.equal(verdict, 'bad-signature', vector.name);
      else assert.notEqual(verdict, isNewKey ? 'valid' : 'invalid-key', vector.name);
      seen.add(verdict);
    }
    assert.deepEqual(
      [...seen].toSorted(),
      isNewKey ? ['bad-signature', 'invalid-key', 'valid'] : ['bad-signature', 'valid'],
    );
  });
}
