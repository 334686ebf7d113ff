import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8Bytes } from '@netd/protocol';
import { judge, type Judgement } from './judge.ts';
import type { WorkScope } from './work-scope.ts';

function judged(schema: object, text: string, signal?: AbortSignal): Promise<Judgement> {
  const deliverable = { mediaType: 'application/json', maxBytes: 2 ** 20 };
  const scope = { deliverable, acceptance: [{ kind: 'json-schema', schema }] };
  return judge(scope as WorkScope, utf8Bytes(text), signal ? { signal } : {});
}

test('other work goes on while a judgement is made, and a signal ends it without a verdict', async () => {
  const anyOf = [...Array.from({ length: 1_000 }, () => ({ type: 'string' })), { type: 'integer' }];
  const items = JSON.stringify(Array.from({ length: 1_000 }, () => 1));
  const order: string[] = [];
  const end = new AbortController();
  const dear = judged({ items: { anyOf } }, items).then(() => order.push('dear'));
  const ended = judged({ items: { anyOf } }, items, end.signal);
  const cheap = judged({ type: 'string' }, '"a"').then(() => order.push('cheap'));
  end.abort(new Error('time is up'));
  await assert.rejects(ended, /time is up/);
  await Promise.all([dear, cheap]);
  assert.deepEqual(order, ['cheap', 'dear']);
});

test('a deliverable that is no text, or has too long a number, is unmet for a reason', async () => {
  const { conditions } = await judged({}, `{"a":${'1'.repeat(401)}}`);
  assert.equal(conditions[0]?.verdict, 'unmet');
  assert.match(conditions[0].reason, /^\/a a number has more than 400 digits/);
  assert.match((await judged({}, '"')).conditions[0]?.reason ?? '', /^the deliverable is not JSON/);
});
