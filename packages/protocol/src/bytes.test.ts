import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64ToBytes, bytesToBase64, utf8Bytes, utf8Text } from './bytes.ts';

const malformed = [
  'A',
  'AA',
  'AA=',
  'AB==',
  'AAB=',
  'AA==A',
  '=AAA',
  'A===',
  '-_-_',
  ' AAAA',
  'AAAA\n',
  'AA AA',
  'AA==AA==',
  'é',
  '\u0141AAA',
];
for (const text of malformed) {
  test(`refuses ${JSON.stringify(text)} as base64`, () => {
    assert.throws(() => base64ToBytes(text), RangeError);
  });
}

test('base64 there and back, in bytes of their own', () => {
  assert.deepEqual(base64ToBytes(''), new Uint8Array());
  const bytes = base64ToBytes('AAECA/8=');
  assert.deepEqual(bytes, Uint8Array.of(0, 1, 2, 3, 255));
  assert.equal(bytes.buffer.byteLength, 5);
  assert.equal(bytesToBase64(bytes.subarray(1, 3)), 'AQI=');
});

test('utf8Text refuses bytes that are not UTF-8 and keeps a byte order mark', () => {
  assert.throws(() => utf8Text(Uint8Array.of(0xff)), TypeError);
  assert.throws(() => utf8Text(Uint8Array.of(0xed, 0xa0, 0xbd)), TypeError);
  assert.equal(utf8Text(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)), '\ufeffa');
  assert.equal(utf8Text(utf8Bytes('é😀')), 'é😀');
});
