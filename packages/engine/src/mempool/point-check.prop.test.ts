/** Compares libsodium's check of a new key with JavaScript's: all nodes must accept the same keys. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rawKeyFromPem, validatePoint } from '@netd/protocol';
import { craftedSignatures, signatureWithTorsion, testKey } from '@netd/protocol/testing';
import * as fc from 'fast-check';
import { loadPointCheck, SAMPLE_KEYS } from './signature-check.ts';

const check = await loadPointCheck();

function verdict(key: Uint8Array, name = ''): boolean {
  const valid = check(key);
  assert.equal(validatePoint(key) === null, valid, `${name} ${Buffer.from(key).toString('hex')}`);
  return valid;
}

test('it is libsodium that is compared here', () => {
  // Without libsodium's binary, the tests below would compare JavaScript with itself.
  assert.doesNotMatch(check.toString(), /validatePoint/);
});

test('the keys that a binary is tried with, and those of the crafted signatures', () => {
  for (const [name, key, valid] of SAMPLE_KEYS) assert.equal(verdict(key, name), valid, name);
  const refused = craftedSignatures().filter(({ name, publicKey }) => !verdict(publicKey, name));
  assert.ok(refused.length >= 6, `${refused.length} refused`);
});

test('the vectors of public keys', () => {
  const path = new URL('../../../../vectors/public-keys.json', import.meta.url);
  const { valid, invalid } = JSON.parse(readFileSync(path, 'utf8')) as {
    valid: { pem: string }[];
    invalid: { pem: string; fault: string }[];
  };
  let compared = 0;
  for (const { pem } of [...valid, ...invalid]) {
    const key = rawKeyFromPem(pem);
    if (!key) continue;
    verdict(key, pem);
    compared++;
  }
  assert.ok(compared >= 8, `${compared} compared`);
});

test('an honest key with a part of every small order', () => {
  for (let part = 0; part < 8; part++) {
    for (let attempt = 0; attempt < 2; attempt++) {
      assert.equal(verdict(signatureWithTorsion(part, 0, attempt).publicKey), part === 0);
    }
  }
});

const P = 2n ** 255n - 19n;

function encoded(y: bigint, sign: bigint): Uint8Array {
  const hex = (y + (sign << 255n)).toString(16).padStart(64, '0');
  return new Uint8Array(Buffer.from(hex, 'hex').reverse());
}

test('small y, those about the prime and beyond it, with either sign', () => {
  for (let offset = 0n; offset < 19n; offset++) {
    for (const sign of [0n, 1n]) {
      verdict(encoded(offset, sign));
      verdict(encoded(P + offset, sign));
      verdict(encoded(P - 1n - offset, sign));
    }
  }
});

test('random bytes, half of which are no point and most of the rest in no subgroup of ours', () => {
  let valid = 0;
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
      if (verdict(key)) valid++;
    }),
    { numRuns: 300 },
  );
  assert.ok(valid > 0 && valid < 100, `${valid} of 300 are valid`);
});

test('honest keys with one bit flipped', () => {
  const { raw } = testKey('point');
  for (let bit = 0; bit < 256; bit += 3) {
    verdict(raw.with(bit >> 3, (raw[bit >> 3] ?? 0) ^ (1 << (bit & 7))));
  }
});
