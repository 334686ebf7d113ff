import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, decimal, exactNet, namePrice, netApart, share, shortNet } from './amount.ts';

test('an amount has all its digits and no other', () => {
  assert.equal(exactNet(0), '0');
  assert.equal(exactNet(1), '0.000001');
  assert.equal(exactNet(1_234_500_000), '1,234.5');
  assert.equal(exactNet(-25_000_000), '−25');
  // Above 2^53 / 10^6, a division would invent digits.
  assert.equal(exactNet(9_007_199_254_740_991), '9,007,199,254.740991');
  assert.equal(decimal(12_345, 2), '123.45');
  assert.equal(decimal(5, 0), '5');
});

test('shortens large amounts, and never shows a small one as zero', () => {
  assert.equal(shortNet(10_008_299_400_000), '10M');
  assert.equal(shortNet(840_000_000_000_000), '840M');
  assert.equal(shortNet(25_400_000_000), '25.4k');
  assert.equal(shortNet(2_000_000_000), '2,000');
  assert.equal(shortNet(30_600_000), '30.6');
  assert.equal(shortNet(1), '<0.01');
  assert.equal(shortNet(0), '0');
});

test('shows 0 % or 100 % only if the share is exactly that', () => {
  assert.equal(share(1, 1_000_000), '<0.1 %');
  assert.equal(share(999_999, 1_000_000), '99.9 %');
  assert.equal(share(1, 1), '100 %');
  assert.equal(share(0, 0), '0 %');
  assert.equal(count(1_234_567), '1,234,567');
});

test('amounts that stand together read apart', () => {
  const told = (...unet: number[]): string[] => unet.map(netApart(unet));
  assert.deepEqual(told(10_000_000e6, 20_000_000e6, 20_000_000e6), ['10M', '20M', '20M']);
  assert.deepEqual(told(10_008_299_400_000, 10_008_300e6), ['10,008,299.4', '10,008,300']);
  assert.deepEqual(told(5e6, 5e6), ['5', '5']);
});

test('a name is free, or costs work or a deposit', () => {
  assert.equal(namePrice({ price: 'free', workBits: 20 }), 'nothing');
  assert.equal(namePrice({ price: 'work', workBits: 10 }), 'a proof of work: about 1,024 hashes');
  assert.match(
    namePrice({ price: 'deposit', workBits: 20 }),
    /^a deposit of 10 NET, which a sponsor/,
  );
  assert.match(namePrice({ price: 'deposit', deposit: 2_500_000, workBits: 20 }), /of 2.5 NET/);
});
