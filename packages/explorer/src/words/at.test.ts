import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressedHeight, heightFault } from './at.ts';

test('reads a whole number as a height, however someone writes it', () => {
  for (const [value, height] of [
    [120, 120],
    [0, 0],
    ['#1,200', 1_200],
    [' 7 ', 7],
    ['', undefined],
    [undefined, undefined],
  ] as const) {
    assert.equal(addressedHeight(value), height, String(value));
  }
});

test('refuses other texts, and a block that does not exist yet', () => {
  for (const value of ['abc', -1, 1.5, '1.5', true, 1e15, ['x'.repeat(100)]]) {
    const at = addressedHeight(value) ?? '';
    assert.equal(typeof at, 'string', String(value));
    assert.ok(String(at).length <= 40);
    assert.match(heightFault(at, 100) ?? '', /is not a height/);
  }
  assert.match(heightFault(101, 100) ?? '', /does not exist yet/);
  assert.equal(heightFault(100, 100), null);
});
