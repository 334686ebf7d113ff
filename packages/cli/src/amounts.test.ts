import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as check, maxSafeNat, property } from 'fast-check';
import { net, parseAmount } from './amounts.ts';

test('amounts are read in NET and in unet, and only whole unet come out', () => {
  for (const [text, unet] of [
    ['5NET', 5_000_000],
    ['0.5NET', 500_000],
    ['5 net', 5_000_000],
    ['1,234.5 NET', 1_234_500_000],
    ['0.000001NET', 1],
    ['500000', 500_000],
    ['500000unet', 500_000],
    ['0', 0],
  ] as const) {
    assert.equal(parseAmount(text), unet, text);
  }
  for (const text of [
    '',
    'NET',
    '-5NET',
    '5,5NET',
    '1,2345NET',
    '0.0000001NET',
    '0.5',
    '0.5unet',
    '1e3NET',
    '5NETS',
    '9007199255NET',
    '9007199254740992',
    '.5NET',
  ]) {
    assert.equal(parseAmount(text), null, text);
  }
});

test('amounts are shown in NET', () => {
  for (const [unet, text] of [
    [0, '0 NET'],
    [1, '0.000001 NET'],
    [1_500_000, '1.5 NET'],
    [-1_500_000, '-1.5 NET'],
    [1_234_567_000_000, '1,234,567 NET'],
    [Number.MAX_SAFE_INTEGER, '9,007,199,254.740991 NET'],
  ] as const) {
    assert.equal(net(unet), text);
  }
});

test('what is shown is read back as the same amount', () => {
  check(
    property(maxSafeNat(), (unet) => {
      assert.equal(parseAmount(net(unet)), unet);
    }),
  );
});
