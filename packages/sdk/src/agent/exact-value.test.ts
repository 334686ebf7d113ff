import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workScope, FormatError } from '@netd/formats';
import { completePayload } from '../actions.ts';
import { AgentError } from './agent-error.ts';
import { contentBytes } from './message.ts';
import { bytesOf } from './work-job.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const chain = { height: () => Promise.resolve(1), agent: () => Promise.reject(new Error('asked')) };

test('messages and results drop members that are undefined', () => {
  assert.equal(text(contentBytes({ b: 1, a: undefined })), '{"b":1}');
  assert.equal(text(bytesOf({ b: 1, a: undefined })), '{"b":1}');
});

test('messages, results and payloads refuse a Date with its path', async () => {
  const given = { at: [new Date(0)] };
  const refused = (code: string) => (error: unknown) => {
    assert.ok(error instanceof AgentError);
    assert.deepEqual([error.code, error.data], [code, { path: '/at/0' }]);
    return true;
  };
  assert.throws(() => contentBytes(given), refused('VALUE_NOT_JSON'));
  assert.throws(() => bytesOf(given), refused('RESULT_INVALID'));
  await assert.rejects(completePayload('ada', 'transfer', given, chain), refused('VALUE_NOT_JSON'));
});

test('a forgotten await is named', () => {
  assert.throws(() => contentBytes(Promise.resolve('x')), /Promise: await it/);
  assert.throws(() => bytesOf(Promise.resolve('x')), /Promise: await it/);
});

test('a payload drops members that are undefined', async () => {
  const payload = { toActorId: 'bea', amount: '1 NET', memo: undefined };
  const completed = await completePayload('ada', 'transfer', payload, chain);
  assert.ok(!Object.hasOwn(completed, 'memo'));
});

test('a schema object of a library in an acceptance is refused with its path', () => {
  class ZodObject {
    parse(): void {}
  }
  const scope = {
    schema: 'NET-WORK-SCOPE/1' as const,
    title: 'a',
    instructions: 'b',
    inputs: [],
    deliverable: { mediaTypes: ['application/json'], maxBytes: 10 },
    acceptance: [{ kind: 'json-schema' as const, schema: new ZodObject() as never }],
  };
  assert.throws(
    () => workScope.make(scope as never),
    (error) =>
      error instanceof FormatError &&
      error.path === '/acceptance/0/schema' &&
      /ZodObject/.test(error.message),
  );
});
