import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOB_ERROR_TABLE } from './errors.ts';

test('every code has a title without and an advice with a period, and says something of its own', () => {
  for (const [code, { status, title, advice }] of Object.entries(BLOB_ERROR_TABLE)) {
    assert.match(code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
    assert.match(title, /^\S.*[^.]$/, code);
    assert.match(advice, /^\S.*\.$/, code);
    assert.ok(status >= 400 && status < 600, code);
  }
  const titles = Object.values(BLOB_ERROR_TABLE).map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
});
