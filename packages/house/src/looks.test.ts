import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Looks } from './looks.ts';

test('a thousand events in a burst are two looks, and one that fails does not end them', async (t) => {
  const end = new AbortController();
  t.after(() => end.abort());
  let looks = 0;
  const errors: unknown[] = [];
  const all = new Looks({
    look: async () => {
      looks += 1;
      await Promise.resolve();
      if (looks === 1) throw new Error('once');
    },
    failed: (error) => errors.push(error),
    signal: end.signal,
  });
  await Promise.all(Array.from({ length: 1_000 }, () => all.again()));
  assert.deepEqual([looks, errors.length], [2, 1]);
  await all.again();
  assert.equal(looks, 3);
});
