import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sequenceAfter } from './beacon.ts';

test('a false sequence leaves room for later beacons', () => {
  assert.equal(sequenceAfter(0, 5), 1);
  // A sequence that its owner chose, for example a time.
  assert.equal(sequenceAfter(1_800_000_000_000, 5), 1_800_000_000_001);
  for (const lie of [2 ** 53 - 2, 2 ** 52 + 5, -1, 0.5, Number.NaN, '1' as never]) {
    assert.throws(() => sequenceAfter(lie, 5), { code: 'HTTP_200' }, String(lie));
  }
  const highest = sequenceAfter(2 ** 52 + 4, 5);
  assert.equal(sequenceAfter(highest, 6), highest + 1, 'a later block allows the next');
});
