import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columns, jsonText, oneLine, printable } from './printable.ts';

test('text of strangers cannot steer the terminal', () => {
  const hostile = '\u001B[31mred\u001B]0;title\u0007\u009B2J\u202Eover\u200B\rback\ttab\u0000';
  assert.equal(printable(hostile), 'redoverbacktab');
  assert.equal(printable('two\nlines'), 'two\nlines');
  assert.equal(oneLine('two\n  lines\u2028more'), 'two lines more');
});

test('JSON for scripts steers no terminal either, and says the same to a parser', () => {
  const hostile = {
    '\u202Ekey': '\u009B2J\u202Eover\u200B\u2028\u{E0041}\u{1F642} caf\u00E9\nline',
  };
  for (const indent of [undefined, 2]) {
    const text = jsonText(hostile, indent);
    assert.deepEqual(JSON.parse(text), hostile);
    assert.equal(printable(text), text);
    assert.match(text, /\\u202eover\\u200b\\u2028\\udb40\\udc41\u{1F642} caf\u00E9\\n/u);
  }
});

test('long text is cut by characters, not by halves of them', () => {
  assert.equal(oneLine('🙂🙂🙂🙂', 3), '🙂🙂…');
  assert.equal(oneLine('abc', 3), 'abc');
});

test('columns stand below each other, whatever is in them', () => {
  assert.equal(
    columns([
      ['A', 'LONG', 'C'],
      ['four', '🙂', ''],
    ]),
    '  A     LONG  C\n  four  🙂',
  );
  assert.equal(columns([['a\nb', 'c']]), '  a b  c');
  assert.equal(columns([]), '');
});
