import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateErrorTable } from '@netd/protocol/testing';
import { FORMAT_ERROR_TABLE, FormatError } from './errors.ts';

test('every code has a title without and an advice with a period, and says something of its own', () => {
  assert.deepEqual(validateErrorTable(FORMAT_ERROR_TABLE), []);
});

test('an error is a sentence with the place', () => {
  const error = new FormatError('DOCUMENT_INVALID', '/title', 'is required');
  assert.match(error.message, /^The document breaks its schema \(\/title is required\)\. Correct/);
});
