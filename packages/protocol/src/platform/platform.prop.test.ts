/** web.ts and node.ts must agree on honest, random, malformed and crafted input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { craftedSignatures, pemOfRaw, testKey } from '../testing/index.ts';
import { isStrictSignature, validatePublicKey } from '../ed25519.ts';
import * as node from './node.ts';
import * as web from './web.ts';

const bytes = fc.uint8Array({ maxLength: 300 });
// Includes lone surrogates, which both must encode as U+FFFD.
const text = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 50 })
  .map((units) => String.fromCharCode(...units));

test('SHA-256 of bytes and of any string', () => {
  fc.assert(
    fc.property(fc.oneof(bytes, text), fc.nat(8), (data, offset) => {
      assert.equal(web.sha256Hex(data), node.sha256Hex(data));
      const [a, b] = [new Uint8Array(40), new Uint8Array(40)];
      web.sha256Into(data, a, offset);
      node.sha256Into(data, b, offset);
      assert.deepEqual(a, b);
    }),
  );
});

test('hex is written or refused the same way', () => {
  const hex = fc.oneof(
    bytes.map((data) => Buffer.from(data).toString('hex')),
    fc.string({
      unit: fc.constantFrom(...'0123456789abcdefABCDEFgz \u0130'.split('')),
      maxLength: 40,
    }),
  );
  const write = (
    into: typeof node.hexInto,
    digits: string,
    offset: number,
  ): Uint8Array | 'refused' => {
    const target = new Uint8Array(24);
    try {
      into(digits, target, offset);
      return target;
    } catch (error) {
      assert.ok(error instanceof RangeError);
      return 'refused';
    }
  };
  fc.assert(
    fc.property(hex, fc.nat(8), (digits, offset) => {
      assert.deepEqual(write(node.hexInto, digits, offset), write(web.hexInto, digits, offset));
    }),
  );
});

test('base64 of bytes, there and back', () => {
  fc.assert(
    fc.property(bytes, (data) => {
      const encoded = node.bytesToBase64(data);
      assert.equal(web.bytesToBase64(data), encoded);
      assert.deepEqual(web.base64ToBytes(encoded), data);
      assert.deepEqual(node.base64ToBytes(encoded), data);
    }),
  );
});

test('malformed base64 is refused by both, or read the same', () => {
  const near = fc.string({
    unit: fc.constantFrom(...'ABgwz09+/-_= \n\u0141'.split('')),
    maxLength: 12,
  });
  const outcome = (decode: (encoded: string) => Uint8Array, encoded: string): unknown => {
    try {
      return decode(encoded);
    } catch (error) {
      return (error as Error).message;
    }
  };
  fc.assert(
    fc.property(fc.oneof(near, text), (encoded) => {
      assert.deepEqual(outcome(web.base64ToBytes, encoded), outcome(node.base64ToBytes, encoded));
    }),
    { numRuns: 1000 },
  );
});

test('the equation on honest and on damaged signatures', () => {
  const key = testKey('platform');
  fc.assert(
    fc.property(bytes, fc.option(fc.nat(511)), (message, bit) => {
      const signature = key.signBytes(message);
      if (bit !== null) signature[bit >> 3]! ^= 1 << (bit & 7);
      if (!isStrictSignature(signature)) return;
      const verdict = node.checkSignature(key.raw, message, signature);
      assert.equal(verdict, bit === null);
      assert.equal(web.checkSignature(key.raw, message, signature), verdict);
    }),
    { numRuns: 60 },
  );
});

test('the equation on random bytes that pass the strict checks', () => {
  const { raw } = testKey('platform');
  const signatures = fc
    .uint8Array({ minLength: 64, maxLength: 64 })
    .map((data) => data.with(63, data[63]! & 0x0f));
  fc.assert(
    fc.property(bytes, signatures, (message, signature) => {
      if (!isStrictSignature(signature)) return;
      assert.equal(node.checkSignature(raw, message, signature), false);
      assert.equal(web.checkSignature(raw, message, signature), false);
    }),
    { numRuns: 60 },
  );
});

test('the equation on crafted signatures, once the strict checks have passed', () => {
  let compared = 0;
  for (const { name, publicKey, message, signature } of craftedSignatures()) {
    const fault = validatePublicKey(pemOfRaw(publicKey));
    if (!isStrictSignature(signature) || (fault !== null && fault !== 'NOT_TORSION_FREE')) continue;
    compared++;
    const verdict = node.checkSignature(publicKey, message, signature);
    assert.equal(web.checkSignature(publicKey, message, signature), verdict, name);
  }
  assert.ok(compared >= 10);
});
