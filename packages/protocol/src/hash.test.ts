import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesToHex, utf8Bytes } from './bytes.ts';
import { hashValue, hashWithout, sha256, sha256Hex, sha256Into } from './hash.ts';

// From FIPS 180-4.
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

test('SHA-256 of bytes and of strings', () => {
  assert.equal(sha256Hex(''), NOTHING);
  assert.equal(sha256Hex('abc'), ABC);
  assert.equal(sha256Hex(utf8Bytes('abc')), ABC);
  assert.equal(bytesToHex(sha256('abc')), ABC);
  assert.equal(sha256Hex('é😀'), sha256Hex(utf8Bytes('é😀')));
});

test('sha256 gives fresh bytes each time', () => {
  const first = sha256('abc');
  sha256('other');
  assert.equal(bytesToHex(first), ABC);
});

test('sha256Into touches 32 bytes and no others', () => {
  const target = new Uint8Array(40).fill(0xaa);
  sha256Into('abc', target, 4);
  assert.equal(bytesToHex(target), `aaaaaaaa${ABC}aaaaaaaa`);
});

test('sha256Into writes into a view of a larger buffer', () => {
  const whole = new Uint8Array(64);
  sha256Into('abc', whole.subarray(32), 0);
  assert.equal(bytesToHex(whole), '00'.repeat(32) + ABC);
});

test('hashValue hashes the canonical bytes', () => {
  assert.equal(hashValue({ b: 1, a: 'é' }), sha256Hex('{"a":"é","b":1}'));
  assert.throws(() => hashValue(undefined));
});

test('hashWithout leaves the document alone', () => {
  const document = { a: 1, growthHash: 'x' };
  assert.equal(hashWithout(document, 'growthHash'), hashValue({ a: 1 }));
  assert.equal(document.growthHash, 'x');
});
