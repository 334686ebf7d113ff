import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { importPublicKey, checkSignature } from './node.ts';

/** The size of the cache. */
const KEPT = 8_000;
const message = new Uint8Array(1);
const signature = new Uint8Array(64);

test('a key that comes a second time takes the place of no other', () => {
  const first = randomBytes(32);
  const cameOnce = randomBytes(32);
  const handle = importPublicKey(first);
  checkSignature(cameOnce, message, signature);
  for (let count = 2; count < KEPT; count++) checkSignature(randomBytes(32), message, signature);
  checkSignature(cameOnce, message, signature);
  assert.equal(importPublicKey(first), handle);

  // One too many: only the oldest is gone.
  const second = importPublicKey(cameOnce);
  checkSignature(randomBytes(32), message, signature);
  assert.equal(importPublicKey(cameOnce), second);
  assert.notEqual(importPublicKey(first), handle);
});
