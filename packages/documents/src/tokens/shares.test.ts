import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sharesOf } from './tokenomics.ts';

test('shares sum to the whole, each within one of the exact one', () => {
  const amounts = fc.array(fc.nat({ max: 2 ** 40 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(amounts, (parts) => {
      const sum = parts.reduce((total, part) => total + part, 0);
      fc.pre(sum > 0);
      const shares = sharesOf(parts, 1_000_000);
      assert.equal(
        shares.reduce((total, share) => total + share, 0),
        1_000_000,
      );
      shares.forEach((share, index) => {
        assert.ok(Math.abs(share - ((parts[index] ?? 0) / sum) * 1_000_000) <= 1);
      });
    }),
  );
});

test('equal ones are rounded up in their order', () => {
  assert.deepEqual(sharesOf([1, 1, 1], 100), [34, 33, 33]);
});
