/** Compares the equations of libsodium, OpenSSL and noble, which must agree on every input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStrictSignature } from '@netd/protocol';
import * as openssl from '@netd/protocol/native';
import { craftedSignatures, signatureWithTorsion, testKey } from '@netd/protocol/testing';
import * as noble from '@netd/protocol/web';
import * as fc from 'fast-check';
import { loadSignatureCheck, SAMPLE } from './signature-check.ts';

const sodium = await loadSignatureCheck((sentence) => assert.fail(sentence));

type Signed = Parameters<typeof sodium>;

/** Returns the verdict on which all three agree. */
function verdict([key, message, signature]: Signed, name = ''): boolean {
  const said = sodium(key, message, signature);
  assert.equal(openssl.checkSignature(key, message, signature), said, `OpenSSL: ${name}`);
  assert.equal(noble.checkSignature(key, message, signature), said, `noble: ${name}`);
  return said;
}

test('crafted signatures that pass the strict checks', () => {
  const refused: string[] = [];
  for (const { name, publicKey, message, signature } of craftedSignatures()) {
    if (!isStrictSignature(signature)) continue;
    // No account has a key of small order: only noble's equation accepts such keys, and registration refuses
    // them.
    if (name.startsWith('the key has order')) {
      assert.equal(sodium(publicKey, message, signature), false, name);
      assert.equal(openssl.checkSignature(publicKey, message, signature), false, name);
    } else if (!verdict([publicKey, message, signature], name)) refused.push(name);
  }
  assert.ok(refused.includes('R has a torsion part'));
  assert.ok(refused.includes('the key has a torsion part, k not divisible by 8'));
});

test('keys and R with parts of every small order: the cofactored equation would take all of them', () => {
  let accepted = 0;
  for (let part = 0; part < 64; part++) {
    const [ofKey, ofR] = [part >> 3, part & 7];
    for (let attempt = 0; attempt < 3; attempt++) {
      const { publicKey, message, signature } = signatureWithTorsion(ofKey, ofR, attempt);
      assert.ok(isStrictSignature(signature));
      const name = `${ofKey} in the key, ${ofR} in R, attempt ${attempt}`;
      const holds = verdict([publicKey, message, signature], name);
      if (ofKey === 0) assert.equal(holds, ofR === 0, name);
      if (holds) accepted++;
    }
  }
  assert.ok(accepted >= 3 && accepted < 64, `${accepted} of 192 hold`);
});

test('honest signatures, and those with bits of key, message or signature flipped', () => {
  const key = testKey('equation');
  const message = fc.uint8Array({ minLength: 1, maxLength: 600 });
  const place = fc.constantFrom(0, 1, 2);
  fc.assert(
    fc.property(message, fc.option(fc.tuple(place, fc.nat(10_000))), (about, flip) => {
      const signed: Signed = [Uint8Array.from(key.raw), about, key.signBytes(about)];
      if (flip) {
        const [part, at] = flip;
        const bytes = signed[part];
        const bit = at % (bytes.length * 8);
        const index = bit >> 3;
        // The signature is for the original message.
        signed[part] = bytes.with(index, (bytes[index] ?? 0) ^ (1 << (bit & 7)));
        if (!isStrictSignature(signed[2])) return;
      }
      assert.equal(verdict(signed), flip === null);
    }),
    { numRuns: 150 },
  );
});

test('random keys and random signatures that pass the strict checks', () => {
  const random = (length: number): fc.Arbitrary<Uint8Array> =>
    fc.uint8Array({ minLength: length, maxLength: length });
  fc.assert(
    fc.property(random(32), random(40), random(64), (key, message, data) => {
      const signature = data.with(63, (data[63] ?? 0) & 0x0f);
      if (isStrictSignature(signature)) assert.equal(verdict([key, message, signature]), false);
    }),
    { numRuns: 150 },
  );
});

test('the signatures that a binary is tried with are the crafted ones', () => {
  for (const [name, signature] of [
    ['plain', SAMPLE.honest],
    ['R has a torsion part', SAMPLE.withTorsion],
  ] as const) {
    const crafted = craftedSignatures().find((each) => each.name === name);
    assert.deepEqual(Buffer.from(crafted?.publicKey ?? []), Buffer.from(SAMPLE.key));
    assert.deepEqual(Buffer.from(crafted?.message ?? []), Buffer.from(SAMPLE.message));
    assert.deepEqual(Buffer.from(crafted?.signature ?? []), Buffer.from(signature));
    assert.ok(isStrictSignature(signature));
  }
});
