import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '@netd/protocol';
import * as fc from 'fast-check';
import { isSameJson } from './same-json.ts';

/** Few members and values, so that two documents are often equal, or nearly. */
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, 0, 1, '', 'a', '1'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '0'), tie('value'), { maxKeys: 2 }),
  ),
}));

test('two values are the same JSON if their canonical texts are equal', () => {
  let same = 0;
  fc.assert(
    fc.property(json, json, (received, own) => {
      const expected = canonicalize(received) === canonicalize(own);
      if (expected) same++;
      assert.equal(isSameJson(received, own), expected);
      const again: unknown = JSON.parse(canonicalize(own));
      assert.ok(isSameJson(again, own));
    }),
    { numRuns: 2_000 },
  );
  assert.ok(same > 20, `${same} of them were the same`);
});

test('what nests without end is not followed further than what it is compared with', () => {
  const deep: unknown = JSON.parse('['.repeat(60_000) + ']'.repeat(60_000));
  assert.equal(isSameJson(deep, [[]]), false);
});
