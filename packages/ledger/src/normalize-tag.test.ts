import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { normalizeTag, normalizeTags } from './normalize-tag.ts';

for (const [text, normal] of [
  ['translate', 'translate'],
  ['  Code Review ', 'code-review'],
  ['code_review', 'code-review'],
  ['CODE__ REVIEW', 'code-review'],
  ['code-review', 'code-review'],
  ['code--review', 'code--review'],
  ['_private', 'private'],
  ['a2a/1.0', 'a2a/1.0'],
  ['Übersetzung', 'Übersetzung'],
  ['İ', 'İ'],
  ['\ta\n b\u00a0c', 'a-b\u00a0c'],
  ['_ _', ''],
  ['', ''],
] as const) {
  test(`${JSON.stringify(text)} is compared as ${JSON.stringify(normal)}`, () => {
    assert.equal(normalizeTag(text), normal);
  });
}

test('words that are the same once normal count once', () => {
  assert.deepEqual(normalizeTags(['B', 'a_b', 'b', 'A b']), ['b', 'a-b']);
});

test('normal text stays unchanged', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.equal(normalizeTag(normalizeTag(text)), normalizeTag(text));
    }),
  );
});
