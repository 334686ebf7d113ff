import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headDoubt } from './head.ts';

test('doubts a proven block if the node shows a far higher one, or if it is old', () => {
  const now = 1_800_000_000_000;
  const doubt = (height: number, made: number | null, shown: number): string | null =>
    headDoubt({ height, made }, { shown, now });
  assert.equal(doubt(50, now - 20_000, 60), null);
  assert.equal(doubt(50, null, 60), null);
  assert.match(doubt(50, now, 1_000_000) ?? '', /shows block 1,000,000, .* none after block 50/);
  assert.match(doubt(50, now - 3 * 3_600_000, 50) ?? '', /3 h.* old/);
});
