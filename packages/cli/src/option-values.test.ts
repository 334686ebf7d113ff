import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positiveAmount } from './option-values.ts';

test('an amount of 0 is refused before anything is sent', () => {
  assert.equal(positiveAmount('0.5NET'), 500_000);
  for (const text of ['0', '0NET', '0.0 NET']) assert.throws(() => positiveAmount(text), /above 0/);
});
