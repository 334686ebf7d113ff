import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashValue } from '@netd/protocol';
import { NetError } from './http.ts';
import { isReceiptOf, receiptOf } from './submission.ts';

const ENVELOPE = { action: 'transfer', nonce: 'n-1' };
const RECEIPT = { transitionHash: hashValue(ENVELOPE), height: 7 };

test('a receipt counts only for the envelope that it names, at a height', () => {
  assert.equal(receiptOf(ENVELOPE, RECEIPT), RECEIPT);
  for (const other of [
    { ...RECEIPT, transitionHash: hashValue({ ...ENVELOPE, nonce: 'n-2' }) },
    { transitionHash: RECEIPT.transitionHash },
    { ...RECEIPT, height: 7.5 },
    undefined,
    null,
  ]) {
    assert.equal(isReceiptOf(ENVELOPE, other), false);
    assert.throws(() => receiptOf(ENVELOPE, other), NetError);
  }
});
