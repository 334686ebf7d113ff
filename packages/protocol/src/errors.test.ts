import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_TABLE, isErrorCode } from './errors.ts';
import { validateErrorTable } from './testing/error-table.ts';

test('every code has a title without and an advice with a period, and says something of its own', () => {
  assert.deepEqual(validateErrorTable(ERROR_TABLE), []);
});

test('the codes that the interface names have the statuses it names', () => {
  const named = {
    ENVELOPE_INVALID: 400,
    PARAMETER_INVALID: 400,
    CURSOR_INVALID: 400,
    SIGNED_INTENT_REQUIRED: 403,
    AGENT_NOT_FOUND: 404,
    CERTIFICATE_NOT_FOUND: 404,
    CHECKPOINT_NOT_FOUND: 404,
    CHUNK_NOT_FOUND: 404,
    ROUTE_NOT_FOUND: 404,
    PAYLOAD_INVALID: 409,
    CHAIN_ID_MISMATCH: 409,
    KEY_ALREADY_REGISTERED: 409,
    NONCE_REPLAYED: 409,
    AGENT_EXISTS: 409,
    STATE_CHECKPOINT_CERTIFICATE_UNAVAILABLE: 503,
  } as const;
  for (const [code, status] of Object.entries(named)) {
    assert.ok(isErrorCode(code), code);
    assert.equal(ERROR_TABLE[code].status, status, code);
  }
});

test('isErrorCode does not look into the prototype', () => {
  for (const text of ['', 'toString', '__proto__', 'nonce_replayed'])
    assert.equal(isErrorCode(text), false);
});
