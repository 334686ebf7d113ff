import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlobServiceError } from '@netd/blobs/client';
import { FormatError } from '@netd/formats';
import { NetSdkError } from '@netd/protocol';
import { AgentError, codeOf } from './agent/agent-error.ts';
import { AmountError } from './amount.ts';
import { errorFrom } from './error-json.ts';
import { NetError } from './http.ts';
import { LostAnswerError } from './submission.ts';
import { StaleStateError, VerificationError } from './verified-reader.ts';

const PROBLEM = {
  code: 'INSUFFICIENT_BALANCE',
  title: 'No',
  detail: 'Pay.',
  status: 400,
  errors: [{ path: '/payload/amount', message: 'is 5' }],
};
const ERRORS = [
  new AgentError('ORDER_UNPAID', 'o', { data: { orderId: 'o' }, cause: new Error('below') }),
  new AmountError('/amount', '1,5'),
  new BlobServiceError(507, null, 3),
  new FormatError('DOCUMENT_INVALID', '/a', 'b'),
  new LostAnswerError({ actorId: 'ada' }, new Error('closed')),
  new NetError(400, PROBLEM as never),
  new StaleStateError('old', 7),
  new VerificationError('forged'),
];

test('every error has one base class, a code and a text that contains it', () => {
  for (const error of ERRORS) {
    assert.ok(error instanceof NetSdkError, error.name);
    assert.ok(error.message.includes(`[${error.code}]`), error.message);
    assert.equal(codeOf(error), error.code);
  }
  assert.ok(ERRORS[1] instanceof TypeError);
  assert.ok(!(ERRORS[0] instanceof NetError));
});

test('JSON keeps class, text, code, data and members', () => {
  for (const error of ERRORS) {
    const back = errorFrom(JSON.parse(JSON.stringify(error)));
    assert.ok(back instanceof Error && back instanceof error.constructor, error.name);
    assert.deepEqual([Object.entries(back), back.message], [Object.entries(error), error.message]);
    assert.equal(JSON.stringify(back), JSON.stringify(error));
  }
  assert.throws(() => errorFrom({ message: 'x' }), TypeError);
});

test('structuredClone carries code and data in the cause', () => {
  for (const error of [...ERRORS, errorFrom(JSON.parse(JSON.stringify(ERRORS[0])))]) {
    const { cause } = structuredClone(error) as Error & { cause: { code: string; data: object } };
    assert.deepEqual([cause.code, cause.data], [error.code, error.data]);
  }
});

test('codes of other libraries are not ours', () => {
  assert.equal(codeOf(Object.assign(new Error('x'), { code: 'ENOENT' })), null);
  assert.equal(codeOf(null), null);
});
