import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headDoubt } from './head.ts';

test('doubts a proven block if the node shows a far higher one, or if it is old', () => {
  const doubt = (age: number | null, shown: number, before = 50): string | null =>
    headDoubt({ height: 50, age, shown: before }, shown);
  assert.equal(doubt(20_000, 60), null);
  assert.equal(doubt(null, 60), null);
  assert.match(doubt(0, 1_000_000) ?? '', /shows block 1,000,000, .* none after block 50/);
  // A block that was on display before the check must be proven by it.
  assert.match(doubt(0, 110, 100) ?? '', /shows block 110, .* none after block 50/);
  assert.equal(doubt(0, 110, 55), null);
  assert.match(doubt(3 * 3_600_000, 50) ?? '', /3 h.* old/);
});
