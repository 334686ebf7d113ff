import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMAT_ERROR_TABLE, FormatError } from './errors.ts';

test('every code has a title without and an advice with a period, and says something of its own', () => {
  for (const [code, { title, advice }] of Object.entries(FORMAT_ERROR_TABLE)) {
    assert.match(code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
    assert.match(title, /^\S.*[^.]$/, code);
    assert.match(advice, /^\S.*\.$/, code);
  }
  const titles = Object.values(FORMAT_ERROR_TABLE).map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
});

test('an error is a sentence with the place', () => {
  const error = new FormatError('DOCUMENT_INVALID', '/title', 'is required');
  assert.match(error.message, /^The document breaks its schema \(\/title is required\)\. Correct/);
});
