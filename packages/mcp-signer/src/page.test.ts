/** Parts must be bounded and add up to the whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as check, integer, property, string } from 'fast-check';
import { cutRow, PAGE_BYTES, textPage, valuePage } from './page.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

test('the pages of a text are the text', () => {
  const text = string({ unit: 'grapheme', maxLength: 200 });
  check(
    property(text, integer({ min: 12, max: 60 }), (whole, most) => {
      let said = '';
      for (let offset: number | null = 0; offset !== null;) {
        const { text: part, nextOffset } = textPage(whole, offset, most);
        assert.ok(bytesOf(part) <= most + 2);
        assert.ok(part.isWellFormed());
        said += part;
        offset = nextOffset;
      }
      assert.equal(said, whole);
    }),
  );
});

test('a row is cut to its limit', () => {
  const row = { title: 'T'.repeat(500), requirements: Array.from({ length: 40 }, () => 'skill') };
  assert.ok(bytesOf(cutRow(row, 300)) < 450);
  assert.deepEqual(cutRow({ title: 'short', requirements: ['one'] }, 300), {
    title: 'short',
    requirements: ['one'],
  });
});

test('a small value comes as it is, a large one as pages of JSON', () => {
  assert.deepEqual(valuePage({ a: 1 }), { value: { a: 1 }, nextOffset: null });
  const { nextOffset } = valuePage('x'.repeat(PAGE_BYTES * 2));
  assert.ok(nextOffset !== null && nextOffset > 1_000);
});
