import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateErrorTable } from '@netd/protocol/testing';
import { BLOB_ERROR_TABLE } from './errors.ts';

test('every code has a title without and an advice with a period, and says something of its own', () => {
  assert.deepEqual(validateErrorTable(BLOB_ERROR_TABLE), []);
});
