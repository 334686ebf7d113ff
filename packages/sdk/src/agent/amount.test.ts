import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unetOf } from './amount.ts';

test('amounts are NET in words or unet in numbers, exactly', () => {
  for (const [amount, unet] of [
    ['1 NET', 1_000_000],
    ['5NET', 5_000_000],
    [' 0.5 net ', 500_000],
    ['0.000001 NET', 1],
    ['1000000000 NET', 1_000_000_000_000_000],
    [0, 0],
    [17, 17],
  ] as const) {
    assert.equal(unetOf(amount, 'price'), unet, String(amount));
  }
  for (const amount of [
    '1',
    '1 EUR',
    '-1 NET',
    '0.0000001 NET',
    '1e3 NET',
    '',
    1.5,
    -1,
    Number.NaN,
  ]) {
    assert.throws(() => unetOf(amount, 'price'), { code: 'AMOUNT_INVALID' }, String(amount));
  }
});
